package io.github.vtdiag.compare;

import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.pin.Events;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The result of a plan.
 *
 * @param plan what was done
 * @param runs in the order in which they ran: each two are a pair
 * @param measures what was measured, each with its own verdict
 * @param forecast what was predicted of the change; empty if nothing was recorded
 * @param ceiling the least number of requests a second that the load generator can send; empty if
 *     it was not used
 * @param warnings what makes the figures doubtful, one sentence each
 */
public record Comparison(
    Plan plan,
    List<Run> runs,
    List<Measure> measures,
    Optional<Forecast> forecast,
    OptionalDouble ceiling,
    List<String> warnings) {

  /** The share of its ceiling above which the load generator itself may limit the throughput. */
  private static final double NEAR_CEILING = 0.5;

  public Comparison {
    runs = List.copyOf(runs);
    measures = List.copyOf(measures);
    warnings = List.copyOf(warnings);
  }

  /**
   * One thing that was measured.
   *
   * @param throughput operations or good answers a second
   * @param latencies p50, p99 and p99.9 in nanoseconds; none if it was not measured by requests, or
   *     is not known of every run
   * @param decisive the figure that the verdict goes by: the throughput, or the p99 of an open
   *     loop, whose throughput is given
   * @param verdict what the figures allow to say
   */
  public record Measure(
      String name,
      Figure throughput,
      List<Figure> latencies,
      Figure decisive,
      SpeedVerdict verdict) {
    public Measure {
      latencies = List.copyOf(latencies);
    }
  }

  /**
   * One figure of both sides.
   *
   * @param before the geometric mean over the runs, so that it agrees with the ratio; the mean if
   *     one of them is 0
   * @param ratio after to before
   */
  public record Figure(String name, double before, double after, Ratio ratio) {
    /**
     * Returns the figure of pairs of runs.
     *
     * @param before of each pair's run as it is; positive
     * @param after of each pair's run with the change, in the same order
     */
    public static Figure of(String name, double[] before, double[] after) {
      return new Figure(name, mean(before), mean(after), Ratio.of(before, after));
    }
  }

  static Comparison of(
      Plan plan,
      List<Run> runs,
      Optional<Forecast> forecast,
      OptionalDouble ceiling,
      List<String> warnings) {
    boolean open =
        plan.source() instanceof Plan.Source.Http http && http.load() instanceof Load.Open;
    List<Measure> measures =
        plan.source().names().stream().map(name -> measure(name, runs, open)).toList();
    double most =
        runs.stream()
            .mapToDouble(
                run -> run.measured().stream().mapToDouble(each -> each.rate().perSecond()).sum())
            .max()
            .orElse(0);
    Stream<String> near =
        ceiling.isPresent() && most > NEAR_CEILING * ceiling.getAsDouble()
            ? Stream.of(
                "the load generator came close to its own limit on this machine, so the faster side"
                    + " may be faster than measured")
            : Stream.empty();
    return new Comparison(
        plan, runs, measures, forecast, ceiling, Stream.concat(warnings.stream(), near).toList());
  }

  private static Measure measure(String name, List<Run> runs, boolean open) {
    List<Rate> before = values(runs, Side.BEFORE, run -> run.measured(name).rate());
    List<Rate> after = values(runs, Side.AFTER, run -> run.measured(name).rate());
    Figure throughput =
        new Figure(
            "throughput",
            mean(before.stream().mapToDouble(Rate::perSecond).toArray()),
            mean(after.stream().mapToDouble(Rate::perSecond).toArray()),
            Ratio.of(before, after));
    Function<Run, Optional<Latency>> latency =
        run -> run.measured(name).requests().flatMap(Run.Requests::latency);
    List<Figure> latencies = new ArrayList<>();
    Figure decisive = throughput;
    if (runs.stream().map(latency).allMatch(Optional::isPresent)) {
      Figure p99 = latency("p99", runs, latency, Latency::p99Nanos);
      latencies.add(latency("p50", runs, latency, Latency::p50Nanos));
      latencies.add(p99);
      latencies.add(latency("p99.9", runs, latency, Latency::p999Nanos));
      decisive = open ? p99 : throughput;
    }
    SpeedVerdict verdict = SpeedVerdict.of(open ? decisive.ratio().inverse() : decisive.ratio());
    return new Measure(name, throughput, latencies, decisive, verdict);
  }

  private static Figure latency(
      String name,
      List<Run> runs,
      Function<Run, Optional<Latency>> latency,
      ToDoubleFunction<Latency> value) {
    // A time too short to distinguish from zero still needs a ratio.
    Function<Run, Double> nanos =
        run -> Math.max(1, value.applyAsDouble(latency.apply(run).orElseThrow()));
    double[] before =
        values(runs, Side.BEFORE, nanos).stream().mapToDouble(Double::doubleValue).toArray();
    double[] after =
        values(runs, Side.AFTER, nanos).stream().mapToDouble(Double::doubleValue).toArray();
    return Figure.of(name, before, after);
  }

  /** Returns one value for each run of a side. The n-th run belongs to the n-th pair. */
  private static <T> List<T> values(List<Run> runs, Side side, Function<Run, T> value) {
    return runs.stream().filter(run -> run.side() == side).map(value).toList();
  }

  private static double mean(double[] values) {
    double sum = 0;
    double logs = 0;
    boolean none = false;
    for (double value : values) {
      sum += value;
      logs += Math.log(value);
      none |= value == 0;
    }
    return none ? sum / values.length : Math.exp(logs / values.length);
  }

  /** Returns the runs of one side. */
  public List<Run> of(Side side) {
    return runs.stream().filter(run -> run.side() == side).toList();
  }

  /**
   * Returns the pins of all runs of one side together; empty unless they are known for every run.
   */
  public Optional<Run.Pins> pins(Side side) {
    List<Run> all = of(side);
    if (all.stream().anyMatch(run -> run.pins().isEmpty())) {
      return Optional.empty();
    }
    List<Run.Pins> pins = all.stream().map(run -> run.pins().orElseThrow()).toList();
    boolean capacityKnown = pins.stream().allMatch(each -> each.capacityNanos() > 0);
    return Optional.of(
        new Run.Pins(
            pins.getFirst().java(),
            pins.stream().mapToLong(Run.Pins::count).sum(),
            pins.stream().mapToLong(Run.Pins::nanos).sum(),
            capacityKnown ? pins.stream().mapToLong(Run.Pins::capacityNanos).sum() : 0));
  }

  /** Returns the peak over the runs of one side; empty if no run could be observed. */
  public Optional<Peak> peak(Side side) {
    return of(side).stream().flatMap(run -> run.peak().stream()).reduce(Peak::max);
  }

  /** Returns the peak heap over the runs of one side; empty if no recording tells. */
  public OptionalLong peakHeapBytes(Side side) {
    return of(side).stream().flatMapToLong(run -> run.peakHeapBytes().stream()).max();
  }

  /**
   * Returns whether a what-if had no pins to remove: both sides ran on a Java on which monitors do
   * not pin. A lock in place of a monitor may make a difference there nevertheless.
   */
  public boolean isWhatIfWithoutPins() {
    return plan.agent().flatMap(Plan.Agent::whatIf).isPresent()
        && runs.stream()
            .allMatch(
                run ->
                    run.pins()
                        .filter(
                            pins -> Events.feature(pins.java()) >= JavaRelease.UNPINNED_MONITORS)
                        .isPresent());
  }
}
