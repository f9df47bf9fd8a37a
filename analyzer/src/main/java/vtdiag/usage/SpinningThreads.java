package vtdiag.usage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import vtdiag.analysis.OtherFinding;
import vtdiag.analysis.OtherFinding.Kind;
import vtdiag.model.Frame;
import vtdiag.model.StackTrace;
import vtdiag.usage.Samples.Sample;

/**
 * Threads that ask again and again for something, with {@code Thread.yield} in between: they take
 * the carriers from whoever could give it to them.
 */
final class SpinningThreads {
  /** A few may be found in a loop that waits for a moment, as it should. */
  private static final int FEW = 5;

  /** If it is less of all that runs, the carriers are busy with something else. */
  private static final double MOST = 0.3;

  private SpinningThreads() {}

  /** The method that waits so, as name and all that stacks have of it. */
  private record Loop(String method, Frame frame) {}

  static List<OtherFinding> find(Samples samples, Places places, CarrierTime time) {
    Map<String, Loop> loops = new HashMap<>();
    Map<String, Integer> yields = new HashMap<>();
    for (Sample sample : samples.all) {
      caller(sample.stack())
          .ifPresent(
              frame -> {
                loops.putIfAbsent(
                    frame.qualifiedMethod(), new Loop(frame.qualifiedMethod(), frame));
                yields.merge(frame.qualifiedMethod(), 1, Integer::sum);
              });
    }
    List<OtherFinding> found = new ArrayList<>();
    for (Loop loop : loops.values()) {
      // Between two times of giving way it looks whether it is its turn.
      List<Sample> all =
          samples.all.stream().filter(sample -> isIn(sample.stack(), loop.method)).toList();
      double nanos = samples.carrierNanos(all.size());
      if (all.size() >= FEW && all.size() >= MOST * samples.all.size() && time.isLarge(nanos)) {
        Set<Long> threads = new HashSet<>();
        all.forEach(sample -> threads.add(sample.thread()));
        found.add(
            new Found(Kind.SPINNING, loop.frame)
                .at(application(all.getFirst().stack(), loop.method, places), places)
                .carrierNanos(nanos)
                .seen(all.size(), samples.event)
                .detail("threads", threads.size())
                .detail("yields", yields.get(loop.method))
                .limits(true)
                .finding());
      }
    }
    return found;
  }

  /** The loop itself if it is the application's, else who called it. */
  private static Optional<Frame> application(StackTrace stack, String loop, Places places) {
    return stack.frames().stream()
        .dropWhile(frame -> !frame.qualifiedMethod().equals(loop))
        .filter(places::isApplication)
        .findFirst();
  }

  private static boolean isIn(StackTrace stack, String method) {
    return stack.frames().stream().anyMatch(frame -> frame.qualifiedMethod().equals(method));
  }

  /** Who called yield, if that is not the JDK itself, which knows when to stop. */
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
