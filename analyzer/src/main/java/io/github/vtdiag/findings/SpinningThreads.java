package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds threads that poll for something, with {@code Thread.yield} in between: they take carriers
 * from the threads that could provide it.
 */
final class SpinningThreads {
  /** The fewest samples that count: a few may be of a loop that spins briefly, as it should. */
  private static final int FEW = 5;

  /** The part of all samples below which the carriers are busy with something else. */
  private static final double MOST = 0.3;

  private SpinningThreads() {}

  static List<Behavior> find(DetectorInput in) {
    Samples samples = in.java();
    Places places = in.places();
    CarrierTime time = in.time();
    Map<String, Frame> loops = new HashMap<>();
    Map<String, Long> yields = new HashMap<>();
    int[] looks = samples.looks();
    for (int look : looks) {
      caller(samples.stack(look))
          .ifPresent(
              frame -> {
                loops.putIfAbsent(frame.qualifiedMethod(), frame);
                yields.merge(frame.qualifiedMethod(), samples.count(look), Long::sum);
              });
    }
    List<Behavior> found = new ArrayList<>();
    loops.forEach(
        (method, frame) -> {
          // Between two yields the thread polls: that time counts, too.
          Set<Integer> inLoop = new HashSet<>();
          long count = 0;
          for (int look : looks) {
            if (isIn(samples.stack(look), method)) {
              inLoop.add(look);
              count += samples.count(look);
            }
          }
          double nanos = samples.carrierNanos(count);
          if (count >= FEW && count >= MOST * samples.size() && time.isLarge(nanos)) {
            ThreadIds threads = new ThreadIds();
            int first = -1;
            for (int i = 0; i < samples.size(); i++) {
              if (inLoop.contains(samples.look(i))) {
                threads.add(samples.thread(i));
                first = first < 0 ? i : first;
              }
            }
            StackTrace stack = samples.stack(samples.look(first));
            found.add(
                new FindingBuilder(MisuseKind.SPINNING, frame)
                    .at(application(stack, method, places), places)
                    .carrierNanos(nanos)
                    .seen(count, samples.event)
                    .detail("threads", threads.size())
                    .detail("yields", yields.get(method))
                    .limits(true)
                    .finding());
          }
        });
    return found;
  }

  /** Returns the loop if it is the application's, otherwise its caller in the application. */
  private static Optional<Frame> application(StackTrace stack, String loop, Places places) {
    return stack.frames().stream()
        .dropWhile(frame -> !frame.qualifiedMethod().equals(loop))
        .filter(places::isApplication)
        .findFirst();
  }

  private static boolean isIn(StackTrace stack, String method) {
    return stack.frames().stream().anyMatch(frame -> frame.qualifiedMethod().equals(method));
  }

  /** Returns the caller of yield, unless it is the JDK itself, which knows when to stop. */
  private static Optional<Frame> caller(StackTrace stack) {
    boolean yields = false;
    for (Frame frame : stack.frames()) {
      if (!frame.type().isJdk()) {
        return yields ? Optional.of(frame) : Optional.empty();
      }
      if (yields && !frame.type().name().startsWith("java.lang.")) {
        return Optional.empty();
      }
      yields |= frame.is("java.lang.Thread", "yield") || frame.is("java.lang.Thread", "onSpinWait");
    }
    return Optional.empty();
  }
}
