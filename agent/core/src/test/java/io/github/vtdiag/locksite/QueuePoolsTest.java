package io.github.vtdiag.locksite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import java.io.IOException;
import java.io.InputStream;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueuePoolsTest {
  /** What may be used as a pool. */
  static final class Users {
    private final BlockingQueue<StringBuilder> free = new LinkedBlockingQueue<>();
    private final BlockingQueue<StringBuilder> others = new LinkedBlockingQueue<>();
    private boolean done;

    void releases() throws InterruptedException {
      StringBuilder taken = free.take();
      try {
        work(taken);
      } finally {
        free.put(taken);
      }
    }

    void releasesUnlessItFails() throws InterruptedException {
      while (!done) {
        StringBuilder taken = free.take();
        work(taken);
        free.add(taken);
      }
    }

    void releasesWhatCameInTime(LinkedBlockingDeque<StringBuilder> pool)
        throws InterruptedException {
      while (!done) {
        StringBuilder taken = pool.pollFirst(1, TimeUnit.SECONDS);
        if (taken != null) {
          work(taken);
          pool.addFirst(taken);
        }
      }
    }

    static void releasesInALambda(BlockingQueue<StringBuilder> pool) {
      Thread.startVirtualThread(
          () -> {
            try {
              StringBuilder taken = pool.take();
              taken.append('.');
              pool.put(taken);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
    }

    void triesAgain() throws InterruptedException {
      while (!done) {
        StringBuilder task = free.take();
        if (work(task) < 0) {
          free.put(task);
        }
      }
    }

    void triesAgainWhatFailed() throws InterruptedException {
      while (!done) {
        StringBuilder task = free.take();
        try {
          work(task);
        } catch (IllegalStateException e) {
          free.put(task);
        }
      }
    }

    void works() throws InterruptedException {
      while (!done) {
        work(free.take());
      }
    }

    void handsOn() throws InterruptedException {
      StringBuilder taken = free.take();
      others.put(taken);
    }

    void findsMore() throws InterruptedException {
      StringBuilder taken = free.take();
      free.put(new StringBuilder(taken));
    }

    private int work(StringBuilder text) {
      return text.append('.').length();
    }
  }

  /** A pool of its own, and a channel that looks much like it. */
  static final class Pool {
    private final BlockingQueue<StringBuilder> free = new LinkedBlockingQueue<>();
    private final BlockingQueue<StringBuilder> sent = new LinkedBlockingQueue<>();

    StringBuilder get() throws InterruptedException {
      return free.take();
    }

    void done(int uses, StringBuilder text) {
      text.setLength(uses);
      free.add(text);
    }

    void send(StringBuilder text) {
      sent.add(text);
    }
  }

  static final class Callers {
    private final Pool pool = new Pool();

    void gives() throws InterruptedException {
      StringBuilder text = pool.get();
      try {
        text.append('.');
      } finally {
        pool.done(0, text);
      }
    }

    void sends() throws InterruptedException {
      pool.send(pool.get());
    }

    void keeps() throws InterruptedException {
      pool.get().append('.');
    }
  }

  private static CodeSites read(Class<?> type) throws IOException {
    try (InputStream in =
        type.getResourceAsStream(type.getName().replaceFirst(".*\\.", "") + ".class")) {
      return CodeSites.read(in.readAllBytes(), new ClassRef(type.getName(), "app"));
    }
  }

  /** Asks for each line of this file. */
  private static PutsBack putsBack(String method) throws IOException {
    CodeSites users = read(Users.class);
    return IntStream.range(1, 400)
        .mapToObj(line -> users.putsBack(method, line, Optional.empty(), List.of()))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  private static PutsBack putsBackByCaller(String caller) throws IOException {
    CodeSites pool = read(Pool.class);
    CodeSites callers = read(Callers.class);
    return IntStream.range(1, 400)
        .boxed()
        .flatMap(
            line ->
                IntStream.range(1, 400)
                    .mapToObj(
                        callerLine ->
                            pool.putsBack(
                                "get",
                                line,
                                Optional.of(
                                    new Frame(
                                        callers.type(),
                                        caller,
                                        "()V",
                                        0,
                                        -1,
                                        callerLine,
                                        Frame.Kind.UNKNOWN)),
                                List.of(callers))))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"works", "handsOn", "findsMore", "triesAgainWhatFailed"})
  void aQueueOfWorkIsNoPool(String method) throws IOException {
    assertEquals(PutsBack.NEVER, putsBack(method));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "releases",
        "releasesUnlessItFails",
        "releasesWhatCameInTime",
        "lambda$releasesInALambda$0"
      })
  void aQueueIntoWhichEachPutsBackWhatItTakesIsAPool(String method) throws IOException {
    assertEquals(PutsBack.ALWAYS, putsBack(method));
  }

  @Test
  void aWorkerMayPutBackATaskThatIsToBeTriedAgain() throws IOException {
    assertEquals(PutsBack.SOMETIMES, putsBack("triesAgain"));
  }

  @Test
  void aCallerGivesBackWhatAMethodTookForIt() throws IOException {
    assertEquals(PutsBack.ALWAYS, putsBackByCaller("gives"));
    assertEquals(PutsBack.NEVER, putsBackByCaller("sends"));
    assertEquals(PutsBack.NEVER, putsBackByCaller("keeps"));
  }
}
