package vtdiag.measure;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What a plan brought to light.
 *
 * @param plan what was done
 * @param runs in the order in which they ran: each two are a pair
 * @param throughput operations or good answers a second
 * @param latencies p50, p99 and p99.9 in nanoseconds; none if the program told its operations
 *     itself
 * @param decisive the figure that the verdict goes by: the throughput, or the p99 of an open loop,
 *     whose throughput is given
 * @param verdict what the figures allow to say
 * @param ceiling how many requests a second the load generator can send at least; empty if it was
 *     not used
 * @param warnings what makes the figures doubtful, one sentence each
 */
public record Comparison(
    Plan plan,
    List<Run> runs,
    Figure throughput,
    List<Figure> latencies,
    Figure decisive,
    Verdict verdict,
    OptionalDouble ceiling,
    List<String> warnings) {

  /** From this part of its ceiling on, the load generator may be what is measured. */
  private static final double NEAR_CEILING = 0.5;

  public Comparison {
    runs = List.copyOf(runs);
    latencies = List.copyOf(latencies);
    warnings = List.copyOf(warnings);
  }

  /**
   * One figure of both sides.
   *
   * @param before the geometric mean over the runs, so that it agrees with the ratio
   * @param ratio after to before
   */
  public record Figure(String name, double before, double after, Ratio ratio) {
    static Figure of(String name, List<Run> runs, ToDoubleFunction<Run> value) {
      double[] before = values(runs, Side.BEFORE, value);
      double[] after = values(runs, Side.AFTER, value);
      return new Figure(name, mean(before), mean(after), Ratio.of(before, after));
    }

    /** The n-th run of a side belongs to the n-th pair. */
    private static double[] values(List<Run> runs, Side side, ToDoubleFunction<Run> value) {
      return runs.stream().filter(run -> run.side() == side).mapToDouble(value).toArray();
    }

    private static double mean(double[] values) {
      double logs = 0;
      for (double value : values) {
        logs += Math.log(value);
      }
      return Math.exp(logs / values.length);
    }
  }

  static Comparison of(Plan plan, List<Run> runs, OptionalDouble ceiling, List<String> warnings) {
    Figure throughput = Figure.of("throughput", runs, Run::perSecond);
    boolean load = runs.stream().allMatch(run -> run.load().isPresent());
    List<Figure> latencies =
        load
            ? List.of(
                latency("p50", runs, Latency::p50Nanos),
                latency("p99", runs, Latency::p99Nanos),
                latency("p99.9", runs, Latency::p999Nanos))
            : List.of();
    boolean open =
        plan.measure() instanceof Plan.Measure.Http http && http.load() instanceof Load.Open;
    Figure decisive = open ? latencies.get(1) : throughput;
    Verdict verdict = Verdict.of(open ? decisive.ratio().inverse() : decisive.ratio());
    double most = runs.stream().mapToDouble(Run::perSecond).max().orElse(0);
    Stream<String> near =
        ceiling.isPresent() && most > NEAR_CEILING * ceiling.getAsDouble()
            ? Stream.of(
                "the load generator came near its own ceiling on this machine, so the faster side"
                    + " may be faster than it looks")
            : Stream.empty();
    return new Comparison(
        plan,
        runs,
        throughput,
        latencies,
        decisive,
        verdict,
        ceiling,
        Stream.concat(warnings.stream(), near).toList());
  }

  private static Figure latency(String name, List<Run> runs, ToDoubleFunction<Latency> value) {
    // A time too short to be told from none still has a ratio.
    return Figure.of(
        name, runs, run -> Math.max(1, value.applyAsDouble(run.load().orElseThrow().latency())));
  }

  /** The runs of one side. */
  public List<Run> of(Side side) {
    return runs.stream().filter(run -> run.side() == side).toList();
  }

  /** The pins of all runs of one side together; empty if they are not known of every run. */
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

  /** The most that any run of one side had; empty if no run could be looked at. */
  public Optional<Peak> peak(Side side) {
    return of(side).stream().flatMap(run -> run.peak().stream()).reduce(Peak::max);
  }
}
