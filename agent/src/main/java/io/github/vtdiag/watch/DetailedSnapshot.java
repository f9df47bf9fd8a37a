package io.github.vtdiag.watch;

import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.KeptCarrier;
import io.github.vtdiag.pin.KeptCarrier.Kind;
import io.github.vtdiag.watch.CarrierSlot.Lasting;
import io.github.vtdiag.watch.CarrierSlot.Look;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Examines a thread that has not unmounted for a while: whether it waits, and for what. */
final class DetailedSnapshot {
  /** The time between two close looks at a thread that waits in Java. */
  static final long CLOSE = TimeUnit.MILLISECONDS.toNanos(100);

  private static final String FILE = "java.io.FileInputStream";

  /** The frame in which a thread reads the output of another process. */
  private static final StackTraceElement OF_PROCESS =
      new StackTraceElement("java.lang.Process$PipeInputStream", "read", null, -1);

  /**
   * The shortest wait in native code that counts as seen: it can look shorter than it is by the
   * time between two samples, or late.
   */
  private static final long NATIVE_SEEN = CarrierWatch.NATIVE.toNanos() - 2 * CarrierWatch.PERIOD;

  private final long threshold;
  private final Carried carried;
  private final Sightings sightings;
  private final Supplier<List<Thread>> others;
  private final CarrierStates states;
  private final Optional<Blocker.Owners> owners = owners();
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private long waits;

  /** True once everything that reporting a wait takes was done once. */
  private boolean prepared;

  /** The processor time of this thread when the first close look of a round began; 0 for none. */
  private long beganCpuNanos;

  /**
   * @param others the virtual threads that are mounted now
   */
  DetailedSnapshot(
      long threshold,
      Carried carried,
      Sightings sightings,
      Supplier<List<Thread>> others,
      CarrierStates states) {
    this.others = others;
    this.states = states;
    this.threshold = threshold;
    this.carried = carried;
    this.sightings = sightings;
  }

  private static Optional<Blocker.Owners> owners() {
    try {
      return Optional.of(new Blocker.Owners());
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /** Returns the processor time that close looks took since the last call. */
  long takeSpentNanos() {
    long spent = beganCpuNanos == 0 ? 0 : threads.getCurrentThreadCpuTime() - beganCpuNanos;
    beganCpuNanos = 0;
    return spent;
  }

  /** Examines whether a thread waits that has not unmounted since the sample before. */
  void examine(CarrierSlot slot, long now) throws ReflectiveOperationException {
    if (beganCpuNanos == 0 && threads.isCurrentThreadCpuTimeSupported()) {
      beganCpuNanos = threads.getCurrentThreadCpuTime();
    }
    // Not the state of the mounted thread, which is the same, but behind a lock.
    Thread.State state = slot.carrier.getState();
    long cpu = cpu(slot.carrier);
    long elapsed = now - slot.cpuAtNanos;
    boolean fresh = slot.cpuAtNanos == 0;
    boolean ran = cpu < 0 || (!fresh && 10 * (cpu - slot.cpuNanos) > elapsed);
    slot.cpuNanos = cpu;
    slot.cpuAtNanos = now;
    boolean runnable = state == Thread.State.RUNNABLE;
    if (runnable && ran) {
      runs(slot, now);
      return;
    }
    if (runnable && fresh) {
      // Only its processor time is noted, which costs little: whether it ran is seen next time.
      slot.examineNanos = slot.elsewhereNanos + NATIVE_SEEN;
      return;
    }
    Look look =
        switch (state) {
          case BLOCKED -> Look.BLOCKED;
          case WAITING, TIMED_WAITING -> Look.WAITING;
          case RUNNABLE, NEW, TERMINATED ->
              states.isInNative(slot.carrier) ? Look.IN_NATIVE : Look.IN_VM;
        };
    long number = waitNumber(slot, look);
    if (hasMoved(slot) || slot.carrier.getState() != state) {
      return;
    }
    if (runnable && isToBeAsked(slot, look, now) && wantsProcessor(slot)) {
      runs(slot, now);
      return;
    }
    if (slot.wait == null
        || slot.wait.look != look
        || slot.wait.waits != number
        || slot.wait.isLoopAwake(cpu)
        || (slot.wait.ofFile && states.runs(slot.carrier) != slot.wait.runs)) {
      end(slot, now);
      // It came and waits; if a thread did something else before, it is unknown when the wait
      // began.
      long began =
          slot.sinceMount
              ? slot.elsewhereNanos
              : now - Math.min(now - slot.elsewhereNanos, CLOSE) / 2;
      slot.wait = new Lasting(look, began, now, number, cpu);
      slot.wait.tellNanos = look == Look.IN_NATIVE ? NATIVE_SEEN : threshold;
    }
    Lasting wait = slot.wait;
    wait.seenNanos = now;
    slot.elsewhereNanos = now;
    slot.sinceMount = false;
    slot.examineNanos =
        now
            + switch (look) {
              case IN_NATIVE -> CarrierWatch.PERIOD / 2;
              case BLOCKED, WAITING -> CLOSE;
              case IN_VM -> isNear(slot, look, now) ? CLOSE : soon(slot);
            };
    slot.running = look == Look.IN_VM ? slot.running : 0;
    if (!prepared && !runnable && isNear(slot, look, now)) {
      prepared = true;
      prepare(slot, now);
    }
    if (wait.lengthNanos(now) >= wait.tellNanos && isIdle(wait, cpu, now)) {
      tell(slot, thread(slot), now);
    } else if (wait.tellNanos > wait.lengthNanos(now)) {
      // The difference is compared: the sum overflows for a wait that is never reported.
      slot.examineNanos =
          now + Math.min(slot.examineNanos - now, wait.tellNanos - wait.lengthNanos(now));
    }
  }

  /** Returns the waiting thread: the mounted one, or the carrier itself if there is none. */
  private Thread thread(CarrierSlot slot) throws ReflectiveOperationException {
    return slot.carries == null ? slot.carrier : carried.thread(slot.carries);
  }

  /**
   * Returns the number of a wait; 0 for a thread that waits outside of Java, whose waits have none.
   */
  private long waitNumber(CarrierSlot slot, Look look) {
    return switch (look) {
      case BLOCKED -> states.waitNumber(slot.carrier, Thread.State.BLOCKED);
      case WAITING -> states.waitNumber(slot.carrier, Thread.State.WAITING);
      case IN_NATIVE, IN_VM -> 0;
    };
  }

  private void runs(CarrierSlot slot, long now) {
    end(slot, now);
    slot.elsewhereNanos = now;
    slot.sinceMount = false;
    slot.examineNanos = now + soon(slot);
  }

  /** Returns the time of the next examination: not each sample, if it is always found running. */
  private static long soon(CarrierSlot slot) {
    return CarrierWatch.PERIOD << Math.min(slot.running++, 1);
  }

  /**
   * Returns whether it matters if the thread only lacks a processor. In Java code threads mostly
   * lack one if there are more carriers than processors. They are not asked long before the
   * threshold: asking for each of them costs more than all else.
   */
  private boolean isToBeAsked(CarrierSlot slot, Look look, long now) {
    return look == Look.IN_NATIVE || isNear(slot, look, now);
  }

  /** Returns whether it has lasted for a good part of the time after which it is reported. */
  private boolean isNear(CarrierSlot slot, Look look, long now) {
    boolean lasts = slot.wait != null && slot.wait.look == look;
    return 2 * (lasts ? slot.wait.lengthNanos(now) : now - slot.elsewhereNanos) >= threshold;
  }

  /**
   * Returns whether a thread that hardly ran would have run, given a processor. A thread that polls
   * in native code whether it may go on is found wanting a processor only now and then.
   */
  private boolean wantsProcessor(CarrierSlot slot) {
    Lasting wait = slot.wait;
    if (!states.mayWantProcessor(slot.carrier)) {
      if (wait != null) {
        wait.asleep++;
      }
      return false;
    }
    return wait == null || ++wait.awake > wait.asleep;
  }

  /**
   * Returns the processor time of a carrier; negative if this JVM does not measure it. Then waits
   * in native code are unknown.
   */
  private long cpu(Thread carrier) {
    return threads.isThreadCpuTimeSupported() ? threads.getThreadCpuTime(carrier.threadId()) : -1;
  }

  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  boolean hasMoved(CarrierSlot slot) throws ReflectiveOperationException {
    return carried.continuation(slot.carrier) != slot.carries
        || Mounts.count(slot.index) != slot.mounts;
  }

  /** Returns whether it used next to no processor time. */
  private static boolean isIdle(Lasting wait, long cpu, long now) {
    return switch (wait.look) {
      case BLOCKED, WAITING -> true;
      case IN_NATIVE -> 50 * (cpu - wait.cpuNanos) <= wait.lengthNanos(now);
      case IN_VM -> 500 * (cpu - wait.cpuNanos) <= wait.lengthNanos(now);
    };
  }

  /** Reports the current wait, and decides when to report it next. */
  private void tell(CarrierSlot slot, Thread thread, long now) throws ReflectiveOperationException {
    Lasting wait = slot.wait;
    if (wait.number == 0) {
      StackTraceElement[] elements = thread.getStackTrace();
      if (elements.length == 0
          || hasMoved(slot)
          || waitNumber(slot, wait.look) != wait.waits
          || (wait.look == Look.IN_NATIVE && !OutsideStacks.mayBeInNative(elements[0]))) {
        return; // it went on meanwhile; the next sample shows it
      }
      if (!slot.ofJdk && EventLoops.isIdle(List.of(elements))) {
        wait.idleLoop = true;
        wait.idleCpuNanos = slot.cpuNanos;
        wait.tellNanos = Long.MAX_VALUE;
        return;
      }
      describe(wait, thread, slot.carrier, elements);
      wait.number = ++waits;
    }
    sightings.add(sighting(wait, slot.carrier, wait.lengthNanos(now), false));
    wait.tellNanos =
        wait.tellNanos < threshold ? threshold : Math.max(threshold, 2 * wait.tellNanos);
  }

  /**
   * Practices reporting a wait, so that it is done in time later. The first time takes a few
   * hundred milliseconds, most of it to load classes.
   */
  private void prepare(CarrierSlot slot, long now) throws ReflectiveOperationException {
    Lasting likely = new Lasting(slot.wait.look, slot.wait.beganNanos, now, 0, 0);
    Thread thread = thread(slot);
    StackTraceElement[] elements = thread.getStackTrace();
    if (elements.length > 0 && !hasMoved(slot)) {
      describe(likely, thread, slot.carrier, elements);
      sightings.add(sighting(likely, slot.carrier, likely.lengthNanos(now), false));
    }
  }

  private void describe(Lasting wait, Thread thread, Thread carrier, StackTraceElement[] elements) {
    wait.thread = thread;
    wait.kind = kind(wait.look, elements);
    wait.ofFile = wait.kind == Kind.NATIVE && elements[0].getClassName().equals(FILE);
    wait.runs = wait.ofFile ? states.runs(carrier) : 0;
    wait.elements = wait.ofFile ? ofFile(carrier, List.of(elements)) : List.of(elements);
    wait.blocker = wait.kind == Kind.PARK ? Blocker.of(thread, owners) : Blocker.NOTHING;
  }

  /**
   * Returns the elements with a frame that shows that a file is the output of another process:
   * before JDK 22 there is none.
   */
  private List<StackTraceElement> ofFile(Thread carrier, List<StackTraceElement> elements) {
    List<StackTraceElement> told = new ArrayList<>(elements);
    if (elements.stream()
            .noneMatch(element -> element.getClassName().equals(OF_PROCESS.getClassName()))
        && states.readsPipe(carrier)) {
      int file = 0;
      while (file < told.size() && told.get(file).getClassName().equals(FILE)) {
        file++;
      }
      told.add(file, OF_PROCESS);
    }
    return List.copyOf(told);
  }

  private static Kind kind(Look look, StackTraceElement[] elements) {
    return switch (look) {
      case BLOCKED -> Kind.MONITOR_ENTRY;
      case WAITING ->
          elements[0].getClassName().equals("java.lang.Object") ? Kind.OBJECT_WAIT : Kind.PARK;
      case IN_NATIVE -> Kind.NATIVE;
      case IN_VM -> Kind.CLASS_INITIALIZATION;
    };
  }

  private Sightings.Sighting sighting(Lasting wait, Thread carrier, long nanos, boolean ended) {
    return new Sightings.Sighting(
        new KeptCarrier(
            wait.number,
            Blocker.ref(wait.thread),
            Blocker.ref(carrier),
            TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis())
                - (System.nanoTime() - wait.beganNanos),
            nanos,
            ended,
            wait.kind,
            wait.blocker.className(),
            wait.blocker.identity(),
            wait.blocker.owner(),
            StackTrace.ABSENT),
        wait.elements,
        wait.kind == Kind.CLASS_INITIALIZATION ? others.get() : List.of());
  }

  /** Ends the wait of a thread that is seen elsewhere, if it waited. */
  void end(CarrierSlot slot, long now) {
    Lasting wait = slot.wait;
    if (wait != null && wait.number != 0) {
      // Between the sample that saw it last and this one; a thread that is done leaves soon.
      long last = Math.min(Math.max(wait.seenNanos, slot.sameNanos), wait.seenNanos + CLOSE);
      long end = last + Math.min(now - last, CLOSE) / 2;
      sightings.add(sighting(wait, slot.carrier, wait.lengthNanos(end), true));
    }
    slot.wait = null;
  }

  /** Reports a current wait before its time, because the JVM ends. */
  void tellNow(CarrierSlot slot, long now) throws ReflectiveOperationException {
    Lasting wait = slot.wait;
    if (wait != null
        && wait.lengthNanos(now) >= CarrierWatch.NATIVE.toNanos()
        && !hasMoved(slot)
        && isIdle(wait, cpu(slot.carrier), now)
        && (wait.look != Look.IN_VM || !wantsProcessor(slot))) {
      tell(slot, thread(slot), now);
    }
  }
}
