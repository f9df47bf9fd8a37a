package io.github.vtdiag.recording;

import io.github.vtdiag.hang.DiagnosisKind;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.consumer.EventStream;

/** Pins virtual threads in every way that a recording tells of; run in a JVM of its own. */
public final class PinningProgram {
  static final int ROUNDS = 3;
  private static final Object LOCK = new Object();

  /** As vtdiag's agent emits it. */
  @Name("vtdiag.Agent")
  @StackTrace(false)
  static class AgentEvent extends Event {
    String version;
    String options;
    int stackDepth;
    int processors;
    int parallelism;
    int maxPoolSize;
  }

  /** As vtdiag's agent emits it. */
  @Name("vtdiag.LockMap")
  @StackTrace(false)
  static class LockMapEvent extends Event {
    String className;
    String classLoader;
    String location;
    int part;
    int parts;
    String map;
  }

  /** As vtdiag's agent emits it. */
  @Name("vtdiag.Waiting")
  @StackTrace(false)
  static class WaitingEvent extends Event {
    long threads;
  }

  /** As vtdiag's agent emits it. */
  @Name("vtdiag.MonitorSample")
  @StackTrace(false)
  static class MonitorSampleEvent extends Event {
    String frames;
  }

  /** As vtdiag's agent emits it. */
  @Name("vtdiag.Hang")
  @StackTrace(false)
  static class HangEvent extends Event {
    long hang;
    String kind;
    boolean deadlock;
    boolean ended;
    String text;
    String places;
  }

  /** Known to the JVM only from the second chunk on. */
  @Name("test.Late")
  static class LateEvent extends Event {
    String text = "late";
    Class<?> type = LateEvent.class;
    double number = 1.5;
  }

  @Name("test.Now")
  @StackTrace(false)
  static class NowEvent extends Event {}

  static class SleepyInitializer {
    static final int VALUE;

    static {
      sleep();
      VALUE = 1;
    }
  }

  static class NativelyInitialized {
    static {
      sleep();
    }
  }

  private PinningProgram() {}

  public static void main(String[] args) throws Exception {
    System.gc();
    pinAll();
    switch (args.length == 0 ? "" : args[0]) {
      case "chunks" -> {
        rotate();
        new LateEvent().commit();
        pinAll();
        rotate();
        pinAll();
      }
      case "repository" -> {
        rotate();
        pinAll();
        FlightRecorder.getFlightRecorder().getRecordings().getFirst().dump(Path.of(args[1]));
        pinAll();
        awaitFlush();
        System.out.println("flushed");
        Thread.sleep(600_000);
      }
      case "agent" -> emitAgentEvents();
      case "hangs" -> {
        int number = 0;
        for (DiagnosisKind kind : DiagnosisKind.values()) {
          emitHang(++number, kind.wireName());
        }
        emitHang(++number, "Forgotten");
        emitHang(++number, "Livelock");
      }
      case "wait" -> {
        awaitFlush();
        System.out.println("flushed");
        Thread.sleep(600_000);
      }
      default -> {}
    }
  }

  private static void pinAll() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      run("synchronized-" + i, PinningProgram::sleepLocked);
      run("", PinningProgram::sleepLocked);
      run("\u7ebf\u7a0b", PinningProgram::sleepLocked);
      parkLocked();
      run("deep", () -> deep(80, PinningProgram::sleepLocked));
      run("wait", PinningProgram::waitLocked);
      contend(Thread.ofVirtual());
      // JDK 24+ has no such events of virtual threads.
      contend(Thread.ofPlatform());
      Thread.ofPlatform().name("platform").start(PinningProgram::waitLocked).join();
    }
    run("initializer", () -> deep(80, () -> System.out.println(SleepyInitializer.VALUE)));
    run(
        "native",
        () -> {
          try {
            Class.forName(PinningProgram.class.getName() + "$NativelyInitialized");
          } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static void run(String name, Runnable task) throws InterruptedException {
    Thread.ofVirtual().name(name).start(task).join();
  }

  private static void sleep() {
    try {
      Thread.sleep(30);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void sleepLocked() {
    synchronized (LOCK) {
      sleep();
    }
  }

  private static void deep(int depth, Runnable task) {
    if (depth == 0) {
      task.run();
    } else {
      deep(depth - 1, task);
    }
  }

  @SuppressWarnings("WaitNotInLoop") // nobody notifies
  private static void waitLocked() {
    synchronized (LOCK) {
      try {
        LOCK.wait(30);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Parks on a lock that a platform thread keeps. */
  @SuppressWarnings("LockNotBeforeTry")
  private static void parkLocked() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    Object monitor = new Object();
    Thread waiter =
        Thread.ofVirtual()
            .name("na\u00efve")
            .start(
                () -> {
                  synchronized (monitor) {
                    lock.lock();
                    lock.unlock();
                  }
                });
    while (waiter.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    sleep();
    lock.unlock();
    waiter.join();
  }

  private static void contend(Thread.Builder builder) throws InterruptedException {
    Thread contender = builder.name("contender").unstarted(PinningProgram::sleepLocked);
    synchronized (LOCK) {
      contender.start();
      while (contender.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
      sleep();
    }
    contender.join();
  }

  /** A new recording makes JFR begin a new chunk. */
  private static void rotate() {
    try (Recording recording = new Recording()) {
      recording.start();
      recording.stop();
    }
  }

  private static void emitHang(int number, String kind) {
    HangEvent event = new HangEvent();
    event.hang = number;
    event.kind = kind;
    event.text = "what is said of " + kind;
    event.places = "";
    event.commit();
  }

  private static void emitAgentEvents() throws InterruptedException {
    AgentEvent agent = new AgentEvent();
    agent.version = "1.2.3";
    agent.options = "threshold=1ms";
    agent.stackDepth = 512;
    agent.processors = 7;
    agent.parallelism = 5;
    agent.maxPoolSize = 256;
    agent.commit();
    for (int threads : new int[] {498, 499}) {
      WaitingEvent waiting = new WaitingEvent();
      waiting.threads = threads;
      waiting.commit();
    }
    String map = RecordingReaderTest.lockMap();
    int middle = map.length() / 2;
    // Out of order, and twice, as two threads may write them.
    lockMap("com.example.Split", map.substring(middle), 1, 2);
    lockMap("com.example.Split", map.substring(0, middle), 0, 2);
    lockMap("com.example.Split", map.substring(middle), 1, 2);
    lockMap("com.example.Empty", "", 0, 1);
    lockMap("com.example.Half", map, 0, 2);
    run(
        "sampled",
        () -> {
          MonitorSampleEvent sample = new MonitorSampleEvent();
          sample.frames = RecordingReaderTest.SAMPLE;
          sample.commit();
          MonitorSampleEvent damaged = new MonitorSampleEvent();
          damaged.frames = "no sample";
          damaged.commit();
        });
  }

  private static void lockMap(String className, String map, int part, int parts) {
    LockMapEvent event = new LockMapEvent();
    event.className = className;
    event.classLoader = "app";
    event.location = "file:/app.jar";
    event.part = part;
    event.parts = parts;
    event.map = map;
    event.commit();
  }

  /**
   * Returns when the pins so far have been flushed to the chunk on disk. A stream first delivers
   * what was flushed before, and a flush may pass a carrier's buffer before the last pin is in it:
   * so it is the second flush from the one on that has an event of now.
   */
  private static void awaitFlush() throws Exception {
    CountDownLatch flushed = new CountDownLatch(2);
    AtomicBoolean seen = new AtomicBoolean();
    try (EventStream stream = EventStream.openRepository()) {
      stream.onEvent("test.Now", event -> seen.set(true));
      stream.onFlush(
          () -> {
            if (seen.get()) {
              flushed.countDown();
            }
          });
      stream.startAsync();
      while (!flushed.await(1, TimeUnit.SECONDS)) {
        // The stream may have begun after an earlier one.
        if (!seen.get()) {
          new NowEvent().commit();
        }
      }
    }
  }
}
