package io.github.vtdiag.findings;

import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Observation.Unit;
import io.github.vtdiag.model.Frame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

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

  /** A sampler that found nobody for no longer than this has seen nobody leave, either. */
  private static final long BLIND_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final int LEAST_SAMPLES = 4;

  /** How often a thread has to be found of the times at which anybody was found. */
  private static final double DENSE = 0.4;

  /** HotSpot's sampler takes no more threads at a time. */
  private static final int MOST_AT_A_TIME = 5;

  /** The part of the samples that tells where a thread computes. */
  private static final double NEARLY_ALL = 0.8;

  /** A thread's samples without a gap, by their numbers. */
  @SuppressWarnings("ArrayRecordComponent") // It is not compared.
  private record Run(long thread, long from, long to, int[] samples) {}

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

  static List<Behavior> find(DetectorInput in) {
    // Who gives way all the time is found all the time, and yet has not kept anything; and of who
    // keeps a carrier by its calls too, these are what to look at.
    if (in.found().stream().anyMatch(other -> other.kind() == MisuseKind.SPINNING)) {
      return List.of();
    }
    return new MonopolizedCarriers(in.java(), in.places(), in.time(), in.carriers())
        .find().stream()
            .filter(each -> in.found().stream().noneMatch(other -> isSamePlace(each, other)))
            .toList();
  }

  private static boolean isSamePlace(Behavior one, Behavior other) {
    Optional<String> site = one.seen().site().map(Frame::qualifiedMethod);
    return site.isPresent() && site.equals(other.seen().site().map(Frame::qualifiedMethod));
  }

  /**
   * Finds them, if others waited meanwhile. Without the agent nobody knows, and nothing is said.
   */
  private List<Behavior> find() {
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
    List<Behavior> found = new ArrayList<>();
    for (List<Run> alike : byRoot.values()) {
      long count = alike.stream().mapToLong(run -> run.samples.length).sum();
      double nanos = samples.carrierNanos(count);
      if (time.isLarge(samples.leastCarrierNanos(count))) {
        long threads = alike.stream().map(Run::thread).distinct().count();
        Map<Integer, Integer> looks = looks(alike);
        Optional<Frame> frame = common(looks, count);
        found.add(
            new FindingBuilder(MisuseKind.MONOPOLIZED_CARRIERS, frame)
                .at(frame.filter(places::isApplication).or(() -> application(looks)), places)
                .carrierNanos(nanos)
                .seen(count, samples.event)
                .detail("threads", threads)
                .detail("longest", Unit.NANOS, longest(alike))
                .limits(true)
                .finding());
      }
    }
    return found;
  }

  private static double longest(List<Run> runs) {
    return runs.stream().mapToLong(run -> run.to - run.from).max().orElse(0);
  }

  /** How many samples of these runs have each look, in the order in which they come. */
  private Map<Integer, Integer> looks(List<Run> runs) {
    Map<Integer, Integer> counts = new LinkedHashMap<>();
    for (Run run : runs) {
      for (int sample : run.samples) {
        counts.merge(samples.look(sample), 1, Integer::sum);
      }
    }
    return counts;
  }

  private List<Run> longRuns() {
    long[] times = timesOfSampler();
    List<Run> runs = new ArrayList<>();
    for (int[] all : byThread()) {
      int begin = 0;
      for (int i = 1; i <= all.length; i++) {
        if (i == all.length || isGap(samples.atNanos(all[i - 1]), samples.atNanos(all[i]), times)) {
          run(all, begin, i, times).ifPresent(runs::add);
          begin = i;
        }
      }
    }
    runs.sort(Comparator.comparingLong(Run::from));
    return runs;
  }

  /** Whether a thread has left its carrier, that was found then and not in between. */
  private static boolean isGap(long from, long to, long[] times) {
    if (to - from <= GAP_NANOS) {
      return false;
    }
    boolean others = timesUpTo(times, to - 1) > timesUpTo(times, from);
    return others || to - from > BLIND_NANOS;
  }

  /** The samples of each thread, in the order of time. */
  private int[][] byThread() {
    int[] counts = new int[samples.threads()];
    for (int i = 0; i < samples.size(); i++) {
      counts[samples.threadNumber(i)]++;
    }
    int[][] byThread = new int[counts.length][];
    for (int thread = 0; thread < byThread.length; thread++) {
      byThread[thread] = new int[counts[thread]];
    }
    Arrays.fill(counts, 0);
    for (int i = 0; i < samples.size(); i++) {
      int thread = samples.threadNumber(i);
      byThread[thread][counts[thread]++] = i;
    }
    return byThread;
  }

  /** When the sampler looked; it takes several threads at a time, one right after the other. */
  private long[] timesOfSampler() {
    long[] times = new long[16];
    int count = 0;
    for (int i = 0; i < samples.size(); i++) {
      long at = samples.atNanos(i);
      if (count == 0 || at - times[count - 1] > samples.periodNanos / 2) {
        times = count == times.length ? Arrays.copyOf(times, count * 2) : times;
        times[count++] = at;
      }
    }
    return Arrays.copyOf(times, count);
  }

  /** The run of these samples of one thread, if it is long. */
  private Optional<Run> run(int[] all, int begin, int end, long[] times) {
    long from = samples.atNanos(all[begin]);
    long to = samples.atNanos(all[end - 1]);
    if (end - begin < LEAST_SAMPLES || to - from < LONG_NANOS) {
      return Optional.empty();
    }
    // The sampler may have looked seldom, but then it did for everybody.
    int looks = timesUpTo(times, to) - timesUpTo(times, from) + 1;
    double chance = Math.min(1, (double) MOST_AT_A_TIME / Math.max(1, carriers));
    return end - begin >= DENSE * chance * looks
        ? Optional.of(
            new Run(samples.thread(all[begin]), from, to, Arrays.copyOfRange(all, begin, end)))
        : Optional.empty();
  }

  private static int timesUpTo(long[] times, long nanos) {
    int found = Arrays.binarySearch(times, nanos);
    return found < 0 ? -found - 1 : found + 1;
  }

  /** The outermost method that somebody wrote: what the thread was started for. */
  private String root(Run run) {
    List<Frame> frames = samples.stack(samples.look(run.samples[0])).frames();
    return Places.outsideJdk(frames.reversed()).map(Frame::qualifiedMethod).orElse("");
  }

  private Optional<Frame> application(Map<Integer, Integer> looks) {
    return looks.keySet().stream()
        .flatMap(look -> places.application(samples.stack(look)).stream())
        .findFirst();
  }

  /** The innermost method that nearly all samples have: where the loop is. */
  private Optional<Frame> common(Map<Integer, Integer> looks, long all) {
    Map<String, Integer> counts = new HashMap<>();
    looks.forEach(
        (look, count) ->
            samples.stack(look).frames().stream()
                .map(Frame::qualifiedMethod)
                .distinct()
                .forEach(method -> counts.merge(method, count, Integer::sum)));
    for (int look : looks.keySet()) {
      List<Frame> often =
          samples.stack(look).frames().stream()
              .filter(frame -> counts.get(frame.qualifiedMethod()) >= NEARLY_ALL * all)
              .toList();
      Optional<Frame> found = Places.outsideJdk(often);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }
}
