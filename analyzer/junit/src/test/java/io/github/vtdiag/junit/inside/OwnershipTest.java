package io.github.vtdiag.junit.inside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Threads of every kind, created by several tests at once: nobody may be given another's. */
final class OwnershipTest {
  private static final int TESTS = 6;
  private static final int THREADS = 150;

  private final Map<Long, String> creators = new ConcurrentHashMap<>();
  private final Map<Long, Long> started = new ConcurrentHashMap<>();

  @RepeatedTest(5)
  void nobodyIsGivenAnothersThread() throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(TESTS);
    List<Thread> tests = new ArrayList<>();
    for (int i = 0; i < TESTS; i++) {
      String test = "test " + i;
      tests.add(
          Thread.ofPlatform()
              .inheritInheritableThreadLocals(false)
              .start(
                  () -> {
                    Scopes scopes = new Scopes();
                    scopes.begin(test);
                    ready.countDown();
                    try {
                      ready.await();
                      createThreads(test);
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    } finally {
                      scopes.end();
                    }
                  }));
    }
    // Of no test: their numbers lie between those of the others.
    List<Thread> strangers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      strangers.add(Thread.ofVirtual().inheritInheritableThreadLocals(false).unstarted(() -> {}));
      creators.put(strangers.getLast().threadId(), "nobody");
    }
    for (Thread test : tests) {
      test.join();
    }
    Ownership ownership =
        new Ownership(Scopes.all(), 0, started::get, KeptCarriers.platformThreads());
    int found = 0;
    for (Map.Entry<Long, String> each : creators.entrySet()) {
      Optional<TestSpan> owner = ownership.owner(each.getKey());
      owner.ifPresent(scope -> assertEquals(each.getValue(), scope.test));
      found += owner.isPresent() ? 1 : 0;
    }
    assertTrue(found > 0);
  }

  private void createThreads(String test) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Runnable nested =
          () -> {
            Thread inner = Thread.ofVirtual().unstarted(() -> {});
            creators.put(inner.threadId(), test);
            start(inner);
          };
      Thread thread =
          switch (i % 5) {
            case 0 -> Thread.ofPlatform().unstarted(nested);
            case 1 -> Thread.ofVirtual().unstarted(nested);
            case 2 -> Thread.ofVirtual().inheritInheritableThreadLocals(false).unstarted(() -> {});
            default -> Thread.ofVirtual().unstarted(() -> {});
          };
      creators.put(thread.threadId(), i % 5 == 2 ? "nobody" : test);
      // Some are never started.
      if (i % 7 != 0) {
        start(thread);
        threads.add(thread);
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void start(Thread thread) {
    if (thread.isVirtual()) {
      started.put(thread.threadId(), EventClock.nanos());
    }
    thread.start();
  }

  @Test
  void aTestOnItsOwnHasAllItsThreads() throws InterruptedException {
    Thread alone =
        Thread.ofPlatform()
            .inheritInheritableThreadLocals(false)
            .start(
                () -> {
                  Scopes scopes = new Scopes();
                  scopes.begin("alone");
                  for (int i = 0; i < THREADS; i++) {
                    creators.put(Thread.ofVirtual().unstarted(() -> {}).threadId(), "alone");
                  }
                  scopes.end();
                });
    alone.join();
    Ownership ownership = new Ownership(Scopes.all(), 0, started::get, Set.of());
    long found =
        creators.keySet().stream()
            .filter(id -> ownership.owner(id).filter(s -> s.test.equals("alone")).isPresent())
            .count();
    assertTrue(found > 0);
  }
}
