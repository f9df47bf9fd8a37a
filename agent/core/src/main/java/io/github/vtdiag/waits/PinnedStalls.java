package io.github.vtdiag.waits;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The waits of mounted threads that outlasted the recording, in the form of waits that the agent
 * follows. A wait in {@code Object.wait} on Java 21 is a stall as much as one on Java 25. So is a
 * native call that does not return. A thread that times out at one place again and again has one
 * wait, if it does nothing for long in between.
 */
public final class PinnedStalls {
  private static final Set<String> TIMED =
      Set.of("parkNanos", "parkUntil", "awaitNanos", "awaitUntil", "sleep");

  /** The beginning of HotSpot's reason for a wait for a class, from JDK 24 on. */
  private static final String CLASS_REASON = "Waited for initialization of ";

  /** The frames of an untimed wait: {@code wait()} calls {@code wait(long)}. */
  private static final int FRAMES_OF_UNTIMED_WAIT = 2;

  /** The longest time that a thread may spend between two waits. */
  private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The fewest consecutive time-outs that count as one wait. */
  private static final int TIME_OUTS = 4;

  /** The part of the usual wait below which it was no time-out but a notification. */
  private static final double NOTIFIED = 0.9;

  /** The threads that time out again and again at one place. */
  private record Repeated(Set<Long> threads, Set<Long> served, long longestNanos) {}

  private final List<LongWait> waits = new ArrayList<>();
  private final Map<Integer, StackTrace> stacks = new HashMap<>();

  private PinnedStalls() {}

  /**
   * Returns whether the thread of that pin may have waited until the recording ended.
   *
   * @param ended whether the pin had ended then
   * @param nanos when the recording ended
   */
  public static boolean mayReach(boolean ended, long pinEnd, long pinNanos, long nanos) {
    return !ended
        || (pinNanos >= BETWEEN_NANOS / 2 && pinEnd >= nanos - 2 * LongWait.SHORTEST_NANOS);
  }

  /**
   * Finds the stalls among these pins.
   *
   * @param pins all of the threads that {@link #mayReach} the end of the recording
   * @param endNanos when the recording ended
   */
  public static PinnedStalls of(List<PinEpisode> pins, long endNanos) {
    PinnedStalls found = new PinnedStalls();
    Map<StackTrace, Repeated> repeated = new LinkedHashMap<>();
    pins.stream()
        .collect(Collectors.groupingBy(pin -> pin.thread().id()))
        .forEach((thread, theirs) -> addRepeated(thread, theirs, endNanos, repeated));
    Set<Long> again = new HashSet<>();
    repeated.forEach(
        (stack, threads) -> {
          found.add(stack, threads);
          again.addAll(threads.threads);
        });
    found.addUnended(pins, pin -> !again.contains(pin.thread().id()));
    return found;
  }

  /**
   * Finds the unended pins of threads that wait for a lock, a permit, a pool or room in a queue.
   * Waits for a future are left out: the thread that completes it may go on.
   */
  public static PinnedStalls scarce(List<PinEpisode> pins) {
    PinnedStalls found = new PinnedStalls();
    found.addUnended(
        pins, pin -> KnownWaits.of(pin.stack(), state(pin.kind(), pin.stack())).kind().isScarce());
    return found;
  }

  private void addUnended(List<PinEpisode> pins, Predicate<PinEpisode> which) {
    Map<StackTrace, List<PinEpisode>> rows = new LinkedHashMap<>();
    pins.stream()
        .filter(pin -> !pin.ended() && which.test(pin))
        .forEach(pin -> rows.computeIfAbsent(pin.stack(), same -> new ArrayList<>()).add(pin));
    rows.forEach((stack, unended) -> add(pins, stack, unended));
  }

  /** Adds the thread if it timed out again and again to the end. */
  private static void addRepeated(
      long thread, List<PinEpisode> pins, long endNanos, Map<StackTrace, Repeated> all) {
    List<PinEpisode> ended =
        pins.stream()
            .filter(PinEpisode::ended)
            .sorted(Comparator.comparingLong(PinEpisode::startNanos).reversed())
            .toList();
    if (ended.size() < TIME_OUTS) {
      return;
    }
    StackTrace stack = ended.getFirst().stack();
    int first = 0;
    while (first + 1 < ended.size()
        && ended.get(first + 1).stack().equals(stack)
        && ended.get(first).startNanos() - ended.get(first + 1).endNanos() < BETWEEN_NANOS) {
      first++;
    }
    List<PinEpisode> chain = ended.subList(0, first + 1);
    long[] nanos = chain.stream().mapToLong(PinEpisode::durationNanos).sorted().toArray();
    long timeOut = nanos[nanos.length / 2];
    boolean lasts =
        endNanos - chain.getFirst().endNanos() < timeOut + LongWait.SHORTEST_NANOS
            && endNanos - chain.getLast().startNanos() >= LongWait.SHORTEST_NANOS;
    if (nanos.length < TIME_OUTS
        || nanos[0] < NOTIFIED * timeOut
        || !lasts
        || state(chain.getFirst().kind(), stack) != Thread.State.TIMED_WAITING
        || !KnownWaits.of(stack, Thread.State.TIMED_WAITING).mayFail()) {
      return;
    }
    Repeated same = all.getOrDefault(stack, new Repeated(new HashSet<>(), new HashSet<>(), 0));
    same.threads.add(thread);
    if (ended.subList(first + 1, ended.size()).stream()
        .anyMatch(pin -> pin.stack().equals(stack))) {
      same.served.add(thread);
    }
    all.put(
        stack,
        new Repeated(
            same.threads,
            same.served,
            Math.max(same.longestNanos, endNanos - chain.getLast().startNanos())));
  }

  private void add(StackTrace stack, Repeated repeated) {
    int number = -1 - stacks.size();
    stacks.put(number, stack);
    waits.add(
        new LongWait(
            0,
            number,
            Thread.State.TIMED_WAITING,
            "",
            0,
            repeated.threads.size(),
            0,
            repeated.longestNanos,
            true,
            repeated.served.isEmpty() ? LongWait.Wakers.NONE : LongWait.Wakers.NOT_KNOWN,
            WaitDetail.NONE));
  }

  /** Returns the waits that the agent follows, and the pinned ones. */
  public List<LongWait> and(List<LongWait> followed) {
    return waits.isEmpty() ? followed : Stream.concat(followed.stream(), waits.stream()).toList();
  }

  /** Returns these stacks by number, with those of the pinned stalls under numbers of their own. */
  public Map<Integer, StackTrace> and(Map<Integer, StackTrace> numbered) {
    if (stacks.isEmpty()) {
      return numbered;
    }
    Map<Integer, StackTrace> all = new HashMap<>(numbered);
    all.putAll(stacks);
    return all;
  }

  /**
   * Returns whether the thread waits until another one has initialized a class. Before JDK 24 the
   * JVM does so with a lock of its own, an array.
   */
  private static boolean isForClass(PinEpisode pin) {
    return pin.pinnedReason().stream().anyMatch(reason -> reason.startsWith(CLASS_REASON))
        || (pin.kind() == PinEpisode.Kind.MONITOR_WAIT
            && pin.lockClass().equals(Optional.of("[I"))
            && pin.stack().frames().stream().noneMatch(PinnedStalls::isWait));
  }

  private void add(List<PinEpisode> pins, StackTrace stack, List<PinEpisode> unended) {
    Set<Long> threads = new HashSet<>();
    unended.forEach(pin -> threads.add(pin.thread().id()));
    Set<Long> before = new HashSet<>();
    for (PinEpisode pin : pins) {
      if (pin.ended() && threads.contains(pin.thread().id()) && pin.stack().equals(stack)) {
        before.add(pin.thread().id());
      }
    }
    int number = -1 - stacks.size();
    stacks.put(number, stack);
    waits.add(
        new LongWait(
            0,
            number,
            state(unended.getFirst().kind(), stack),
            "",
            0,
            threads.size(),
            before.size(),
            unended.stream().mapToLong(PinEpisode::durationNanos).max().getAsLong(),
            false,
            LongWait.Wakers.NOT_KNOWN,
            isForClass(unended.getFirst())
                ? WaitDetail.of(WaitDetail.Kind.CLASS)
                : WaitDetail.NONE));
  }

  private static Thread.State state(PinEpisode.Kind kind, StackTrace stack) {
    if (kind == PinEpisode.Kind.MONITOR_ENTER) {
      return Thread.State.BLOCKED;
    }
    if (kind == PinEpisode.Kind.NATIVE) {
      return Thread.State.RUNNABLE;
    }
    boolean timed =
        stack.frames().stream()
            .takeWhile(frame -> frame.type().isJdk())
            .anyMatch(frame -> TIMED.contains(frame.method()));
    long waits =
        stack.frames().stream()
            .takeWhile(frame -> frame.type().isJdk())
            .filter(PinnedStalls::isWait)
            .count();
    return timed || (waits > 0 && waits < FRAMES_OF_UNTIMED_WAIT)
        ? Thread.State.TIMED_WAITING
        : Thread.State.WAITING;
  }

  private static boolean isWait(Frame frame) {
    return frame.qualifiedMethod().equals("java.lang.Object.wait");
  }
}
