package io.github.vtdiag.experiment;

import io.github.vtdiag.experiment.CrawlerCrossover.Point;
import io.github.vtdiag.experiment.CrawlerRuns.Crawl;
import io.github.vtdiag.experiment.CrawlerRuns.Done;
import io.github.vtdiag.experiment.Outcome.Diagnosis;
import io.github.vtdiag.experiment.Outcome.Figure;
import io.github.vtdiag.experiment.Outcome.Plot;
import io.github.vtdiag.experiment.Outcome.Row;
import io.github.vtdiag.experiment.Outcome.Series;
import io.github.vtdiag.experiment.Outcome.Table;
import io.github.vtdiag.experiment.Outcome.Unit;
import io.github.vtdiag.experiment.Outcome.Versus;
import io.github.vtdiag.model.DataException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Pages fetched by virtual threads, and by a pool of as many threads as there are processors. */
public final class Crawler implements Experiment {
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  /**
   * The measurement at one delay. A slow cell gets fewer tasks of the pool, whose rate is the same
   * from the first to the last.
   *
   * @param virtual the article's tasks a second
   * @param pool the same of its pool
   */
  private record Cell(
      int delayMicros, int tasks, int poolTasks, OptionalDouble virtual, OptionalDouble pool) {
    Cell(int delayMicros, int tasks, int poolTasks) {
      this(delayMicros, tasks, poolTasks, OptionalDouble.empty(), OptionalDouble.empty());
    }

    Cell(int delayMicros, int tasks, int poolTasks, double virtual, double pool) {
      this(delayMicros, tasks, poolTasks, OptionalDouble.of(virtual), OptionalDouble.of(pool));
    }

    String label() {
      return delay(delayMicros / 1_000.0);
    }
  }

  /**
   * The amount of work.
   *
   * @param rounds of each cell
   * @param warmUp tasks before each run that do not count
   * @param politeMicros the delay at which polite crawlers are compared
   * @param fewTasks of a crawler that pins its carriers
   * @param manyTasks of one that does not
   */
  private record Form(
      List<Cell> cells,
      int rounds,
      int warmUp,
      int pairs,
      int politeMicros,
      int fewTasks,
      int manyTasks) {}

  private static final Form FULL =
      new Form(
          List.of(
              new Cell(0, 20_000, 20_000, 3_736, 4_172),
              // Not in the article: the crossover lies between its first two delays.
              new Cell(100, 20_000, 20_000),
              new Cell(250, 20_000, 10_000),
              new Cell(500, 20_000, 10_000),
              new Cell(1_000, 20_000, 5_000, 3_482, 3_287),
              new Cell(5_000, 20_000, 1_500, 3_554, 1_667),
              new Cell(10_000, 20_000, 1_000, 3_587, 826)),
          3,
          2_000,
          3,
          10_000,
          400,
          4_000);

  private static final Form SHORT =
      new Form(
          List.of(
              new Cell(0, 2_000, 2_000),
              new Cell(1_000, 2_000, 500),
              new Cell(5_000, 2_000, 150),
              new Cell(10_000, 2_000, 100)),
          1,
          300,
          2,
          5_000,
          150,
          1_500);

  /** All rounds of a cell. */
  private record Measured(Cell cell, List<Done> virtual, List<Done> pool) {
    double mean(ToDoubleFunction<Done> figure, boolean ofPool) {
      return (ofPool ? pool : virtual).stream().mapToDouble(figure).average().orElseThrow();
    }

    double virtualRate() {
      return mean(Done::perSecond, false);
    }

    double poolRate() {
      return mean(Done::perSecond, true);
    }

    Point point() {
      return new Point(cell.delayMicros() / 1_000.0, virtualRate(), poolRate());
    }

    Point point(int round) {
      return new Point(
          cell.delayMicros() / 1_000.0,
          virtual.get(round).perSecond(),
          pool.get(round).perSecond());
    }
  }

  /** All results of one Java. */
  private record OnJava(
      int feature, List<Measured> cells, Versus versus, List<Diagnosis> diagnoses) {}

  @Override
  public String name() {
    return "crawler";
  }

  @Override
  public String about() {
    return "20,000 tasks that fetch three pages each: from which delay on virtual threads overtake"
        + " a pool of as many threads as processors";
  }

  @Override
  public String publishedOn() {
    return "JDK 21";
  }

  @Override
  public Outcome run(Bench bench) throws DataException, InterruptedException {
    Form form = bench.isShort() ? SHORT : FULL;
    int newest = Runtime.version().feature();
    boolean both = !bench.isShort() && newest != bench.feature();
    bench.progress(length(form, both ? 2 : 1));
    List<OnJava> all = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    Printed served;
    try (Serving server = bench.serve(new SampleProgram("samples.crawler.Server", List.of()))) {
      all.add(onJava(bench, form, new CrawlerRuns(bench, server.port(), problems)));
      if (both) {
        try (Bench other = bench.on(Path.of(System.getProperty("java.home")), newest)) {
          all.add(onJava(other, form, new CrawlerRuns(other, server.port(), problems)));
        }
      }
      served = server.stop();
    }
    return new Outcome(
        all.stream().map(Crawler::table).toList(),
        all.stream().map(OnJava::versus).toList(),
        all.stream().flatMap(each -> each.diagnoses().stream()).toList(),
        List.of(plot(all)),
        notes(form, all, served),
        problems);
  }

  /** Returns the expected length, so that the user knows how long to wait. */
  private static String length(Form form, int javas) {
    double seconds = 30;
    for (Cell cell : form.cells()) {
      double task = CrawlerRuns.GETS * (cell.delayMicros() / 1e6 + 0.0003) / PROCESSORS;
      seconds += form.rounds() * (cell.poolTasks() * task + cell.tasks() / 2_500.0 + 4);
    }
    double get = form.politeMicros() / 1e6 / PROCESSORS;
    seconds += form.pairs() * (form.fewTasks() * CrawlerRuns.GETS * get + 6);
    long minutes = Math.max(1, Math.round(seconds * javas / 60));
    return "takes about " + minutes + (minutes == 1 ? " minute" : " minutes");
  }

  private static OnJava onJava(Bench bench, Form form, CrawlerRuns runs)
      throws DataException, InterruptedException {
    String java = "Java " + bench.feature();
    List<Measured> cells = new ArrayList<>();
    for (Cell cell : form.cells()) {
      List<Done> virtual = new ArrayList<>();
      List<Done> pool = new ArrayList<>();
      for (int round = 1; round <= form.rounds(); round++) {
        String where =
            "%s, delay %s, round %d of %d: ".formatted(java, cell.label(), round, form.rounds());
        bench.progress(where + "virtual threads");
        virtual.add(
            runs.run(
                new Crawl("virtual", "free", cell.tasks(), cell.delayMicros(), form.warmUp())));
        bench.progress(where + "pool of " + PROCESSORS);
        pool.add(
            runs.run(
                new Crawl("pool", "free", cell.poolTasks(), cell.delayMicros(), form.warmUp())));
      }
      cells.add(new Measured(cell, virtual, pool));
    }
    // A crawler that pins its carriers takes long for few tasks; two that take the same time get
    // the same.
    boolean pins = bench.feature() < 24;
    Crawl monitor = polite("monitor", pins ? form.fewTasks() : form.manyTasks(), form);
    Crawl lock = polite("lock", form.manyTasks(), form);
    Versus versus =
        bench.inTurns(
            "one page of a site at a time, " + java,
            new Bench.Variant("synchronized", () -> runs.run(monitor).perSecond()),
            new Bench.Variant("ReentrantLock", () -> runs.run(lock).perSecond()),
            form.pairs());
    List<Diagnosis> diagnoses = new ArrayList<>();
    for (Crawl crawl : List.of(polite("free", form.manyTasks(), form), monitor, lock)) {
      String recording = "crawler-" + crawl.sites() + "-" + bench.feature();
      bench.progress(java + ", recorded: " + crawl.sites());
      runs.run(crawl, recording);
      diagnoses.add(bench.diagnosis(sites(crawl.sites()) + ", " + java, recording));
    }
    return new OnJava(bench.feature(), cells, versus, diagnoses);
  }

  private static Crawl polite(String sites, int tasks, Form form) {
    return new Crawl("virtual", sites, tasks, form.politeMicros(), form.warmUp());
  }

  private static String sites(String name) {
    return switch (name) {
      case "monitor" -> "one page of a site at a time, synchronized";
      case "lock" -> "one page of a site at a time, ReentrantLock";
      default -> "as in the article: URL.openStream, no lock around it";
    };
  }

  private static String delay(double millis) {
    return String.format(Locale.ROOT, "%.2f", millis).replaceAll("\\.?0+$", "") + " ms";
  }

  private static Table table(OnJava on) {
    List<Row> rows = new ArrayList<>();
    for (Measured each : on.cells()) {
      Cell cell = each.cell();
      OptionalDouble ratio =
          cell.virtual().isPresent()
              ? OptionalDouble.of(cell.virtual().getAsDouble() / cell.pool().getAsDouble())
              : OptionalDouble.empty();
      rows.add(
          new Row(
              cell.label(),
              List.of(
                  new Figure("virtual", Unit.PER_SECOND, each.virtualRate(), cell.virtual()),
                  new Figure(
                      "pool of " + PROCESSORS, Unit.PER_SECOND, each.poolRate(), cell.pool()),
                  new Figure(
                      "virtual / pool", Unit.TIMES, each.virtualRate() / each.poolRate(), ratio),
                  Figure.of("tasks, virtual", Unit.COUNT, cell.tasks()),
                  Figure.of("tasks, pool", Unit.COUNT, cell.poolTasks()),
                  Figure.of(
                      "answered after, virtual",
                      Unit.MILLIS,
                      each.mean(Done::answeredMillis, false)),
                  Figure.of(
                      "answered after, pool", Unit.MILLIS, each.mean(Done::answeredMillis, true)),
                  Figure.of(
                      "server's share of CPU time",
                      Unit.PERCENT,
                      each.mean(Done::serverShare, false)))));
    }
    return new Table("Tasks a second by the server's delay, Java " + on.feature(), rows);
  }

  private static Plot plot(List<OnJava> all) {
    List<Series> series = new ArrayList<>();
    for (OnJava on : all) {
      List<Double> delays =
          on.cells().stream().map(each -> each.cell().delayMicros() / 1_000.0).toList();
      String java = ", Java " + on.feature();
      series.add(
          new Series(
              "virtual threads" + java,
              delays,
              on.cells().stream().map(Measured::virtualRate).toList()));
      series.add(
          new Series(
              "pool of " + PROCESSORS + java,
              delays,
              on.cells().stream().map(Measured::poolRate).toList()));
    }
    return new Plot(
        "crawler",
        "Three GETs a task, by the server's delay",
        "delay in ms",
        "tasks a second",
        true,
        List.of(),
        series);
  }

  private static List<String> notes(Form form, List<OnJava> all, Printed served)
      throws DataException {
    List<String> notes = new ArrayList<>();
    for (OnJava on : all) {
      notes.add(crossover(form, on));
    }
    Measured first = all.getFirst().cells().getFirst();
    notes.add(
        String.format(
            Locale.ROOT,
            "HttpURLConnection keeps at most 5 idle connections: without delay the virtual threads"
                + " of Java %d opened %.2f connections a GET, the pool %.4f.",
            all.getFirst().feature(),
            first.mean(Done::connections, false),
            first.mean(Done::connections, true)));
    notes.add(
        String.format(
            Locale.ROOT,
            "The server answers on two threads in a process of its own, and used up to %.2f"
                + " processors (%.0f%% of the processor time of both).",
            most(all, Done::serverLoad),
            100 * most(all, Done::serverShare)));
    notes.add(
        String.format(
            Locale.ROOT,
            "No more than %,d GETs at a time, whoever runs them: 20,000 would take as many file"
                + " descriptors on either side, and the backlog of a server has 4,096 places on"
                + " Linux. There were up to %,d.",
            first.virtual().getFirst().atMost(),
            served.count("mostOpen")));
    notes.add(
        String.format(
            Locale.ROOT,
            "Means of %d %s, each in a JVM of its own after %,d tasks without delay that do not"
                + " count. The pool gets fewer tasks where they take long.",
            form.rounds(),
            form.rounds() == 1 ? "round" : "rounds",
            form.warmUp()));
    return notes;
  }

  private static double most(List<OnJava> all, ToDoubleFunction<Done> figure) {
    return all.stream()
        .flatMap(on -> on.cells().stream())
        .flatMap(each -> Stream.concat(each.virtual().stream(), each.pool().stream()))
        .mapToDouble(figure)
        .max()
        .orElse(0);
  }

  private static String crossover(Form form, OnJava on) {
    CrawlerCrossover mean = CrawlerCrossover.of(on.cells().stream().map(Measured::point).toList());
    String java = "Java " + on.feature() + ": ";
    if (!mean.virtualAtLast()) {
      return java + "the pool is ahead even at the longest delay.";
    }
    if (mean.millis().isEmpty()) {
      return java
          + "virtual threads are ahead at every delay, 0 ms included: there is no crossover.";
    }
    List<String> rounds = new ArrayList<>();
    for (int round = 0; round < form.rounds(); round++) {
      int number = round;
      OptionalDouble millis =
          CrawlerCrossover.of(on.cells().stream().map(each -> each.point(number)).toList())
              .millis();
      rounds.add(millis.isPresent() ? delay(millis.getAsDouble()) : "none");
    }
    return java
        + "virtual threads overtake the pool at a delay of "
        + delay(mean.millis().getAsDouble())
        + (form.rounds() == 1 ? "" : " (round by round: " + String.join(", ", rounds) + ")")
        + ", if the time per task grows in a straight line between two delays.";
  }
}
