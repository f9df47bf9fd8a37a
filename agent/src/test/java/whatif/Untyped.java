package whatif;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Blocks of which the static type does not tell whether the JDK locks the object too. */
public final class Untyped {
  private static final int THREADS = 16;
  private static final int ROUNDS = 2_000;

  interface Body {
    void run(int thread) throws Exception;
  }

  private Untyped() {}

  private static void together(Body body) throws InterruptedException {
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      Thread.Builder kind = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
      threads.add(
          kind.start(
              () -> {
                try {
                  begin.await();
                  body.run(thread);
                } catch (Exception e) {
                  e.printStackTrace(System.out);
                }
              }));
    }
    begin.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** One place, objects of both kinds in turns, with every kind of local that a frame can hold. */
  private static double add(List<Object> locks, Map<String, Long> sums, int thread) {
    long wide = thread;
    double wider = 0;
    float single = 1;
    for (int i = 0; i < ROUNDS; i++) {
      Object lock = locks.get(i % locks.size());
      String key = "sum " + i % locks.size();
      synchronized (lock) {
        if (i % 100 == 99) {
          continue;
        }
        long old = sums.get(key);
        try {
          if (i % 7 == 3) {
            throw new IllegalStateException();
          }
          sums.put(key, old + 1);
        } catch (IllegalStateException e) {
          sums.put(key, old + 2);
        } finally {
          wider += single;
        }
        wide += old;
      }
    }
    return wide > 0 ? wider : 0;
  }

  /** The JDK adds under its monitor, and we read and write under what must be the same. */
  private static void withTheJdk() throws Exception {
    Map<Integer, Integer> map = Collections.synchronizedMap(new HashMap<>());
    List<Integer> list = Collections.synchronizedList(new ArrayList<>());
    map.put(0, 0);
    together(
        thread -> {
          for (int i = 0; i < ROUNDS; i++) {
            if (thread < 8) {
              map.merge(0, 1, Integer::sum);
              list.add(i);
            } else {
              synchronized (map) {
                map.put(0, map.get(0) + 1);
              }
              synchronized (list) {
                for (int each : list.subList(0, Math.min(100, list.size()))) {
                  if (each < 0) {
                    throw new IllegalStateException();
                  }
                }
              }
            }
          }
        });
    System.out.println("with the JDK " + map.get(0) + " " + list.size());
  }

  /** Made in a constructor that locks what it was given, while an object is half made. */
  private static final class Made {
    private final Map<Object, Object> guarded;
    private int made;

    Made(Map<Object, Object> guarded, Made before) {
      this.guarded = guarded;
      synchronized (guarded) {
        made = before == null ? 1 : before.made + 1;
      }
    }

    /** Two locks of its own and an unknown one inside them. */
    synchronized int count(Object... more) {
      int count = 0;
      for (Object each : more) {
        synchronized (each) {
          synchronized (this) {
            count += each.hashCode() == 0 ? 0 : 1;
          }
          if (count < 0) {
            return -1;
          }
        }
      }
      synchronized (guarded) {
        guarded.put("count", count);
        return count + guarded.size();
      }
    }
  }

  /** A loop at the very beginning, so that the first instruction is a jump's target. */
  private static void countDown(Object guard, int[] left) {
    do {
      synchronized (guard) {
        left[0]--;
      }
    } while (left[0] > 0);
  }

  /** The JDK locks one of the two objects that meet in a block; of each alone it is known. */
  private static final class Chosen extends java.io.CharArrayWriter {
    private int added;

    int add(int round) {
      Object lock =
          switch (round % 2) {
            case 0 -> new Object();
            default -> this;
          };
      synchronized (lock) {
        return ++added;
      }
    }
  }

  private static final int[] BY_CLASS = new int[1];

  private static synchronized void addByMethod() {
    BY_CLASS[0]++;
  }

  /** The class object by its literal, in a method of the class, and as what a call returned. */
  private static void classObjects() throws Exception {
    Class<?> own = Class.forName(Untyped.class.getName());
    together(
        thread -> {
          for (int i = 0; i < ROUNDS; i++) {
            if (thread % 3 == 0) {
              addByMethod();
            } else if (thread % 3 == 1) {
              synchronized (Untyped.class) {
                BY_CLASS[0]++;
              }
            } else {
              synchronized (own) {
                int before = BY_CLASS[0];
                Thread.onSpinWait();
                BY_CLASS[0] = before + 1;
              }
            }
          }
        });
    System.out.println("by class " + BY_CLASS[0]);
  }

  private static void waiting(Object lock, boolean[] told) throws InterruptedException {
    Thread teller =
        Thread.startVirtualThread(
            () -> {
              synchronized (lock) {
                told[0] = true;
                lock.notifyAll();
              }
            });
    synchronized (lock) {
      while (!told[0]) {
        lock.wait();
      }
      System.out.println("told " + Thread.holdsLock(lock));
    }
    teller.join();
  }

  public static void main(String[] args) throws Exception {
    Map<String, Long> sums = Collections.synchronizedMap(new HashMap<>());
    List<Object> locks =
        List.of(
            new Object(),
            new Properties(),
            "text",
            new int[1],
            String.class,
            Untyped.class,
            new CopyOnWriteArrayList<>(),
            new java.io.CharArrayWriter(),
            Thread.currentThread());
    for (int i = 0; i < locks.size(); i++) {
      sums.put("sum " + i, 0L);
    }
    together(thread -> add(locks, sums, thread));
    System.out.println(new java.util.TreeMap<>(sums));
    withTheJdk();
    classObjects();
    Chosen chosen = new Chosen();
    System.out.println("chosen " + chosen.add(0) + " " + chosen.add(1) + " " + chosen.add(2));
    for (Map<Object, Object> map : List.of(new HashMap<>(), new Properties())) {
      Made made = new Made(map, new Made(map, null));
      System.out.println(made.made + " " + made.count("x", 1, new Properties(), map, made));
    }
    for (Object guard : List.of(new Object(), new Properties())) {
      int[] left = {THREADS * ROUNDS};
      together(thread -> countDown(guard, left));
      System.out.println("counted down " + (left[0] <= 0 && left[0] > -THREADS));
    }
    waiting(new Object(), new boolean[1]);
    waiting(new Properties(), new boolean[1]);
    try {
      add(Collections.singletonList(null), sums, 0);
    } catch (NullPointerException e) {
      System.out.println("null");
    }
    System.out.println("done");
  }
}
