package io.github.vtdiag.agent.programs;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/** Calls methods a known number of times, by name: {@code Counted WAY}. */
public final class Counted {
  static final int THREADS = 50;
  static final int CALLS = 2_000;

  private static final Object LOCK = new Object();
  private static final AtomicLong THROWN = new AtomicLong();

  private Counted() {}

  /** Each of these is called once in a round. */
  public static class Work implements Comparable<Work> {
    private final long value;

    public Work(long value) {
      this.value = value;
    }

    Work() {
      this(7);
    }

    static double overloaded(double value) {
      return value > 3 ? value : -value;
    }

    synchronized long overloaded(long other) {
      if (other == value) {
        return 0;
      }
      synchronized (LOCK) {
        return other + value;
      }
    }

    void throwing(boolean really) {
      try {
        if (really) {
          throw new IllegalStateException("as asked");
        }
      } finally {
        THROWN.getAndAdd(0);
      }
    }

    /** Javac adds a bridge that calls it. */
    @Override
    public int compareTo(Work other) {
      return Long.compare(value, other.value);
    }

    int recursive(int depth) {
      return depth == 0 ? 0 : 1 + recursive(depth - 1);
    }
  }

  /** Has its code elsewhere, or nowhere. */
  public abstract static class Elsewhere {
    abstract int inherited();

    native int outside();

    int mixed() {
      return 1;
    }

    abstract int mixed(int other);
  }

  static final class Here extends Elsewhere {
    @Override
    int inherited() {
      return 1;
    }

    @Override
    int mixed(int other) {
      return other;
    }
  }

  /** Comes back early, or keeps its carrier: on Java 21 in its block, on all in the initializer. */
  private static final class Pinning {
    static String run(int way) {
      if (way == 0) {
        return "early";
      }
      if (way == 1) {
        synchronized (LOCK) {
          Pins.pause();
          return "late";
        }
      }
      return Initialized.TEXT;
    }
  }

  private static final class Initialized {
    static final String TEXT;

    static {
      Pins.pause();
      TEXT = "initialized";
    }
  }

  private static void round() {
    Work work = new Work();
    Comparable<Work> throughTheBridge = work;
    if (Work.overloaded(1.5) != -1.5
        || work.overloaded(7) != 0
        || throughTheBridge.compareTo(work) != 0
        || work.recursive(2) != 2) {
      throw new IllegalStateException("counting changed what a method does");
    }
    work.throwing(false);
    try {
      work.throwing(true);
    } catch (IllegalStateException e) {
      THROWN.getAndIncrement();
    }
  }

  private static void onThreads(Thread.Builder builder) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          builder.start(
              () -> {
                for (int call = 0; call < CALLS; call++) {
                  round();
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** A loader that has the program's classes a second time. */
  private static final class Isolated extends URLClassLoader {
    private final String hidden;

    Isolated(String hidden) {
      super(
          new URL[] {Counted.class.getProtectionDomain().getCodeSource().getLocation()},
          ClassLoader.getPlatformClassLoader());
      this.hidden = hidden;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith(hidden)) {
        throw new ClassNotFoundException(name);
      }
      return super.loadClass(name, resolve);
    }
  }

  private static void inLoader(String hidden) throws Exception {
    try (Isolated loader = new Isolated(hidden)) {
      Class<?> work = loader.loadClass(Work.class.getName());
      if (work == Work.class) {
        throw new IllegalStateException("the same class");
      }
      work.getConstructor(long.class).newInstance(1);
    }
  }

  public static void main(String[] args) throws Exception {
    // The agent holds it until the recording runs; a program without any may end before.
    Thread.startVirtualThread(() -> {}).join();
    switch (args[0]) {
      case "once" -> round();
      case "threads" -> {
        onThreads(Thread.ofVirtual());
        onThreads(Thread.ofPlatform());
      }
      case "elsewhere" -> System.out.println(new Here().inherited() + new Here().mixed());
      case "loaders" -> {
        new Work();
        inLoader("no.such.package.");
      }
      case "hidden" -> inLoader("io.github.vtdiag.boot.");
      case "pin" -> {
        for (int way = 0; way < 3; way++) {
          int chosen = way;
          Callable<String> call = () -> Pinning.run(chosen);
          Thread.startVirtualThread(() -> print(call)).join();
        }
      }
      case "wait" -> {
        round();
        print(() -> "waiting");
        await();
        round();
        print(() -> "again");
        await();
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
    System.out.println("done");
  }

  private static void print(Callable<String> text) {
    try {
      System.out.println(text.call());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await() throws IOException {
    if (System.in.read() < 0) {
      throw new IOException("nobody is there");
    }
  }
}
