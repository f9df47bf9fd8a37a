package whatif;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * What {@code ConcurrentHashMap} does under the lock of a bin, from threads half of which are
 * virtual. It prints what must come out.
 */
public final class Maps {
  private static final int THREADS = 16;
  private static final int ROUNDS = 2_000;

  private Maps() {}

  /** Collides, and can be compared, so that a bin of these becomes a tree. */
  private record Key(int number) implements Comparable<Key> {
    @Override
    public int hashCode() {
      return number % 3;
    }

    @Override
    public int compareTo(Key other) {
      return Integer.compare(number, other.number);
    }
  }

  private interface Body {
    void run(int thread) throws InterruptedException;
  }

  private static void together(int count, boolean allVirtual, Body body)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      Runnable task =
          () -> {
            try {
              body.run(number);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          };
      threads.add(
          allVirtual || i % 2 == 0
              ? Thread.startVirtualThread(task)
              : Thread.ofPlatform().start(task));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static int work(int key) {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return 2 * key;
  }

  /** Each thread computes a value of its own, in a bin of its own. */
  private static void sleepInside() throws InterruptedException {
    Map<Integer, Integer> map = new ConcurrentHashMap<>(4_096);
    together(60, true, thread -> map.computeIfAbsent(thread, Maps::work));
    System.out.println("computed " + map.values().stream().mapToInt(value -> value).sum());
  }

  /** All compute the same one; one of them does. */
  private static void computeOnce() throws InterruptedException {
    Map<Key, Integer> map = new ConcurrentHashMap<>();
    AtomicInteger computed = new AtomicInteger();
    together(
        100,
        true,
        thread ->
            map.computeIfAbsent(
                new Key(thread % 5),
                key -> {
                  computed.incrementAndGet();
                  return work(key.number());
                }));
    System.out.println("once " + computed + " " + new TreeMap<>(map).values());
  }

  private static void stress() throws InterruptedException {
    Map<Key, Integer> sums = new ConcurrentHashMap<>();
    Map<Key, Integer> trees = new ConcurrentHashMap<>();
    Map<Integer, LongAdder> adders = new ConcurrentHashMap<>(1);
    Map<Integer, Integer> growing = new ConcurrentHashMap<>(1);
    ConcurrentHashMap<Integer, Integer> cleared = new ConcurrentHashMap<>();
    LongAdder failures = new LongAdder();
    together(
        THREADS,
        false,
        thread -> {
          for (int i = 0; i < ROUNDS; i++) {
            sums.merge(new Key(i % 7), 1, Integer::sum);
            sums.compute(new Key(i % 5), (key, value) -> value == null ? 1 : value + 1);
            sums.computeIfPresent(new Key(i % 5), (key, value) -> value + 1);
            adders.computeIfAbsent(i % 100, key -> new LongAdder()).increment();
            Key own = new Key(thread * 20 + i % 20);
            trees.put(own, i);
            if (i % 3 != 0 && trees.remove(own) != i) {
              failures.increment();
            }
            growing.put(thread * ROUNDS + i, i);
            cleared.putIfAbsent(i, thread);
            if (i % 500 == thread) {
              cleared.clear();
            }
            try {
              sums.compute(
                  new Key(2),
                  (key, value) -> {
                    throw new IllegalArgumentException();
                  });
              failures.increment();
            } catch (IllegalArgumentException e) {
              // The bin must have been left.
            }
          }
        });
    cleared.clear();
    for (int thread = 0; thread < THREADS; thread++) {
      for (int i = 0; i < ROUNDS; i++) {
        if (growing.get(thread * ROUNDS + i) != i) {
          failures.increment();
        }
      }
    }
    System.out.println("sums " + new TreeMap<>(sums).values());
    System.out.println("trees " + trees.size() + " " + trees.keySet().size());
    System.out.println("adders " + adders.values().stream().mapToLong(LongAdder::sum).sum());
    System.out.println("grown " + growing.size() + ", cleared " + cleared.size());
    System.out.println("failures " + failures.sum());
    try {
      sums.computeIfAbsent(new Key(50), key -> sums.computeIfAbsent(new Key(50), inner -> 1));
      System.out.println("no recursion seen");
    } catch (IllegalStateException e) {
      System.out.println(e.getMessage());
    }
  }

  public static void main(String[] args) throws InterruptedException {
    sleepInside();
    if (args.length == 0) {
      computeOnce();
      stress();
    }
    System.out.println("done");
  }
}
