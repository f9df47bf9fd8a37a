package whatif;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Vector;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Everything that can be said with a monitor, from 16 threads, half of them virtual. It prints what
 * must come out, which is the same with monitors and with locks in their place.
 */
@SuppressWarnings({
  // That is what the program is made of.
  "WaitNotInLoop",
  "NakedNotify",
  "UnnecessaryLambda",
  "SynchronizeOnNonFinalField",
  "ThreadPriorityCheck",
  "InfiniteRecursion",
  "JdkObsolete",
  "NonAtomicOperationOnVolatileField",
  "ImmutableEnumChecker",
  "MutablePublicArray",
  "ReturnValueIgnored",
  "synchronization"
})
public final class Stress {
  private static final int THREADS = 16;
  private static final int ROUNDS = 500;

  private Stress() {}

  interface Body {
    void run(int thread) throws Exception;
  }

  private static void together(Body body) throws Exception {
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      Runnable task =
          () -> {
            try {
              start.await();
              body.run(number);
            } catch (Throwable e) {
              failures.add(e);
            }
          };
      threads.add(i % 2 == 0 ? Thread.ofVirtual().start(task) : Thread.ofPlatform().start(task));
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    for (Throwable failure : failures) {
      throw new IllegalStateException(failure);
    }
  }

  /** Methods, blocks, a nested class, a lambda and a subclass, all on one object. */
  private static class Counter implements Cloneable, Serializable {
    int value;
    long wide;

    synchronized void add() {
      value++;
    }

    void addInBlock() {
      synchronized (this) {
        value++;
      }
    }

    synchronized int addTwice() {
      add();
      addInBlock();
      return value;
    }

    final class Inner {
      void add() {
        synchronized (Counter.this) {
          value++;
        }
      }
    }

    Runnable lambda() {
      return () -> {
        synchronized (this) {
          value++;
        }
      };
    }

    synchronized long mixed(long a, double b, int c, String d) {
      for (int i = 0; i < c; i++) {
        if (i == 3) {
          return a + d.length();
        }
      }
      try {
        wide += a;
        return wide + (long) b;
      } finally {
        wide -= a;
      }
    }

    synchronized void fail(boolean deep) {
      value++;
      try {
        synchronized (Counter.class) {
          if (deep) {
            throw new IllegalArgumentException("deep");
          }
        }
        throw new IllegalStateException("shallow");
      } finally {
        value++;
      }
    }

    @Override
    public synchronized Counter clone() throws CloneNotSupportedException {
      return (Counter) super.clone();
    }
  }

  private static final class SubCounter extends Counter {
    @Override
    synchronized void add() {
      super.add();
    }

    synchronized void addMore() {
      value++;
    }
  }

  private static void counters() throws Exception {
    Counter counter = new Counter();
    Counter.Inner inner = counter.new Inner();
    SubCounter sub = new SubCounter();
    together(
        thread -> {
          for (int i = 0; i < ROUNDS; i++) {
            counter.add();
            counter.addTwice();
            inner.add();
            counter.lambda().run();
            synchronized (counter) {
              counter.value++;
            }
            try {
              counter.fail(i % 2 == 0);
            } catch (IllegalArgumentException | IllegalStateException e) {
              sub.add();
            }
            sub.addMore();
            sub.addInBlock();
            if (counter.mixed(4, 2.5, i % 7, "abc") < 0) {
              throw new IllegalStateException();
            }
          }
        });
    System.out.println("counter " + counter.value + " " + counter.wide);
    System.out.println("subclass " + sub.value);
    System.out.println("free " + !Thread.holdsLock(counter) + " " + !Thread.holdsLock(sub));
  }

  private static int statics;

  private static synchronized void addStatic() {
    statics++;
  }

  enum Kind {
    ONE,
    TWO {
      @Override
      synchronized void add() {
        count += 2;
      }
    };
    int count;

    synchronized void add() {
      count++;
    }
  }

  record Pair(List<Integer> left, int right) {
    synchronized void add() {
      left.set(0, left.get(0) + 1);
    }
  }

  interface Defaults {
    int[] SHARED = new int[1];

    default void add() {
      synchronized (this) {
        own()[0]++;
      }
    }

    static void addShared() {
      synchronized (Defaults.class) {
        SHARED[0]++;
      }
    }

    int[] own();
  }

  private static void kinds() throws Exception {
    Pair pair = new Pair(new ArrayList<>(List.of(0)), 1);
    int[] own = new int[1];
    Defaults defaults = () -> own;
    int[] array = new int[1];
    together(
        thread -> {
          for (int i = 0; i < ROUNDS; i++) {
            addStatic();
            synchronized (Stress.class) {
              statics++;
            }
            Kind.ONE.add();
            Kind.TWO.add();
            pair.add();
            defaults.add();
            Defaults.addShared();
            synchronized (array) {
              array[0]++;
            }
          }
        });
    System.out.println(
        "kinds %d %d %d %d %d %d %d"
            .formatted(
                statics,
                Kind.ONE.count,
                Kind.TWO.count,
                pair.left().getFirst(),
                own[0],
                Defaults.SHARED[0],
                array[0]));
  }

  private static final class Buffer {
    private final Deque<Integer> items = new ArrayDeque<>();

    synchronized void put(int item) throws InterruptedException {
      while (items.size() == 4) {
        wait();
      }
      items.add(item);
      notifyAll();
    }

    synchronized int take(int way) throws InterruptedException {
      Waits waits = TimeUnit.MILLISECONDS::timedWait;
      while (items.isEmpty()) {
        switch (way) {
          case 0 -> wait(0);
          case 1 -> wait(5);
          case 2 -> TimeUnit.MICROSECONDS.timedWait(this, 1_500);
          case 3 -> waits.on(this, 2);
          default -> wait(1, 500_000);
        }
      }
      int item = items.remove();
      Runnable wake = this::notifyAll;
      Consumer<Buffer> wakeOther = Buffer::notifyAll;
      if (way == 0) {
        wake.run();
      } else {
        wakeOther.accept(this);
      }
      return item;
    }
  }

  private interface Waits {
    void on(Object object, long timeout) throws InterruptedException;
  }

  /** The same on an object that carries no lock, with a method reference to notify. */
  private static void buffers() throws Exception {
    Buffer buffer = new Buffer();
    Object lock = new Object();
    Runnable wake = lock::notifyAll;
    int[] tokens = new int[1];
    AtomicInteger sum = new AtomicInteger();
    together(
        thread -> {
          for (int i = 0; i < ROUNDS; i++) {
            if (thread % 4 < 2) {
              buffer.put(i);
              synchronized (lock) {
                tokens[0]++;
                wake.run();
              }
            } else {
              sum.addAndGet(buffer.take(i % 5));
              synchronized (lock) {
                while (tokens[0] == 0) {
                  lock.wait();
                }
                tokens[0]--;
              }
            }
          }
        });
    System.out.println("buffer " + sum + " " + tokens[0]);
  }

  private static String nameOf(Callable<?> action) {
    try {
      return String.valueOf(action.call());
    } catch (Throwable e) {
      return e.getClass().getSimpleName();
    }
  }

  private static Callable<?> doing(Body body) {
    return () -> {
      body.run(0);
      return "ok";
    };
  }

  private static void wrongUse() throws Exception {
    for (Object lock : List.of(new Counter(), new Object(), "text", new Vector<Integer>())) {
      System.out.println(
          String.join(
              " ",
              nameOf(doing(t -> lock.wait())),
              nameOf(doing(t -> lock.wait(-1))),
              nameOf(doing(t -> lock.notify())),
              nameOf(doing(t -> lock.notifyAll()))));
    }
    for (Object lock : List.of(new Counter(), new Object())) {
      synchronized (lock) {
        Thread.currentThread().interrupt();
        System.out.println(
            String.join(
                " ",
                nameOf(doing(t -> lock.wait(-1))),
                nameOf(doing(t -> lock.wait(1, 1_000_000))),
                nameOf(doing(t -> lock.wait(1))),
                nameOf(doing(t -> lock.wait(1))),
                nameOf(doing(t -> lock.notify())),
                Boolean.toString(Thread.holdsLock(lock))));
      }
    }
    Counter none = null;
    System.out.println(
        nameOf(
            doing(
                t -> {
                  synchronized (none) {
                    System.out.println("not here");
                  }
                })));
  }

  private static void interrupts() throws Exception {
    for (boolean virtual : List.of(true, false)) {
      Counter lock = new Counter();
      Semaphore waiting = new Semaphore(0);
      List<String> seen = Collections.synchronizedList(new ArrayList<>());
      Runnable task =
          () -> {
            synchronized (lock) {
              synchronized (lock) {
                try {
                  waiting.release();
                  lock.wait();
                  seen.add("woken");
                } catch (InterruptedException e) {
                  seen.add("interrupted, holding " + Thread.holdsLock(lock));
                }
              }
            }
          };
      Thread thread = virtual ? Thread.ofVirtual().start(task) : Thread.ofPlatform().start(task);
      waiting.acquire();
      synchronized (lock) {
        thread.interrupt();
      }
      thread.join();
      // Entering is not interrupted.
      Thread entering;
      synchronized (lock) {
        entering =
            Thread.ofVirtual()
                .start(
                    () -> {
                      Thread.currentThread().interrupt();
                      synchronized (lock) {
                        seen.add("entered, interrupted " + Thread.currentThread().isInterrupted());
                      }
                    });
      }
      entering.join();
      System.out.println(seen);
    }
  }

  private static void copies() throws Exception {
    Counter original = new Counter();
    original.addTwice();
    Counter copy = original.clone();
    synchronized (original) {
      // Its own monitor, which another thread can take now.
      Thread other = Thread.ofPlatform().start(copy::add);
      other.join();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Counter read;
    synchronized (original) {
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(original);
      }
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        read = (Counter) in.readObject();
      }
      Thread.ofPlatform().start(read::add).join();
    }
    System.out.println("copies " + original.value + " " + copy.value + " " + read.value);
    System.out.println(
        "serial "
            + ObjectStreamClass.lookup(Counter.class).getSerialVersionUID()
            + " "
            + ObjectStreamClass.lookup(SubCounter.class).getSerialVersionUID()
            + " "
            + ObjectStreamClass.lookup(Kept.class).getSerialVersionUID());
  }

  /** A proxy of a rewritten class's interfaces must not lead to the lock of its target. */
  private static void proxies() throws Exception {
    Supplier<String> target =
        new Supplier<>() {
          @Override
          public synchronized String get() {
            return "got";
          }
        };
    List<String> calls = new ArrayList<>();
    Object proxy =
        Proxy.newProxyInstance(
            Stress.class.getClassLoader(),
            target.getClass().getInterfaces(),
            (self, method, arguments) -> {
              calls.add(method.getName());
              return method.invoke(target, arguments);
            });
    synchronized (proxy) {
      Thread.ofPlatform().start(target::get).join();
      System.out.println("proxy " + ((Supplier<?>) proxy).get() + " " + calls);
    }
  }

  /** Its monitor is the JDK's, too. */
  private static final class Kept extends Properties {
    int puts;

    @Override
    public synchronized Object put(Object key, Object value) {
      puts++;
      return super.put(key, value);
    }

    synchronized void waitFor(int count) throws InterruptedException {
      while (puts < count) {
        wait(50);
      }
    }

    synchronized void tell() {
      notifyAll();
    }
  }

  private static final class Lines extends Writer {
    private final StringWriter to = new StringWriter();
    private int writes;

    @Override
    public void write(char[] text, int from, int length) {
      synchronized (lock) {
        writes++;
        to.write(text, from, length);
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private static void sharedWithTheJdk() throws Exception {
    Kept kept = new Kept();
    Vector<Integer> vector = new Vector<>(List.of(0));
    Lines lines = new Lines();
    together(
        thread -> {
          if (thread == 0) {
            kept.waitFor(15 * ROUNDS);
            return;
          }
          for (int i = 0; i < ROUNDS; i++) {
            kept.put(thread, i);
            kept.tell();
            synchronized (vector) {
              vector.set(0, vector.get(0) + 1);
            }
            vector.addElement(i);
            lines.write('x');
          }
        });
    System.out.println("jdk " + kept.puts + " " + vector.getFirst() + " " + vector.size());
    System.out.println("writer " + lines.writes + " " + lines.to.toString().length());
    Thread thread = new Thread(() -> {});
    synchronized (thread) {
      thread.start();
      while (thread.isAlive()) {
        thread.wait(1000);
      }
    }
    System.out.println("thread " + thread.isAlive());
  }

  public static void main(String[] args) throws Exception {
    Map<String, Callable<?>> parts = new java.util.LinkedHashMap<>();
    parts.put("counters", doing(t -> counters()));
    parts.put("kinds", doing(t -> kinds()));
    parts.put("buffers", doing(t -> buffers()));
    parts.put("wrong use", doing(t -> wrongUse()));
    parts.put("interrupts", doing(t -> interrupts()));
    parts.put("copies", doing(t -> copies()));
    parts.put("proxies", doing(t -> proxies()));
    parts.put("shared with the JDK", doing(t -> sharedWithTheJdk()));
    for (Map.Entry<String, Callable<?>> part : parts.entrySet()) {
      try {
        part.getValue().call();
      } catch (Throwable e) {
        System.out.println(part.getKey() + " failed");
        e.printStackTrace(System.out);
      }
    }
    System.out.println("done");
  }
}
