package io.github.vtdiag.agent.recording;

import io.github.vtdiag.agent.ends.ExitHooks;
import io.github.vtdiag.agent.jvm.AgentThread;
import io.github.vtdiag.agent.jvm.Log;
import io.github.vtdiag.agent.waits.Noted;
import io.github.vtdiag.agent.waits.WaitSampler;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.SeenPool;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.pin.WaitStack;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.PinnedStalls;
import io.github.vtdiag.waits.Stall;
import io.github.vtdiag.waits.StallLimit;
import io.github.vtdiag.waits.WaitDetail;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Records what unmounted virtual threads wait for. */
public final class WaitReports implements WaitSampler.Sink {
  /** The number of the stack of a shutdown hook; the samples count theirs from 1. */
  private static final int HOOK_STACK = Integer.MAX_VALUE;

  /** The longest time that an exit waits for the last sample. */
  private static final long LAST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final ExitHooks hooks;
  private final LoadedClasses classes;
  private final BooleanSupplier over;
  private final Supplier<List<PinEpisode>> pinned;
  private final Map<Integer, StackTrace> stacks = new ConcurrentHashMap<>();
  private final Set<Integer> lent = ConcurrentHashMap.newKeySet();

  /** The number of the last sample; 0 before the first. */
  private volatile long last;

  /** Set when the last sample is taken; the exit summary has what it finds. */
  private volatile boolean ends;

  private volatile WaitSampler sampler;
  private volatile List<Stall> stalls = List.of();
  private volatile Consumer<List<Stall>> possible = stalls -> {};

  private WaitReports(
      LoadedClasses classes, BooleanSupplier over, Supplier<List<PinEpisode>> pinned) {
    this.classes = classes;
    this.hooks = ExitHooks.find(classes);
    this.pinned = pinned;
    this.over = over;
  }

  /**
   * Starts the sampling, on a daemon thread.
   *
   * @param over whether the program ends: what its threads do then is left out
   * @param pinned the pins that have not ended, as far as the watch sees them
   */
  public static WaitReports start(
      LoadedClasses classes,
      Instrumentation instrumentation,
      Noted noted,
      BooleanSupplier over,
      Supplier<List<PinEpisode>> pinned) {
    WaitReports reports = new WaitReports(classes, over, pinned);
    // The oldest chunks may be dropped, and with them what was recorded once.
    Recorder.everyPeriod(WaitEvents.WaitStacked.class, reports::commitStacks);
    WaitSampler sampler =
        new WaitSampler(
            instrumentation,
            classes,
            reports,
            noted,
            e -> {
              // The JVM takes threads away while it ends.
              if (!reports.ends && !over.getAsBoolean()) {
                Log.failure("cannot look what threads wait for, the recording continues", e);
              }
            });
    reports.sampler = sampler;
    AgentThread.daemon("vtdiag waits", sampler).start();
    return reports;
  }

  /** Returns the stalled threads at the last sample, without threads that may only be idle. */
  public List<Stall> stalls() {
    return stalls;
  }

  /**
   * Passes on, at each sample, the threads that may stand still or only be idle, and that nothing
   * seen may end.
   *
   * @param listener called on the thread that takes the samples
   */
  public void tellPossible(Consumer<List<Stall>> listener) {
    possible = listener;
  }

  private void commitStacks() {
    stacks.forEach(
        (number, stack) -> WaitEvents.commit(new WaitStack(number, stack, lent.contains(number))));
  }

  /** Records the waits at the end of the program, before its shutdown hooks change much. */
  public void lookLast() {
    ends = true;
    try {
      sampler.lookLast(LAST_NANOS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits for the program's shutdown hooks, on the thread of the agent's. If one stands still, it
   * is recorded as if the last sample had seen it.
   *
   * @return what is unknown, in a sentence; empty if nothing is
   */
  public Optional<String> awaitExit() {
    return hooks.awaitOthers().map(this::commit);
  }

  private String commit(ExitHooks.Standing hook) {
    if (last == 0) {
      last = 1;
      long now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
      WaitEvents.commit(
          new WaitLook(now, last, 0, 0, 0, true, false), List.of(), List.of(), List.of());
    }
    LongWait wait =
        new LongWait(
            last,
            HOOK_STACK,
            hook.state(),
            "",
            0,
            1,
            0,
            hook.nanos(),
            false,
            LongWait.Wakers.NOT_KNOWN,
            WaitDetail.of(WaitDetail.Kind.EXIT_HOOK));
    stack(new WaitStack(HOOK_STACK, hook.stack(), false));
    WaitEvents.commit(wait);
    return "the recording ends before the program: " + Stall.of(wait, hook.stack()).unendedExit();
  }

  @Override
  public void stack(WaitStack stack) {
    if (stack.lent()) {
      lent.add(stack.number());
    }
    stacks.put(stack.number(), stack.stack());
    WaitEvents.commit(stack);
    // The recording shows whose code that is by where the classes were loaded from.
    classes.read(List.of(stack.stack()));
  }

  @Override
  public void look(
      WaitLook look, List<WaitCrowd> crowds, List<LongWait> longWaits, List<SeenPool> pools) {
    if (over.getAsBoolean()) {
      return;
    }
    last = look.number();
    WaitEvents.commit(look, crowds, longWaits, pools);
    if (ends) {
      return;
    }
    PinnedStalls onCarriers = PinnedStalls.scarce(pinned.get());
    Map<Boolean, List<Stall>> sure =
        Stall.find(
                onCarriers.and(longWaits),
                onCarriers.and(stacks),
                look.goingOn(),
                StallLimit.RUNNING)
            .stream()
            // A wait that counts earlier at the end may yet go on.
            .filter(stall -> stall.longestNanos() >= StallLimit.LONG_NANOS)
            .collect(Collectors.partitioningBy(Stall::isToldAtOnce));
    stalls = sure.get(true);
    possible.accept(sure.get(false).stream().filter(stall -> !stall.mayEnd()).toList());
  }
}
