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
 * Finds threads that monopolize their carrier. A virtual thread unmounts only where it waits, so a
 * few computing threads suffice to keep all others from running.
 *
 * <p>A thread that is in sample after sample has not unmounted, or not for long.
 */
final class MonopolizedCarriers {
  /** The shortest run that counts: so long a wait for a carrier is noticeable. */
  private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The longest time between two samples of a thread that has not unmounted in between. */
  private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** The longest time without any sample for which a thread is assumed to stay mounted. */
  private static final long BLIND_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final int LEAST_SAMPLES = 4;

  /** The part of the sampler's rounds in which a thread must have been found. */
  private static final double DENSE = 0.4;

  /** The most threads that one round of HotSpot's sampler takes. */
  private static final int MOST_AT_A_TIME = 5;

  /** The part of the samples that must share the method in which a thread computes. */
  private static final double NEARLY_ALL = 0.8;

  /** The samples of a thread without a gap, by number. */
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
    // A spinning thread yields all the time: it is in every sample and yet monopolizes nothing. For
    // a thread whose calls also hold a carrier, those calls are the better finding.
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
   * Returns the findings, if other threads were queued meanwhile. Without the agent that is
   * unknown, and nothing is reported.
   */
  private List<Behavior> find() {
    List<Run> runs = longRuns();
    long keeping = runs.stream().map(Run::thread).distinct().count();
    // The threads may only wait for each other, in short time slices: that is a fair share.
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

  /**
   * Returns the number of these runs' samples with each look, in the order of their first samples.
   */
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

  /** Returns whether a thread that was found at both times has unmounted in between. */
  private static boolean isGap(long from, long to, long[] times) {
    if (to - from <= GAP_NANOS) {
      return false;
    }
    boolean others = timesUpTo(times, to - 1) > timesUpTo(times, from);
    return others || to - from > BLIND_NANOS;
  }

  /** Returns the samples of each thread, in the order of time. */
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

  /**
   * Returns the times of the sampler's rounds; a round takes several threads, one after the other.
   */
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

  /** Returns the run of these samples of one thread, if it is long. */
  private Optional<Run> run(int[] all, int begin, int end, long[] times) {
    long from = samples.atNanos(all[begin]);
    long to = samples.atNanos(all[end - 1]);
    if (end - begin < LEAST_SAMPLES || to - from < LONG_NANOS) {
      return Optional.empty();
    }
    // The sampler may have had few rounds, but then all threads had few.
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

  /** Returns the outermost method outside the JDK: what the thread was started for. */
  private String root(Run run) {
    List<Frame> frames = samples.stack(samples.look(run.samples[0])).frames();
    return Places.outsideJdk(frames.reversed()).map(Frame::qualifiedMethod).orElse("");
  }

  private Optional<Frame> application(Map<Integer, Integer> looks) {
    return looks.keySet().stream()
        .flatMap(look -> places.application(samples.stack(look)).stream())
        .findFirst();
  }

  /** Returns the innermost method that nearly all samples have: the one with the loop. */
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
