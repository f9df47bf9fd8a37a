package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.ends.RingBuffers;
import io.github.vtdiag.waits.LongWait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * Follows virtual threads that may be in a loop that only waits. They call {@code Thread.yield} or
 * {@code sleep}, or try to get a lock. Or they wait with a timeout for a latch, a signal or a
 * notification, or without one while others wake them again and again. A thread that is found at
 * the same call again and again, and nowhere else, may be in a loop there. A loop may wait at two
 * places, such as one that tries to get a permit for a moment and sleeps before it tries again.
 * While any thread leaves such a loop, those that are still in it may only be waiting for their
 * turn.
 */
public final class WaitLoops {
  /**
   * The number of times a thread has to be found at the call: it may have been elsewhere in
   * between.
   */
  private static final int SIGHTINGS = 4;

  private static final String CONDITION =
      "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";

  /** The number of threads that are followed at a time. */
  private static final int MOST = 1_000;

  /** A loop may pause in a method of its own. */
  private static final int FRAMES = 2;

  /**
   * The number of frames on top of a stack among which the method of a library's loop has to be.
   */
  private static final int DEPTH = 8;

  private static final class Pausing {
    List<StackTraceElement> stack;
    long since;
    int sightings;
    boolean signalled;
  }

  /**
   * The threads in one loop.
   *
   * @param signalled whether they wait without a timeout, and other threads wake them in vain
   */
  record Loop(List<StackTraceElement> stack, int threads, long nanos, boolean signalled) {
    /** Returns the state in which its threads wait between two iterations. */
    Thread.State state() {
      if (signalled) {
        return Thread.State.WAITING;
      }
      return stack.stream().anyMatch(frame -> frame.getMethodName().equals("yield"))
          ? Thread.State.RUNNABLE
          : Thread.State.TIMED_WAITING;
    }
  }

  /** A method, or all methods of its name in a class. Every frame of every sample asks for one. */
  private record Method(String type, String name) {
    static Method of(StackTraceElement frame) {
      return new Method(frame.getClassName(), frame.getMethodName());
    }
  }

  private final Map<Thread, Pausing> followed = new HashMap<>();
  private final Map<List<StackTraceElement>, Long> left = new HashMap<>();

  /** The loops of each method. */
  private final Map<Method, Set<List<StackTraceElement>>> methods = new HashMap<>();

  private final BiPredicate<List<StackTraceElement>, List<StackTraceElement>> oneLoop;

  private long now;

  /**
   * @param oneLoop tells of two stacks whether one round of a loop leads through both
   */
  public WaitLoops(BiPredicate<List<StackTraceElement>, List<StackTraceElement>> oneLoop) {
    this.oneLoop = oneLoop;
  }

  /**
   * Begins a sample.
   *
   * @param elapsedNanos the time since the last one, without the time in which the JVM was stopped
   */
  void begin(long elapsedNanos) {
    now += elapsedNanos;
    Iterator<Map.Entry<Thread, Pausing>> each = followed.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<Thread, Pausing> next = each.next();
      if (!next.getKey().isAlive()) {
        left.put(next.getValue().stack, now);
        each.remove();
      }
    }
    Set<List<StackTraceElement>> stacks = new HashSet<>();
    followed.values().forEach(one -> stacks.add(one.stack));
    methods.values().forEach(loops -> loops.retainAll(stacks));
    methods.values().removeIf(Set::isEmpty);
    left.keySet().retainAll(stacks);
  }

  /** Records that a thread without a carrier is there, and has run since the last sample. */
  void seen(Thread thread, Thread.State state, List<StackTraceElement> whole) {
    boolean signalled = state == Thread.State.WAITING;
    List<StackTraceElement> pause = fromPause(whole);
    List<StackTraceElement> own =
        signalled && pause.stream().limit(1).noneMatch(WaitLoops::isSignal) ? List.of() : pause;
    passes(own.isEmpty() ? whole : own);
    List<StackTraceElement> stack = known(own.isEmpty() ? whole : own).orElse(own);
    Pausing known = followed.get(thread);
    if (known != null && known.stack.equals(stack)) {
      known.sightings++;
      return;
    }
    seenElsewhere(thread);
    if (!stack.isEmpty() && followed.size() < MOST) {
      written(stack)
          .forEach(
              frame ->
                  methods.computeIfAbsent(Method.of(frame), same -> new HashSet<>()).add(stack));
      Pausing found = new Pausing();
      found.stack = stack;
      found.since = now;
      found.sightings = 1;
      found.signalled = signalled;
      followed.put(thread, found);
    }
  }

  /** Returns the stack of a loop that is followed and in which a thread at this stack is, too. */
  private Optional<List<StackTraceElement>> known(List<StackTraceElement> stack) {
    return written(stack)
        .flatMap(frame -> methods.getOrDefault(Method.of(frame), Set.of()).stream())
        .filter(loop -> loop.equals(stack) || oneLoop.test(loop, stack))
        .findFirst();
  }

  /** Returns the frames from the call on that may be in a loop; empty if there is none. */
  public static List<StackTraceElement> fromPause(List<StackTraceElement> stack) {
    for (int i = 0; i < stack.size(); i++) {
      if (isPause(stack.get(i))
          || (isPark(stack.get(i))
              && written(stack.subList(i, Math.min(i + 2, stack.size()))).findAny().isPresent())) {
        return stack.subList(i, stack.size());
      }
    }
    return List.of();
  }

  /** Returns whether a thread sleeps, or is parked for a time. */
  static boolean isForTime(List<StackTraceElement> stack) {
    return stack.stream()
        .takeWhile(frame -> frame.getClassName().startsWith("java."))
        .anyMatch(
            frame ->
                frame.getMethodName().equals("sleep")
                    || (isPark(frame) && !frame.getMethodName().equals("park")));
  }

  boolean follows(Thread thread) {
    return followed.containsKey(thread);
  }

  /** Records where a thread runs: in its loop, elsewhere in that method, or elsewhere. */
  void runs(Thread thread, List<StackTraceElement> whole) {
    Pausing known = followed.get(thread);
    if (known == null) {
      return;
    }
    if (known.stack.equals(fromPause(whole))) {
      known.sightings++;
    } else if (!isInMethod(known.stack, whole)) {
      seenElsewhere(thread);
      passes(whole);
    }
  }

  /**
   * Returns whether a thread runs in the method of a loop. What a loop calls may compute, so that
   * is elsewhere, unless it is the library's own code that asks whether there is room.
   */
  private static boolean isInMethod(List<StackTraceElement> loop, List<StackTraceElement> whole) {
    Stream<StackTraceElement> top =
        RingBuffers.isFor(loop) ? whole.stream().limit(DEPTH) : written(whole).limit(1);
    return top.map(Method::of).anyMatch(at -> written(loop).map(Method::of).anyMatch(at::equals));
  }

  /** Records a thread behind a loop of a method: it shows that the loop ends for some threads. */
  private void passes(List<StackTraceElement> stack) {
    if (methods.isEmpty()) {
      return;
    }
    Optional<StackTraceElement> at =
        stack.stream().limit(1).anyMatch(frame -> isPause(frame) || isPark(frame))
            ? written(stack).findFirst()
            : Optional.empty();
    for (StackTraceElement frame : stack) {
      Method method = Method.of(frame);
      for (List<StackTraceElement> loop : methods.getOrDefault(method, Set.of())) {
        StackTraceElement pause = written(loop).findFirst().orElseThrow();
        boolean same =
            Method.of(pause).equals(method)
                ? at.filter(pause::equals).isPresent()
                : written(loop).anyMatch(frame::equals);
        if (!same && !oneLoop.test(loop, stack)) {
          left.put(loop, now);
        }
      }
    }
  }

  /** The innermost frames of a stack that are not the JDK's. */
  private static Stream<StackTraceElement> written(List<StackTraceElement> stack) {
    return stack.stream()
        .filter(
            frame ->
                !frame.getClassName().startsWith("java.")
                    && !frame.getClassName().startsWith("jdk."))
        .limit(FRAMES);
  }

  /** Records a thread that does not wait for its turn. */
  private void seenElsewhere(Thread thread) {
    Pausing known = followed.remove(thread);
    if (known != null) {
      left.put(known.stack, now);
    }
  }

  /** Returns whether a thread at this call tries again, unless it gets what it tries to get. */
  private static boolean isPause(StackTraceElement frame) {
    return switch (frame.getMethodName()) {
      case "yield", "sleep" -> frame.getClassName().equals("java.lang.Thread");
      case "await", "awaitNanos" ->
          frame.getClassName().equals("java.util.concurrent.CountDownLatch")
              || frame.getClassName().equals(CONDITION);
      case "wait" -> frame.getClassName().equals("java.lang.Object");
      case "tryLock" -> frame.getClassName().startsWith("java.util.concurrent.");
      default -> false;
    };
  }

  /** Returns whether a thread at this call waits for others that signal or notify. */
  private static boolean isSignal(StackTraceElement frame) {
    return switch (frame.getMethodName()) {
      case "await" -> frame.getClassName().equals(CONDITION);
      case "wait" -> frame.getClassName().equals("java.lang.Object");
      default -> false;
    };
  }

  private static boolean isPark(StackTraceElement frame) {
    return frame.getClassName().equals("java.util.concurrent.locks.LockSupport")
        && frame.getMethodName().startsWith("park");
  }

  /** The loops in which threads have been for long, and which none has left. */
  List<Loop> loops() {
    Map<List<StackTraceElement>, List<Pausing>> places = new HashMap<>();
    followed
        .values()
        .forEach(each -> places.computeIfAbsent(each.stack, same -> new ArrayList<>()).add(each));
    List<Loop> loops = new ArrayList<>();
    places.forEach(
        (stack, all) -> {
          List<Pausing> often = all.stream().filter(each -> each.sightings >= SIGHTINGS).toList();
          long since = often.stream().mapToLong(each -> each.since).min().orElse(now);
          long nanos = now - Math.max(since, left.getOrDefault(stack, since));
          if (nanos >= LongWait.SHORTEST_NANOS) {
            boolean signalled = often.stream().anyMatch(each -> each.signalled);
            loops.add(new Loop(stack, often.size(), nanos, signalled));
          }
        });
    return loops;
  }
}
