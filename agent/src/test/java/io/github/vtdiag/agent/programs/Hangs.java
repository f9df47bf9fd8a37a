package io.github.vtdiag.agent.programs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import jdk.jfr.FlightRecorder;
import jdk.jfr.RecordingState;

/**
 * Programs that hang for ever, and programs that only look like it. Of the latter those without
 * monitors and class initializers, which share nothing, can run at the same time.
 */
@SuppressWarnings({
  "ClassInitializationDeadlock",
  "LockNotBeforeTry",
  "LockOnNonEnclosingClassLiteral"
}) // what hangs is what this is about
public final class Hangs {
  /** Longer than the agent needs to find a hang. */
  private static final long LONG_ENOUGH_NANOS = TimeUnit.SECONDS.toNanos(6);

  private static final ReentrantLock FIRST = new ReentrantLock();
  private static final ReentrantLock SECOND = new ReentrantLock();
  private static final ReentrantLock THIRD = new ReentrantLock();

  private Hangs() {}

  public static void main(String[] args) throws Exception {
    awaitRecording();
    List<List<Thread>> threads = new ArrayList<>();
    for (String way : args) {
      threads.add(start(way));
    }
    for (int i = 0; i < args.length; i++) {
      for (Thread thread : threads.get(i)) {
        thread.join();
      }
      if (args.length > 1) {
        System.out.println(args[i] + " done");
      }
    }
    System.out.println("done");
  }

  /** On a busy machine the agent lets the program begin before it records and looks. */
  static void awaitRecording() throws InterruptedException {
    while (!FlightRecorder.isInitialized()
        || FlightRecorder.getFlightRecorder().getRecordings().stream()
            .noneMatch(recording -> recording.getState() == RecordingState.RUNNING)) {
      Thread.sleep(10);
    }
  }

  private static List<Thread> start(String way) throws Exception {
    return switch (way) {
      case "two-orders" -> twoOrders(new ReentrantLock(), new ReentrantLock());
      case "try-lock" -> tryLock(new ReentrantLock(), new ReentrantLock());
      case "queue" -> queue(new ReentrantLock());
      case "sleeping-owner" -> sleepingOwner(new ReentrantLock());
      case "conditions" -> conditions(new ReentrantLock());
      case "hand-over-hand" -> handOverHand();
      case "initializer" -> initializer();
      case "own-monitors" -> ownMonitors();
      case "same-field" -> sameField();
      case "reflective-initializer" -> reflectiveInitializer();
      case "same-parameter" -> sameParameter();
      case "locks" -> locks();
      case "three" -> three();
      case "monitors" -> monitors();
      case "static-monitors" -> staticMonitors();
      case "mixed" -> mixed();
      case "platform" -> platform();
      case "classes" -> classes();
      case "superclass" -> superclass();
      case "class-for-name" -> reflective("ByName");
      case "new-instance" -> reflective("ByInstance");
      case "loaders" -> loaders();
      case "pinning" -> pinning();
      case "pinning-sleeper" -> pinningSleeper();
      case "ended-owner" -> endedOwner();
      case "ended-reader" -> endedReader();
      case "upgrade" -> upgrade();
      case "interrupted" -> interrupted();
      case "interrupted-later" -> interruptedLater();
      default -> throw new IllegalArgumentException(way);
    };
  }

  private static Thread virtual(Task task) {
    return Thread.startVirtualThread(guarded(task));
  }

  private interface Task {
    void run() throws Exception;
  }

  private static Runnable guarded(Task task) {
    return () -> {
      try {
        task.run();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    };
  }

  private static void nap(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private static void forLong(Task task) throws Exception {
    long end = System.nanoTime() + LONG_ENOUGH_NANOS;
    while (System.nanoTime() - end < 0) {
      task.run();
    }
  }

  // What does not hang.

  /** Two locks in two orders, but never at a time. */
  private static List<Thread> twoOrders(ReentrantLock first, ReentrantLock second) {
    ReentrantLock gate = new ReentrantLock(true);
    return List.of(
        virtual(() -> forLong(() -> in(gate, () -> in(first, () -> in(second, () -> nap(5)))))),
        virtual(() -> forLong(() -> in(gate, () -> in(second, () -> in(first, () -> nap(5)))))));
  }

  private static void in(ReentrantLock lock, Task task) throws Exception {
    lock.lock();
    try {
      task.run();
    } finally {
      lock.unlock();
    }
  }

  /** They wait for each other, and give up. */
  private static List<Thread> tryLock(ReentrantLock first, ReentrantLock second) {
    CountDownLatch both = new CountDownLatch(2);
    return List.of(
        virtual(() -> in(first, () -> trying(both, second))),
        virtual(() -> in(second, () -> trying(both, first))));
  }

  private static void trying(CountDownLatch both, ReentrantLock lock) throws Exception {
    both.countDown();
    both.await();
    if (lock.tryLock(LONG_ENOUGH_NANOS, TimeUnit.NANOSECONDS)) {
      lock.unlock();
    }
  }

  /** A long but healthy queue at one lock. */
  private static List<Thread> queue(ReentrantLock lock) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      threads.add(virtual(() -> in(lock, () -> nap(20))));
    }
    return threads;
  }

  private static List<Thread> sleepingOwner(ReentrantLock lock) {
    List<Thread> threads = new ArrayList<>();
    threads.add(
        virtual(
            () -> in(lock, () -> Thread.sleep(TimeUnit.NANOSECONDS.toMillis(LONG_ENOUGH_NANOS)))));
    for (int i = 0; i < 50; i++) {
      threads.add(virtual(() -> in(lock, () -> {})));
    }
    return threads;
  }

  private static List<Thread> conditions(ReentrantLock lock) {
    Condition signal = lock.newCondition();
    boolean[] done = {false};
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      threads.add(
          virtual(
              () ->
                  in(
                      lock,
                      () -> {
                        while (!done[0]) {
                          signal.await();
                        }
                      })));
    }
    threads.add(
        virtual(
            () -> {
              Thread.sleep(TimeUnit.NANOSECONDS.toMillis(LONG_ENOUGH_NANOS));
              in(
                  lock,
                  () -> {
                    done[0] = true;
                    signal.signalAll();
                  });
            }));
    return threads;
  }

  /** Round a ring, each with one lock in its hand while it waits for the next. */
  private static List<Thread> handOverHand() {
    List<ReentrantLock> ring = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ring.add(new ReentrantLock());
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int start = i;
      threads.add(virtual(() -> walk(ring, start)));
    }
    return threads;
  }

  private static void walk(List<ReentrantLock> ring, int start) {
    long end = System.nanoTime() + LONG_ENOUGH_NANOS;
    int at = start;
    ring.get(at).lock();
    while (System.nanoTime() - end < 0) {
      int next = (at + 1) % ring.size();
      ring.get(next).lock();
      ring.get(at).unlock();
      at = next;
      if (at == start) {
        nap(1);
      }
    }
    ring.get(at).unlock();
  }

  static final class Slow {
    static final long SINCE;

    static {
      nap(TimeUnit.NANOSECONDS.toMillis(LONG_ENOUGH_NANOS));
      SINCE = System.nanoTime();
    }

    private Slow() {}
  }

  /** One initializer that takes long, and one thread that waits for it. */
  private static List<Thread> initializer() {
    return List.of(
        virtual(() -> System.getProperty("x" + Slow.SINCE)),
        virtual(() -> System.getProperty("y" + Slow.SINCE)));
  }

  /** Each waits in a monitor of its own class while a third has one of that class too. */
  private static List<Thread> ownMonitors() throws InterruptedException {
    Account one = new Account();
    Account two = new Account();
    Account three = new Account();
    CountDownLatch held = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    threads.add(
        Thread.ofPlatform()
            .start(
                () ->
                    three.with(
                        () -> {
                          held.countDown();
                          nap(TimeUnit.NANOSECONDS.toMillis(LONG_ENOUGH_NANOS));
                        })));
    held.await();
    threads.add(virtual(() -> one.with(() -> three.with(() -> {}))));
    threads.add(virtual(() -> two.with(() -> three.with(() -> {}))));
    return threads;
  }

  /** Keeps its lock in a field. */
  static final class Guarded {
    final Object lock = new Object();

    void with(Runnable task) {
      synchronized (lock) {
        task.run();
      }
    }
  }

  /** One waits for a lock that a platform thread has, and looks as if it waited for the other's. */
  private static List<Thread> sameField() throws InterruptedException {
    Guarded one = new Guarded();
    Guarded two = new Guarded();
    CountDownLatch held = new CountDownLatch(2);
    Runnable keep = guarded(() -> keep(held));
    Thread platform = Thread.ofPlatform().start(() -> one.with(keep));
    return convoy(held, one, two, platform);
  }

  /** The same, and a virtual thread that has it as a parameter. */
  private static List<Thread> sameParameter() throws InterruptedException {
    Guarded one = new Guarded();
    Guarded two = new Guarded();
    CountDownLatch held = new CountDownLatch(2);
    // On Java 21 each of them keeps its carrier.
    System.setProperty("jdk.virtualThreadScheduler.parallelism", "3");
    System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", "3");
    return convoy(held, one, two, virtual(() -> keeping(one.lock, held)));
  }

  private static void keeping(Object lock, CountDownLatch held) throws InterruptedException {
    synchronized (lock) {
      keep(held);
    }
  }

  private static void keep(CountDownLatch held) throws InterruptedException {
    held.countDown();
    Thread.sleep(TimeUnit.NANOSECONDS.toMillis(LONG_ENOUGH_NANOS));
  }

  private static List<Thread> convoy(CountDownLatch held, Guarded one, Guarded two, Thread keeper) {
    return List.of(
        keeper,
        virtual(
            () ->
                in(
                    FIRST,
                    () -> {
                      held.countDown();
                      held.await();
                      one.with(() -> {});
                    })),
        virtual(
            () -> {
              held.await();
              two.with(guarded(() -> in(FIRST, () -> {})));
            }));
  }

  private static Object byName(String simpleName) throws ReflectiveOperationException {
    return Class.forName(Hangs.class.getName() + "$" + simpleName);
  }

  private static Object byInstance(String simpleName) throws ReflectiveOperationException {
    Class<?> type =
        Class.forName(
            Hangs.class.getName() + "$" + simpleName, false, Hangs.class.getClassLoader());
    return type.getDeclaredConstructor().newInstance();
  }

  private static final CountDownLatch SLOWLY = new CountDownLatch(3);

  static final class NeedsSlow {
    static final long SINCE;

    static {
      guarded(() -> meet(SLOWLY, () -> byName("MeetsSlowly"))).run();
      SINCE = System.nanoTime();
    }

    private NeedsSlow() {}
  }

  static final class NeedsNeedy {
    static final long SINCE;

    static {
      guarded(() -> meet(SLOWLY, () -> {})).run();
      SINCE = NeedsSlow.SINCE;
    }

    private NeedsNeedy() {}
  }

  static final class MeetsSlowly {
    static final long SINCE;

    static {
      guarded(() -> meet(SLOWLY, () -> {})).run();
      nap(TimeUnit.NANOSECONDS.toMillis(LONG_ENOUGH_NANOS));
      SINCE = System.nanoTime();
    }

    private MeetsSlowly() {}
  }

  /** One waits by reflection for an initializer that takes long, and another for that one's. */
  private static List<Thread> reflectiveInitializer() {
    System.setProperty("jdk.virtualThreadScheduler.parallelism", "3");
    System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", "3");
    return List.of(
        virtual(() -> byName("NeedsSlow")),
        virtual(() -> byName("NeedsNeedy")),
        virtual(() -> byName("MeetsSlowly")));
  }

  // What hangs.

  private static List<Thread> endedOwner() throws InterruptedException {
    Thread.ofVirtual().name("leaver").start(FIRST::lock).join();
    return List.of(Thread.startVirtualThread(FIRST::lock), Thread.startVirtualThread(FIRST::lock));
  }

  private static List<Thread> endedReader() throws InterruptedException {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    Thread.ofVirtual().name("leaver").start(lock.readLock()::lock).join();
    return List.of(Thread.startVirtualThread(lock.writeLock()::lock));
  }

  /** A reader asks for the write lock that it keeps from everybody. */
  private static List<Thread> upgrade() {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    return List.of(
        virtual(
            () -> {
              lock.readLock().lock();
              lock.writeLock().lock();
            }));
  }

  private static List<Thread> locks() {
    CountDownLatch both = new CountDownLatch(2);
    return List.of(
        virtual(() -> in(FIRST, () -> meet(both, () -> in(SECOND, () -> {})))),
        virtual(() -> in(SECOND, () -> meet(both, () -> in(FIRST, () -> {})))));
  }

  private static void meet(CountDownLatch all, Task task) throws Exception {
    all.countDown();
    all.await();
    task.run();
  }

  private static List<Thread> three() {
    CountDownLatch all = new CountDownLatch(3);
    return List.of(
        virtual(() -> in(FIRST, () -> meet(all, () -> in(SECOND, () -> {})))),
        virtual(() -> in(SECOND, () -> meet(all, () -> in(THIRD, () -> {})))),
        virtual(() -> in(THIRD, () -> meet(all, () -> in(FIRST, () -> {})))));
  }

  /** An object that locks itself. */
  static class Account {
    synchronized void with(Runnable task) {
      task.run();
    }
  }

  /** Another one. */
  static class Ledger {
    synchronized void with(Runnable task) {
      task.run();
    }
  }

  private static List<Thread> monitors() {
    CountDownLatch both = new CountDownLatch(2);
    Account account = new Account();
    Ledger ledger = new Ledger();
    Runnable meet = guarded(() -> meet(both, () -> {}));
    return List.of(
        virtual(
            () ->
                account.with(
                    () -> {
                      meet.run();
                      ledger.with(() -> {});
                    })),
        virtual(
            () ->
                ledger.with(
                    () -> {
                      meet.run();
                      account.with(() -> {});
                    })));
  }

  private static final Object STATIC = new Object();

  private static List<Thread> staticMonitors() {
    CountDownLatch both = new CountDownLatch(2);
    Runnable meet = guarded(() -> meet(both, () -> {}));
    return List.of(
        virtual(
            () -> {
              synchronized (STATIC) {
                meet.run();
                synchronized (Account.class) {
                  nap(1);
                }
              }
            }),
        virtual(
            () -> {
              synchronized (Account.class) {
                meet.run();
                synchronized (STATIC) {
                  nap(1);
                }
              }
            }));
  }

  private static List<Thread> mixed() {
    CountDownLatch both = new CountDownLatch(2);
    Account account = new Account();
    Runnable meet = guarded(() -> meet(both, () -> {}));
    return List.of(
        virtual(
            () ->
                account.with(
                    () -> {
                      meet.run();
                      FIRST.lock();
                    })),
        virtual(
            () ->
                in(
                    FIRST,
                    () -> {
                      meet.run();
                      account.with(() -> {});
                    })));
  }

  /** A virtual thread and a platform thread. */
  private static List<Thread> platform() {
    CountDownLatch both = new CountDownLatch(2);
    return List.of(
        Thread.ofPlatform()
            .start(guarded(() -> in(FIRST, () -> meet(both, () -> in(SECOND, () -> {}))))),
        virtual(() -> in(SECOND, () -> meet(both, () -> in(FIRST, () -> {})))));
  }

  private static final CountDownLatch INITIALIZERS = new CountDownLatch(2);

  static final class Chicken {
    static final long EGG;

    static {
      guarded(() -> meet(INITIALIZERS, () -> {})).run();
      EGG = Egg.CHICKEN + 1;
    }

    private Chicken() {}
  }

  static final class Egg {
    static final long CHICKEN;

    static {
      guarded(() -> meet(INITIALIZERS, () -> {})).run();
      CHICKEN = Chicken.EGG + 1;
    }

    private Egg() {}
  }

  private static List<Thread> classes() {
    return List.of(
        virtual(() -> System.getProperty("x" + Chicken.EGG)),
        virtual(() -> System.getProperty("x" + Egg.CHICKEN)));
  }

  private static final CountDownLatch REFLECTIVE = new CountDownLatch(2);

  static final class ByNameOne {
    static {
      guarded(() -> meet(REFLECTIVE, () -> byName("ByNameTwo"))).run();
    }

    private ByNameOne() {}
  }

  static final class ByNameTwo {
    static {
      guarded(() -> meet(REFLECTIVE, () -> byName("ByNameOne"))).run();
    }

    private ByNameTwo() {}
  }

  static final class ByInstanceOne {
    static {
      guarded(() -> meet(REFLECTIVE, () -> byInstance("ByInstanceTwo"))).run();
    }

    private ByInstanceOne() {}
  }

  static final class ByInstanceTwo {
    static {
      guarded(() -> meet(REFLECTIVE, () -> byInstance("ByInstanceOne"))).run();
    }

    private ByInstanceTwo() {}
  }

  /** Two initializers that need each other, where no instruction names the class. */
  private static List<Thread> reflective(String which) {
    return List.of(virtual(() -> byName(which + "One")), virtual(() -> byName(which + "Two")));
  }

  private static final CountDownLatch PARENT_STARTED = new CountDownLatch(1);

  static class Parent {
    static final Object CHILD;

    static {
      PARENT_STARTED.countDown();
      nap(500);
      CHILD = new Child();
    }
  }

  static class Child extends Parent {}

  /** The child's initialization waits for the parent's, which waits for the child's. */
  private static List<Thread> superclass() {
    return List.of(
        virtual(() -> System.getProperty("x" + Parent.CHILD)),
        virtual(
            () -> {
              PARENT_STARTED.await();
              System.getProperty("x" + new Child());
            }));
  }

  /** A loader from the time before loaders could be parallel: it locks itself. */
  static final class Loader extends ClassLoader {
    private final CountDownLatch both;
    private Loader other;

    Loader(String name, CountDownLatch both) {
      super(name, Hangs.class.getClassLoader());
      this.both = both;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("elsewhere.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        guarded(() -> meet(both, () -> {})).run();
        return other.loadClass("elsewhere.too." + name, resolve);
      }
    }
  }

  private static List<Thread> loaders() {
    CountDownLatch both = new CountDownLatch(2);
    Loader left = new Loader("left", both);
    Loader right = new Loader("right", both);
    left.other = right;
    right.other = left;
    return List.of(
        virtual(() -> left.loadClass("elsewhere.Left")),
        virtual(() -> right.loadClass("elsewhere.Right")));
  }

  /**
   * With two carriers: both are kept by threads that wait for a lock which has been handed to a
   * thread that has none. On Java 21 monitors keep them, on both class initializers do.
   */
  private static List<Thread> pinning() throws Exception {
    List<Thread> threads = new ArrayList<>();
    CountDownLatch waiting = new CountDownLatch(1);
    FIRST.lock();
    threads.add(
        virtual(
            () -> {
              waiting.countDown();
              in(FIRST, () -> {});
            }));
    waiting.await();
    while (!FIRST.hasQueuedThreads()) {
      Thread.onSpinWait();
    }
    for (String pinned : List.of("One", "Two")) {
      threads.add(virtual(() -> Class.forName(Hangs.class.getName() + "$Pinned" + pinned)));
    }
    while (FIRST.getQueueLength() < 3) {
      Thread.onSpinWait();
    }
    FIRST.unlock();
    return threads;
  }

  /**
   * The same, but the one that has the lock sleeps: from Java 25 on a carrier would have to take
   * note that its time is over.
   */
  private static List<Thread> pinningSleeper() throws Exception {
    List<Thread> threads = new ArrayList<>();
    CountDownLatch waiting = new CountDownLatch(1);
    threads.add(
        virtual(
            () ->
                in(
                    FIRST,
                    () -> {
                      waiting.countDown();
                      nap(2_000);
                    })));
    waiting.await();
    for (String pinned : List.of("One", "Two")) {
      threads.add(virtual(() -> Class.forName(Hangs.class.getName() + "$Pinned" + pinned)));
    }
    return threads;
  }

  /** Two locks in two orders, until somebody says that one of them should give up. */
  private static List<Thread> interrupted() throws IOException {
    List<Thread> threads = thatGiveUp();
    System.in.read();
    threads.getFirst().interrupt();
    System.in.read();
    return threads;
  }

  private static List<Thread> interruptedLater() throws InterruptedException {
    List<Thread> threads = thatGiveUp();
    TimeUnit.NANOSECONDS.sleep(LONG_ENOUGH_NANOS);
    threads.getFirst().interrupt();
    return threads;
  }

  /** Two that wait for each other until one of them is interrupted. */
  private static List<Thread> thatGiveUp() {
    CountDownLatch both = new CountDownLatch(2);
    return List.of(
        virtual(() -> in(FIRST, () -> meet(both, () -> givingUp(SECOND)))),
        virtual(() -> in(SECOND, () -> meet(both, () -> givingUp(FIRST)))));
  }

  private static void givingUp(ReentrantLock lock) {
    try {
      lock.lockInterruptibly();
      lock.unlock();
    } catch (InterruptedException e) {
      // The other one goes on.
    }
  }

  static final class PinnedOne {
    static {
      FIRST.lock();
      FIRST.unlock();
    }

    private PinnedOne() {}
  }

  static final class PinnedTwo {
    static {
      FIRST.lock();
      FIRST.unlock();
    }

    private PinnedTwo() {}
  }
}
