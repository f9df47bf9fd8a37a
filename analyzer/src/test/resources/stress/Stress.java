package stress;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/**
 * Eight platform and eight virtual threads on locks of every kind. Every line it prints is the same
 * in every run, as long as the locks exclude and wake as monitors do.
 */
public final class Stress {
  private static final int THREADS = 16;
  private static final int ROUNDS = 20_000;

  private static int staticCount;
  private static int literalCount;

  private Stress() {}

  public static void main(String[] args) throws Exception {
    reentrancy();
    statics();
    hierarchy();
    buffer();
    interrupts();
    timeouts();
    nested();
    fields();
    jumps();
    innerClasses();
    constants();
    clones();
    serialized();
  }

  /** Runs a body in all threads at once. */
  private static void inAll(IntConsumer body) throws InterruptedException {
    CountDownLatch start = new CountDownLatch(1);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      Runnable task =
          () -> {
            try {
              start.await();
              body.accept(number);
            } catch (Throwable e) {
              failure.set(e);
            }
          };
      threads.add(number % 2 == 0 ? new Thread(task) : Thread.ofVirtual().unstarted(task));
    }
    threads.forEach(Thread::start);
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  private static void print(String what, Object value) {
    System.out.println(what + " " + value);
  }

  // Reentrancy.

  static class Counter {
    private int count;

    synchronized void add(int depth) {
      if (depth == 0) {
        count++;
      } else {
        add(depth - 1);
      }
    }

    int count() {
      synchronized (this) {
        return count;
      }
    }
  }

  private static void reentrancy() throws InterruptedException {
    Counter counter = new Counter();
    inAll(
        number -> {
          for (int i = 0; i < ROUNDS; i++) {
            counter.add(i % 5);
          }
        });
    print("reentrancy", counter.count());
  }

  // Class objects.

  private static synchronized void countStatic() {
    staticCount++;
    synchronized (Stress.class) {
      literalCount += staticCount > 0 ? 1 : 0;
    }
  }

  private static void statics() throws InterruptedException {
    inAll(
        number -> {
          for (int i = 0; i < ROUNDS; i++) {
            if (number % 3 == 0) {
              countStatic();
            } else {
              synchronized (Stress.class) {
                staticCount++;
                literalCount++;
              }
            }
          }
        });
    print("statics", staticCount + " " + literalCount);
  }

  // Superclass, subclass and another class lock the same object.

  private static void hierarchy() throws InterruptedException {
    Account account = new SavingsAccount();
    inAll(
        number -> {
          for (int i = 0; i < ROUNDS; i++) {
            switch (number % 3) {
              case 0 -> account.deposit(2);
              case 1 -> account.withdraw(1);
              default -> {
                synchronized (account) {
                  account.balance += 3;
                  account.changes++;
                }
              }
            }
          }
        });
    print("hierarchy", account.balance + " " + account.changes);
  }

  // A bounded buffer.

  private static void buffer() throws InterruptedException {
    Buffer buffer = new Buffer(4);
    AtomicLong taken = new AtomicLong();
    AtomicLong sum = new AtomicLong();
    int each = ROUNDS / 10;
    inAll(
        number -> {
          try {
            for (int i = 1; i <= each; i++) {
              // Platform and virtual threads are on both sides.
              if (number / 2 % 2 == 0) {
                buffer.put(i);
              } else {
                Integer item = number % 4 == 2 ? buffer.take() : null;
                while (item == null) {
                  item = buffer.poll(5);
                }
                taken.incrementAndGet();
                sum.addAndGet(item);
              }
            }
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    print("buffer", taken + " " + sum + " " + buffer.size() + " " + buffer.wasOverfull());
  }

  // Threads that wait are interrupted, and have the lock when they go on.

  static final class Gate {
    private int waiting;
    private int interrupted;
    private int without;

    synchronized void pass() {
      waiting++;
      try {
        while (true) {
          wait();
        }
      } catch (InterruptedException e) {
        interrupted++;
        without += Thread.holdsLock(this) ? 0 : 1;
      }
    }

    synchronized int waiting() {
      return waiting;
    }
  }

  private static void interrupts() throws InterruptedException {
    Gate gate = new Gate();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(i % 2 == 0 ? new Thread(gate::pass) : Thread.ofVirtual().unstarted(gate::pass));
    }
    threads.forEach(Thread::start);
    while (gate.waiting() < THREADS) {
      Thread.onSpinWait();
    }
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      thread.join();
    }
    print("interrupts", gate.interrupted + " " + gate.without + " " + Thread.holdsLock(gate));
  }

  // Times out, waits for ever with 0, refuses what is negative.

  static final class Timer {
    private boolean done;

    synchronized boolean tick() throws InterruptedException {
      wait(1);
      return done;
    }

    synchronized void finish() {
      done = true;
      notifyAll();
    }

    synchronized void awaitDone() throws InterruptedException {
      while (!done) {
        wait(0);
      }
    }

    synchronized String waitFor(long millis) throws InterruptedException {
      try {
        wait(millis);
        return "waited";
      } catch (IllegalArgumentException e) {
        return e.getMessage();
      }
    }
  }

  private static void timeouts() throws InterruptedException {
    Timer timer = new Timer();
    boolean early = timer.tick();
    inAll(
        number -> {
          try {
            if (number == 7) {
              timer.finish();
            } else {
              timer.awaitDone();
            }
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    print(
        "timeouts", early + " " + timer.tick() + " " + timer.waitFor(1) + ", " + timer.waitFor(-1));
  }

  // Two locks at a time, always in one order.

  private static void transfer(Account from, Account to, int amount) {
    Account first = from.number < to.number ? from : to;
    Account second = from.number < to.number ? to : from;
    synchronized (first) {
      synchronized (second) {
        from.balance -= amount;
        to.balance += amount;
      }
    }
  }

  private static void nested() throws InterruptedException {
    List<Account> accounts = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      accounts.add(i % 2 == 0 ? new Account() : new SavingsAccount());
    }
    inAll(
        number -> {
          for (int i = 0; i < ROUNDS; i++) {
            transfer(accounts.get((number + i) % 5), accounts.get((number + i + 1) % 5), i % 7);
          }
        });
    int sum = 0;
    for (Account account : accounts) {
      synchronized (account) {
        sum += account.balance;
      }
    }
    print("nested", sum);
  }

  // A field that is nothing but a lock, and fields that hold what they guard.

  static final class Fields {
    private static final Map<Integer, Integer> SHARED = new HashMap<>();

    private final Object lock = new Object();
    private final List<Integer> list = new ArrayList<>();
    private int guarded;

    void add(int value) {
      synchronized (lock) {
        guarded++;
      }
      synchronized (list) {
        list.add(value);
      }
      synchronized (SHARED) {
        SHARED.merge(value % 10, 1, Integer::sum);
      }
    }

    @Override
    public String toString() {
      synchronized (lock) {
        synchronized (list) {
          synchronized (SHARED) {
            return guarded + " " + list.size() + " " + SHARED.get(3);
          }
        }
      }
    }
  }

  private static void fields() throws InterruptedException {
    Fields fields = new Fields();
    inAll(
        number -> {
          for (int i = 0; i < ROUNDS / 10; i++) {
            fields.add(i);
          }
        });
    print("fields", fields);
  }

  // Every way out of a block gives the lock back.

  static final class Jumps {
    private int in;
    private int thrown;

    synchronized int fail(int i) {
      in++;
      if (i % 2 == 0) {
        throw new IllegalStateException("even");
      }
      return i;
    }

    int loop(int rounds) {
      int done = 0;
      outer:
      for (int i = 0; ; i++) {
        synchronized (this) {
          in++;
          if (i == rounds) {
            break outer;
          }
          if (i % 3 == 0) {
            continue;
          }
          done++;
        }
        try {
          fail(i);
        } catch (IllegalStateException e) {
          synchronized (this) {
            thrown++;
          }
        }
      }
      return done;
    }
  }

  private static void jumps() throws InterruptedException {
    Jumps jumps = new Jumps();
    AtomicLong done = new AtomicLong();
    inAll(number -> done.addAndGet(jumps.loop(300)));
    print("jumps", done + " " + jumps.in + " " + jumps.thrown);
  }

  // Lambdas and inner classes lock the outer object.

  static final class Outer {
    private int count;

    private final class Inner {
      void add() {
        synchronized (Outer.this) {
          count++;
        }
      }
    }

    void addAll() {
      Inner inner = new Inner();
      Runnable lambda =
          () -> {
            synchronized (this) {
              count++;
            }
          };
      Runnable anonymous =
          new Runnable() {
            private int runs;

            @Override
            public synchronized void run() {
              runs++;
              synchronized (Outer.this) {
                count += runs;
              }
            }
          };
      inner.add();
      lambda.run();
      anonymous.run();
    }

    synchronized int count() {
      return count;
    }
  }

  private static void innerClasses() throws InterruptedException {
    Outer outer = new Outer();
    inAll(
        number -> {
          for (int i = 0; i < ROUNDS / 10; i++) {
            outer.addAll();
          }
        });
    print("inner classes", outer.count());
  }

  // An enum's constants.

  enum Colour {
    RED,
    GREEN {
      @Override
      synchronized void paint() {
        super.paint();
        painted++;
      }
    };

    int painted;

    synchronized void paint() {
      painted++;
    }
  }

  private static void constants() throws InterruptedException {
    inAll(
        number -> {
          for (int i = 0; i < ROUNDS; i++) {
            Colour.values()[i % 2].paint();
          }
        });
    print("constants", Colour.RED.painted + " " + Colour.GREEN.painted);
  }

  // A clone has a monitor of its own.

  static final class Copied implements Cloneable {
    private int count;

    synchronized void add() {
      count++;
    }

    @Override
    public synchronized Copied clone() throws CloneNotSupportedException {
      return (Copied) super.clone();
    }

    boolean isFree(Copied other) throws InterruptedException {
      boolean[] free = {false};
      synchronized (this) {
        Thread thread =
            new Thread(
                () -> {
                  synchronized (other) {
                    free[0] = true;
                  }
                });
        thread.start();
        thread.join(10_000);
      }
      return free[0];
    }
  }

  private static void clones() throws Exception {
    Copied first = new Copied();
    inAll(
        number -> {
          try {
            for (int i = 0; i < ROUNDS / 100; i++) {
              first.add();
              first.clone().add();
            }
          } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
          }
        });
    print("clones", first.count + " " + first.isFree(first.clone()));
  }

  // What is read again can be locked.

  static final class Stored implements Serializable {
    private int count;

    synchronized int add() {
      return ++count;
    }
  }

  private static void serialized() throws Exception {
    Stored stored = new Stored();
    stored.add();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(stored);
    }
    Stored read;
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      read = (Stored) in.readObject();
    }
    inAll(
        number -> {
          for (int i = 0; i < ROUNDS; i++) {
            read.add();
          }
        });
    print(
        "serialized",
        read.add() + " " + java.io.ObjectStreamClass.lookup(Stored.class).getSerialVersionUID());
  }
}
