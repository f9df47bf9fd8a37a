package io.github.vtdiag.experiment;

import io.github.vtdiag.experiment.Outcome.Diagnosis;
import io.github.vtdiag.experiment.Outcome.Figure;
import io.github.vtdiag.experiment.Outcome.Plot;
import io.github.vtdiag.experiment.Outcome.Row;
import io.github.vtdiag.experiment.Outcome.Series;
import io.github.vtdiag.experiment.Outcome.Table;
import io.github.vtdiag.experiment.Outcome.Unit;
import io.github.vtdiag.experiment.Outcome.Versus;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tasks that only sleep: a virtual thread each, or in pools; and the effect of a lock around the
 * sleep.
 */
public final class Sleepers implements Experiment {
  private static final String MAIN = "samples.sleepers.Sleepers";
  private static final String VIRTUAL = "virtual";

  /** The published figures by threads, in milliseconds. */
  private static final Map<String, Double> PUBLISHED = published();

  private static final int PUBLISHED_TASKS = 10_000;
  private static final int PUBLISHED_MILLIS = 300;
  private static final int WARM_UP_ROUNDS = 5;

  /** The fewest holders. With fewer, most of a run would be the start of its JVM. */
  private static final int FEWEST_HOLDERS = 16;

  private static final String AVERAGE = "average";
  private static final String OTHERS = "without a lock";

  /**
   * The amount of work.
   *
   * @param holders tasks that sleep under a lock; more than there are carriers
   */
  private record Size(int tasks, int millis, int rounds, int holders, int pairs) {
    static Size of(boolean isShort) {
      int carriers = Runtime.getRuntime().availableProcessors();
      return isShort
          ? new Size(2_000, 100, 1, Math.max(FEWEST_HOLDERS, 2 * carriers + 2), 3)
          : new Size(PUBLISHED_TASKS, PUBLISHED_MILLIS, 3, 10 * carriers + 20, 5);
    }

    boolean isPublished() {
      return tasks == PUBLISHED_TASKS && millis == PUBLISHED_MILLIS;
    }

    int permits() {
      return Math.max(2, holders / 4);
    }
  }

  private static Map<String, Double> published() {
    Map<String, Double> published = new LinkedHashMap<>();
    published.put(VIRTUAL, 437.0);
    published.put("200", 15_549.0);
    published.put("500", 6_232.0);
    published.put("800", 4_056.0);
    published.put("1000", 3_138.0);
    return published;
  }

  @Override
  public String name() {
    return "sleepers";
  }

  @Override
  public String about() {
    return "10,000 tasks that sleep: virtual threads against pools, and a lock around the sleep";
  }

  @Override
  public String publishedOn() {
    return "20 hardware threads, JDK 21";
  }

  @Override
  public Outcome run(Bench bench) throws DataException, InterruptedException {
    return new Measuring(bench, Size.of(bench.isShort())).outcome();
  }

  /** One run of it. */
  private static final class Measuring {
    private final Bench bench;
    private final Size size;
    private final List<String> problems = new ArrayList<>();
    private final Map<String, List<Printed>> printed = new LinkedHashMap<>();
    private final List<Diagnosis> diagnoses = new ArrayList<>();

    Measuring(Bench bench, Size size) {
      this.bench = bench;
      this.size = size;
    }

    Outcome outcome() throws DataException, InterruptedException {
      Table pools = pools();
      List<Versus> versus =
          List.of(
              bench.inTurns(
                  "tasks beside those with one lock",
                  guarded("one shared monitor", "shared-monitor"),
                  guarded("one shared ReentrantLock", "shared-lock"),
                  size.pairs()),
              bench.inTurns(
                  "tasks beside those with a lock each",
                  guarded("a monitor per task", "own-monitor"),
                  guarded("a ReentrantLock per task", "own-lock"),
                  size.pairs()));
      String semaphore = "a Semaphore of " + Figures.count(size.permits(), "permit");
      bench.progress(semaphore);
      guarded(semaphore, "semaphore").run().perSecond();
      Table guards = guards();
      return new Outcome(
          List.of(pools, guards),
          versus,
          diagnoses,
          List.of(poolsPlot(pools), guardsPlot(guards)),
          notes(),
          problems);
    }

    private Table pools() throws DataException, InterruptedException {
      List<Row> rows = new ArrayList<>();
      double virtual = 0;
      for (String threads : PUBLISHED.keySet()) {
        String label =
            threads.equals(VIRTUAL)
                ? "virtual threads"
                : "pool of " + Figures.count(Integer.parseInt(threads));
        bench.progress(label);
        Printed result = checked(label, bench.run(program("threads=" + threads)), 0);
        double millis = result.number("millis");
        virtual = virtual == 0 ? millis : virtual;
        double floor =
            size.millis()
                * (threads.equals(VIRTUAL)
                    ? 1
                    : Math.ceil((double) size.tasks() / Integer.parseInt(threads)));
        double published = PUBLISHED.get(threads);
        List<Figure> figures = new ArrayList<>();
        figures.add(figure(AVERAGE, Unit.MILLIS, millis, published));
        figures.add(
            figure(
                "times virtual", Unit.TIMES, millis / virtual, published / PUBLISHED.get(VIRTUAL)));
        figures.add(Figure.of("slowest round", Unit.MILLIS, result.number("most")));
        figures.add(Figure.of("at least", Unit.MILLIS, floor));
        figures.add(Figure.of("above that", Unit.PERCENT, millis / floor - 1));
        figures.add(Figure.of("platform threads", Unit.COUNT, result.number("peakThreads")));
        rows.add(new Row(label, figures));
      }
      return new Table(
          "%s tasks that sleep %d ms, %s"
              .formatted(
                  Figures.count(size.tasks()),
                  size.millis(),
                  Figures.count(size.rounds(), "round")),
          rows);
    }

    /**
     * Returns a figure. The published one was measured with this many tasks, and is compared with
     * no other number.
     */
    private Figure figure(String name, Unit unit, double value, double published) {
      return size.isPublished()
          ? Figure.of(name, unit, value, published)
          : Figure.of(name, unit, value);
    }

    private SampleProgram program(String... more) {
      List<String> arguments = new ArrayList<>(List.of(more));
      arguments.add("tasks=" + size.tasks());
      arguments.add("millis=" + size.millis());
      arguments.add("warmUp=" + WARM_UP_ROUNDS);
      if (arguments.stream().noneMatch(argument -> argument.startsWith("rounds="))) {
        arguments.add("rounds=" + size.rounds());
      }
      return new SampleProgram(MAIN, arguments);
    }

    private Printed checked(String label, Printed result, int holders) throws DataException {
      long expected = (long) (holders == 0 ? size.rounds() : 1) * (size.tasks() + holders);
      long errors = result.count("errors");
      if (errors != 0 || result.count("tasks") != expected) {
        problems.add(
            "%s: %s of %s tasks came out right"
                .formatted(
                    label,
                    Figures.count(Math.max(0, result.count("tasks") - errors)),
                    Figures.count(expected)));
      }
      return result;
    }

    /**
     * Returns the variant with tasks that sleep under a guard, started before those without one.
     */
    private Bench.Variant guarded(String label, String guard) {
      return new Bench.Variant(
          label,
          () -> {
            SampleProgram program =
                program(
                    "guard=" + guard,
                    "holders=" + size.holders(),
                    "permits=" + size.permits(),
                    "rounds=1");
            Printed result = checked(label, bench.run(program, guard), size.holders());
            if (printed.computeIfAbsent(label, any -> new ArrayList<>()).isEmpty()) {
              diagnoses.add(bench.diagnosis(label, guard));
            }
            printed.get(label).add(result);
            return size.tasks() / result.number("millis") * 1_000;
          });
    }

    private Table guards() throws DataException {
      List<Row> rows = new ArrayList<>();
      for (Map.Entry<String, List<Printed>> variant : printed.entrySet()) {
        rows.add(
            new Row(
                variant.getKey(),
                List.of(
                    Figure.of(OTHERS, Unit.MILLIS, mean(variant.getValue(), "millis")),
                    Figure.of("all", Unit.MILLIS, mean(variant.getValue(), "allMillis")),
                    Figure.of(
                        "platform threads", Unit.COUNT, mean(variant.getValue(), "peakThreads")))));
      }
      return new Table(
          "virtual threads: %s tasks sleep %d ms under a lock, and %s without one"
              .formatted(Figures.count(size.holders()), size.millis(), Figures.count(size.tasks())),
          rows);
    }

    private static double mean(List<Printed> results, String key) throws DataException {
      double sum = 0;
      for (Printed result : results) {
        sum += result.number(key);
      }
      return sum / results.size();
    }

    private Plot poolsPlot(Table table) {
      List<Series> series = new ArrayList<>();
      series.add(new Series("measured", List.of(), values(table, AVERAGE)));
      if (size.isPublished()) {
        series.add(new Series("published", List.of(), List.copyOf(PUBLISHED.values())));
      }
      return new Plot("sleepers", table.title(), "", "milliseconds", false, labels(table), series);
    }

    private static Plot guardsPlot(Table table) {
      return new Plot(
          "sleepers-locks",
          "How long the tasks took that need no lock",
          "",
          "milliseconds",
          false,
          labels(table),
          List.of(new Series("measured", List.of(), values(table, OTHERS))));
    }

    private static List<String> labels(Table table) {
      return table.rows().stream().map(Row::label).toList();
    }

    private static List<Double> values(Table table, String name) {
      return table.rows().stream()
          .flatMap(row -> row.figures().stream())
          .filter(figure -> figure.name().equals(name))
          .map(Figure::value)
          .toList();
    }

    private List<String> notes() {
      List<String> notes = new ArrayList<>();
      notes.add(
          "Each row is a JVM of its own. %s of tasks that sleep 10 ms warm it up and do not count; a round is timed from before its threads are made until all its tasks have ended."
              .formatted(Figures.count(WARM_UP_ROUNDS, "round")));
      notes.add(
          "No more than %s tasks sleep under a lock: where only one may sleep at a time, %s that sleep %d ms take %s."
              .formatted(
                  Figures.count(size.holders()),
                  Figures.count(PUBLISHED_TASKS),
                  PUBLISHED_MILLIS,
                  Figures.duration(PUBLISHED_TASKS * PUBLISHED_MILLIS * 1_000_000L)));
      if (!size.isPublished()) {
        notes.add(
            "This is the short form; the published figures are of %s tasks that sleep %d ms, and stand beside the full form only."
                .formatted(Figures.count(PUBLISHED_TASKS), PUBLISHED_MILLIS));
      }
      return notes;
    }
  }
}
