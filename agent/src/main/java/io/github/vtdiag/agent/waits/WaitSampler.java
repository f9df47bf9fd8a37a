package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.ends.FailedThreads;
import io.github.vtdiag.agent.ends.FutureWaits;
import io.github.vtdiag.agent.ends.LoopTargets;
import io.github.vtdiag.agent.ends.OwnConnections;
import io.github.vtdiag.agent.ends.PoolObjects;
import io.github.vtdiag.agent.ends.ProgramEnd;
import io.github.vtdiag.agent.ends.ShutdownHooks;
import io.github.vtdiag.agent.threads.FirstThread;
import io.github.vtdiag.agent.threads.LockMapReader;
import io.github.vtdiag.agent.threads.Management;
import io.github.vtdiag.agent.threads.OsThreads;
import io.github.vtdiag.agent.threads.ThreadInternals;
import io.github.vtdiag.agent.threads.ThreadReader;
import io.github.vtdiag.agent.threads.ThreadSnapshots;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.SeenPool;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.pin.WaitStack;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.watch.Carriers;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Samples, about once a second, what unmounted virtual threads wait for: JFR has no event for that,
 * on any JDK. It counts all virtual threads and examines a random selection of them. So a sample
 * takes as long with a thousand threads as with a million.
 */
public final class WaitSampler implements Runnable {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The delay of the first sample: many programs do not live for long. */
  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final int QUICK_LOOKS = 3;

  /** The part of one processor that all samples together may take: 1/250. */
  private static final int SHARE = 250;

  /** The processor time that the samples may take at once, while the JVM is cold. */
  private static final long CREDIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** The longest pause: samples that cost too much are taken less often, but they are taken. */
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * The longest stack that is recorded; deeper stacks are cut, because JFR limits the length of a
   * text.
   */
  private static final int DEPTH = 64;

  /** The number of stacks that get a number; threads on other stacks count without one. */
  private static final int STACKS = 500;

  /** The number of a stack without one. */
  static final int UNNUMBERED = 0;

  private static final String VIRTUAL = "java.lang.VirtualThread";

  /** Receives the samples. */
  public interface Sink {
    /** Receives a stack that was not seen before; numbers begin at 1. */
    void stack(WaitStack stack);

    void look(
        WaitLook look, List<WaitCrowd> crowds, List<LongWait> longWaits, List<SeenPool> pools);
  }

  private final Instrumentation instrumentation;
  private final LockMapReader classes;
  private final Sink sink;
  private final boolean hooked;
  private final Consumer<Throwable> failed;
  private final Management management = new Management();
  private final Carriers carriers = new Carriers();
  private final FirstThread first;
  private final Map<List<StackTraceElement>, Integer> numbers = new HashMap<>();
  private final NewThreads newThreads = new NewThreads();
  private final FailedThreads failures;
  private final LastingWaits lasting;
  private ThreadInternals internals;
  private PoolObjects pools;
  private Optional<LongWaits> longWaits = Optional.empty();

  /** Null before the first sample: until then the JDK's packages may not be open. */
  private PlatformWaits platform;

  private PlatformLoops platformLoops;
  private PlatformSelects platformSelects;
  private final Map<Thread, Thread> carrierOfMounted = new HashMap<>();

  /** Threads in loops that were queued at the last sample: most are still at the same place. */
  private Set<Thread> queuedLast = Set.of();

  /** Zero once the program is about to end. */
  private final CountDownLatch end = new CountDownLatch(1);

  private final CountDownLatch lastTaken = new CountDownLatch(1);
  private final long beginNanos = System.nanoTime();
  private long lookedNanos = beginNanos;
  private long looks;

  /**
   * @param classes reads the code that shows which loops only wait
   * @param noted if mounts are not, it is unknown which threads have run
   * @param failed receives the error that ends the sampling, which does not affect the application
   */
  public WaitSampler(
      Instrumentation instrumentation,
      LockMapReader classes,
      Sink sink,
      Noted noted,
      Consumer<Throwable> failed) {
    this.failures = new FailedThreads(classes, noted == Noted.LATE);
    this.lasting = new LastingWaits(instrumentation, classes, failures, this::number);
    this.first = new FirstThread(carriers, instrumentation);
    this.hooked = noted.isHooked();
    this.classes = classes;
    this.instrumentation = instrumentation;
    this.sink = sink;
    this.failed = failed;
  }

  /** Takes samples until the last one or until a sample fails. */
  @Override
  public void run() {
    try {
      long credit = CREDIT_NANOS;
      long pause = FIRST_NANOS;
      boolean ends = false;
      while (!ends) {
        ends = end.await(pause, TimeUnit.NANOSECONDS);
        credit += pause / SHARE;
        long start = management.mine();
        if (first.wasMade()) {
          look(pause, ends);
        }
        credit = Math.min(CREDIT_NANOS, credit - (management.mine() - start));
        // The period varies a little, so that it does not stay in phase with something the program
        // does.
        long beat = PERIOD_NANOS + ThreadLocalRandom.current().nextLong(PERIOD_NANOS / 10);
        pause =
            looks < QUICK_LOOKS
                ? FIRST_NANOS
                : Math.max(beat, Math.min(LONGEST_NANOS, -credit * SHARE));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ReflectiveOperationException | RuntimeException | LinkageError | InternalError e) {
      failed.accept(e);
    } finally {
      lastTaken.countDown();
    }
  }

  /**
   * Takes a last sample, so that waits are recorded with the length that they have at the end. Does
   * nothing where none can be long yet.
   *
   * @param nanos the longest time that this waits for it
   */
  public void lookLast(long nanos) throws InterruptedException {
    if (System.nanoTime() - beginNanos >= LongWait.SHORTEST_AT_END_NANOS && first.wasMade()) {
      end.countDown();
      lastTaken.await(nanos, TimeUnit.NANOSECONDS);
    }
  }

  /**
   * @param pauseNanos the pause since the last sample: if much more time has passed, the JVM was
   *     stopped
   * @param last whether there is no further sample
   */
  private void look(long pauseNanos, boolean last) throws ReflectiveOperationException {
    if (internals == null) {
      internals = ThreadInternals.open(instrumentation);
      pools = new PoolObjects(instrumentation);
      if (hooked) {
        longWaits =
            Optional.of(
                new LongWaits(
                    internals, new Doers(instrumentation, internals), new Retriers(classes)));
        ProgramEnd end =
            new ProgramEnd(
                classes, ThreadSnapshots::platformThreadsOfProgram, internals::eachVirtual);
        platformLoops =
            new PlatformLoops(
                classes, end, failures, ThreadSnapshots::platformThreadsOfProgram, this::number);
        platformSelects =
            new PlatformSelects(
                new OsThreads(instrumentation),
                OwnConnections.seldom(),
                new LoopsBack(new LoopTargets(classes))::ownEvents,
                ThreadSnapshots::platformThreadsOfProgram,
                this::number);
        platform =
            new PlatformWaits(
                new OsThreads(instrumentation),
                end,
                failures,
                new FutureWaits(),
                ThreadSnapshots::platformThreadsOfProgram,
                new ShutdownHooks()::end,
                this::number);
      }
    }
    long now = System.nanoTime();
    long elapsed = Math.min(now - lookedNanos, 2 * pauseNanos);
    longWaits.ifPresent(waits -> waits.begin(elapsed));
    failures.look();
    lasting.begin(elapsed);
    lookedNanos = now;
    // There may be a million threads, so that they are not counted without need.
    boolean counts = Carriers.hasSurplus();
    ThreadLot lot = draw(counts);
    if (counts) {
      carriers.scheduler().ifPresent(scheduler -> Carriers.count(scheduler, lot.queued()));
    }
    longWaits.ifPresent(waits -> waits.setComplete(lot.isComplete()));
    Map<FollowedThread.Place, SampledCrowd> crowds = new LinkedHashMap<>();
    Set<Thread> queued = new HashSet<>();
    carrierOfMounted.clear();
    int looked = 0;
    int waiting = 0;
    for (Thread thread : lot.drawn()) {
      if (!thread.isAlive()) {
        continue;
      }
      looked++;
      int state = internals.state(thread);
      Thread carrier = internals.carrier(thread);
      boolean mounted = carrier != null;
      if (mounted) {
        carrierOfMounted.put(thread, carrier);
      }
      if (!mounted && !internals.isQueued(state)) {
        waiting += add(thread, crowds) ? 1 : 0;
      } else if (!mounted && state == internals.yielded) {
        lasting.seen(thread, Thread.State.RUNNABLE, stack(thread), true);
      } else if (mounted && thread.getState() == Thread.State.TIMED_WAITING) {
        // It keeps its carrier, as every virtual thread does in Object.wait before Java 24.
        lasting.seen(thread, Thread.State.TIMED_WAITING, stack(thread), true);
      } else if (lasting.isInLoop(thread)) {
        if (mounted || !queuedLast.contains(thread)) {
          lasting.runs(thread, stack(thread));
        }
        if (!mounted) {
          queued.add(thread);
        }
      }
    }
    queuedLast = queued;
    if (last && longWaits.isPresent()) {
      longWaits.get().end();
      draw(false);
    }
    boolean followed = longWaits.filter(LongWaits::areKnown).isPresent();
    boolean came = newThreads.came(now);
    tell(new WaitLook(0, ++looks, lot.alive(), looked, waiting, followed, came), crowds, elapsed);
  }

  /** Draws threads, and finds out which of the wakers that matter have ended. */
  private ThreadLot draw(boolean counts) {
    Set<Long> asked = longWaits.map(waits -> waits.wakings().asked()).orElse(Set.of());
    ThreadLot lot = new ThreadLot(asked, counts ? this::isQueued : thread -> false);
    internals.eachVirtual(lot);
    longWaits.ifPresent(waits -> waits.wakings().setEnded(lot.ended()));
    return lot;
  }

  /** Adds a thread to those that wait, and returns whether it does wait. */
  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  private boolean add(Thread thread, Map<FollowedThread.Place, SampledCrowd> crowds) {
    Thread.State state = thread.getState();
    if (internals.isWoken(thread, internals.state(thread))) {
      return false;
    }
    if (state != Thread.State.WAITING
        && state != Thread.State.TIMED_WAITING
        && state != Thread.State.BLOCKED) {
      return false;
    }
    Object lock = internals.blocker(thread);
    Thread owner = internals.owner(lock);
    List<StackTraceElement> stack =
        longWaits.flatMap(waits -> waits.standing(thread)).orElseGet(() -> stack(thread));
    // It may have gone on meanwhile, and would be counted at a place where no thread waits.
    if (stack.isEmpty() || thread.getState() != state || internals.blocker(thread) != lock) {
      return false;
    }
    String lockClass = lock == null ? "" : lock.getClass().getName();
    boolean ran = longWaits.map(waits -> waits.add(thread, state, lock, stack)).orElse(true);
    lasting.seen(thread, state, stack, ran);
    FollowedThread.Place place = new FollowedThread.Place(stack, state, lockClass);
    crowds
        .computeIfAbsent(place, key -> new SampledCrowd())
        .add(lock, internals.permits(lock), Optional.ofNullable(owner), this::stack);
    return true;
  }

  /** Returns whether it is a virtual thread that needs a carrier. */
  private boolean isQueued(Thread thread) {
    return thread.isVirtual()
        && internals.isQueued(internals.state(thread))
        && internals.carrier(thread) == null;
  }

  private List<StackTraceElement> stack(Thread thread) {
    boolean queued = isQueued(thread);
    StackTraceElement[] frames = thread.getStackTrace();
    if (queued) {
      Carriers.hasReadInQueue();
    }
    for (int i = 0; i < frames.length; i++) {
      if (frames[i].getClassName().equals(VIRTUAL)) {
        // A thread that parked before the agent changed this class has no line here. It is at the
        // same place as threads that park now.
        frames[i] = new StackTraceElement(VIRTUAL, frames[i].getMethodName(), null, -1);
      }
    }
    return List.of(frames);
  }

  private void tell(
      WaitLook look, Map<FollowedThread.Place, SampledCrowd> crowds, long elapsedNanos) {
    List<WaitCrowd> told = new ArrayList<>();
    Set<String> asked = new HashSet<>();
    crowds.forEach(
        (place, crowd) -> {
          PoolObjects.onStack(place.stack()).ifPresent(asked::add);
          told.add(crowd.told(look.number(), place, this::number));
        });
    List<LongWait> lasted =
        new ArrayList<>(
            longWaits
                .map(waits -> lasting.of(waits, look.number(), internals::eachVirtual))
                .orElse(List.of()));
    if (platform != null) {
      lasted.addAll(platform.of(look.number(), look.alive(), elapsedNanos));
      lasted.addAll(platformLoops.of(look.number(), elapsedNanos));
      lasted.addAll(platformSelects.of(look.number(), elapsedNanos, carrierOfMounted));
    }
    sink.look(look, told, lasted, asked.isEmpty() ? List.of() : pools.look(look.number(), asked));
  }

  /** Returns the number of a stack, and passes a new stack to the sink. */
  private int number(List<StackTraceElement> stack) {
    Integer known = numbers.get(stack);
    if (known != null) {
      return known;
    }
    if (numbers.size() == STACKS) {
      return UNNUMBERED;
    }
    int number = numbers.size() + 1;
    numbers.put(stack, number);
    boolean cut = stack.size() > DEPTH;
    List<Frame> frames = ThreadReader.frames(cut ? stack.subList(0, DEPTH) : stack);
    sink.stack(new WaitStack(number, new StackTrace(frames, cut), lasting.isLent(stack)));
    return number;
  }
}
