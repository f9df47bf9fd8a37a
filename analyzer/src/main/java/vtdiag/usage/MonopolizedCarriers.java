package vtdiag.usage;

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
import vtdiag.account.Use;
import vtdiag.analysis.OtherFinding;
import vtdiag.analysis.OtherFinding.Kind;
import vtdiag.analysis.OtherFinding.Unit;
import vtdiag.model.Frame;
import vtdiag.usage.Samples.Sample;

/**
 * Threads that run for long without giving their carrier back. Nobody makes them: a virtual thread
 * leaves its carrier only where it waits, so a few that compute are enough to keep all others from
 * running.
 *
 * <p>A thread that sample after sample finds at work has not left its carrier, or not for long.
 */
final class MonopolizedCarriers {
  /** Whoever waits so long for a carrier notices. */
  private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A thread that was not found for so long has left its carrier meanwhile. */
  private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final int LEAST_SAMPLES = 4;

  /** How often a thread has to be found of the times at which anybody was found. */
  private static final double DENSE = 0.4;

  /** HotSpot's sampler takes no more threads at a time. */
  private static final int MOST_AT_A_TIME = 5;

  /** The part of the samples that tells where a thread computes. */
  private static final double NEARLY_ALL = 0.8;

  /** A thread's samples without a gap. */
  private record Run(List<Sample> samples) {
    long from() {
      return samples.getFirst().atNanos();
    }

    long thread() {
      return samples.getFirst().thread();
    }

    long to() {
      return samples.getLast().atNanos();
    }
  }

  private final Samples samples;
  private final Places places;
  private final CarrierTime time;
  private final int carriers;

  MonopolizedCarriers(Samples samples, Places places, CarrierTime time, int carriers) {
    this.samples = samples;
    this.places = places;
    this.time = time;
    this.carriers = carriers;
  }

  /**
   * Finds them, if others waited meanwhile. Without the agent nobody knows, and nothing is said.
   */
  List<OtherFinding> find() {
    List<Run> runs = longRuns();
    long keeping = runs.stream().map(Run::thread).distinct().count();
    // They may also wait for each other, in short turns: that is a fair share.
    if (runs.isEmpty() || !time.isShortFor(Use.JAVA) || time.mostQueued() < keeping) {
      return List.of();
    }
    Map<String, List<Run>> byRoot = new LinkedHashMap<>();
    for (Run run : runs) {
      byRoot.computeIfAbsent(root(run), root -> new ArrayList<>()).add(run);
    }
    List<OtherFinding> found = new ArrayList<>();
    for (List<Run> alike : byRoot.values()) {
      List<Sample> all = alike.stream().flatMap(run -> run.samples().stream()).toList();
      double nanos = samples.carrierNanos(all.size());
      if (time.isLarge(samples.leastCarrierNanos(all.size()))) {
        Set<Long> threads = new HashSet<>();
        all.forEach(sample -> threads.add(sample.thread()));
        Optional<Frame> frame = common(all);
        found.add(
            new Found(Kind.MONOPOLIZED_CARRIERS, frame)
                .at(frame.filter(places::isApplication).or(() -> application(all)), places)
                .carrierNanos(nanos)
                .seen(all.size(), samples.event)
                .detail("threads", threads.size())
                .detail("longest", Unit.NANOS, longest(alike))
                .limits(true)
                .finding());
      }
    }
    return found;
  }

  private static double longest(List<Run> runs) {
    return runs.stream().mapToLong(run -> run.to() - run.from()).max().orElse(0);
  }

  private List<Run> longRuns() {
    Map<Long, List<Sample>> byThread = new HashMap<>();
    for (Sample sample : samples.all) {
      byThread.computeIfAbsent(sample.thread(), thread -> new ArrayList<>()).add(sample);
    }
    List<Run> runs = new ArrayList<>();
    for (List<Sample> all : byThread.values()) {
      int begin = 0;
      for (int i = 1; i <= all.size(); i++) {
        if (i == all.size() || all.get(i).atNanos() - all.get(i - 1).atNanos() > GAP_NANOS) {
          Run run = new Run(all.subList(begin, i));
          if (isLong(run)) {
            runs.add(run);
          }
          begin = i;
        }
      }
    }
    runs.sort(Comparator.comparingLong(Run::from));
    return runs;
  }

  private boolean isLong(Run run) {
    if (run.samples().size() < LEAST_SAMPLES || run.to() - run.from() < LONG_NANOS) {
      return false;
    }
    // The sampler may have looked seldom, but then it did for everybody.
    int looks = 0;
    long last = Long.MIN_VALUE;
    for (Sample sample : samples.all) {
      if (sample.atNanos() >= run.from()
          && sample.atNanos() <= run.to()
          && (last == Long.MIN_VALUE || sample.atNanos() - last > samples.periodNanos / 2)) {
        looks++;
        last = sample.atNanos();
      }
    }
    double chance = Math.min(1, (double) MOST_AT_A_TIME / Math.max(1, carriers));
    return run.samples().size() >= DENSE * chance * looks;
  }

  /** The outermost method that somebody wrote: what the thread was started for. */
  private static String root(Run run) {
    List<Frame> frames = run.samples().getFirst().stack().frames();
    return Places.outsideJdk(frames.reversed()).map(Frame::qualifiedMethod).orElse("");
  }

  private Optional<Frame> application(List<Sample> all) {
    return all.stream().flatMap(sample -> places.application(sample.stack()).stream()).findFirst();
  }

  /** The innermost method that nearly all samples have: where the loop is. */
  private static Optional<Frame> common(List<Sample> all) {
    Map<String, Integer> counts = new HashMap<>();
    for (Sample sample : all) {
      Set<String> methods = new HashSet<>();
      for (Frame frame : sample.stack().frames()) {
        if (methods.add(frame.qualifiedMethod())) {
          counts.merge(frame.qualifiedMethod(), 1, Integer::sum);
        }
      }
    }
    for (Sample sample : all) {
      List<Frame> often =
          sample.stack().frames().stream()
              .filter(frame -> counts.get(frame.qualifiedMethod()) >= NEARLY_ALL * all.size())
              .toList();
      Optional<Frame> found = Places.outsideJdk(often);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }
}
