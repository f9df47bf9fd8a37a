package io.github.vtdiag.experiment;

import io.github.vtdiag.experiment.Outcome.Figure;
import io.github.vtdiag.experiment.Outcome.Plot;
import io.github.vtdiag.experiment.Outcome.Row;
import io.github.vtdiag.experiment.Outcome.Series;
import io.github.vtdiag.experiment.Outcome.Table;
import io.github.vtdiag.experiment.Outcome.Unit;
import io.github.vtdiag.experiment.WebLoad.Measured;
import io.github.vtdiag.model.DataException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Measures web servers, and collects the results. */
final class WebResults {
  private static final int PAIRS = 3;
  private static final double MEGABYTE = 1 << 20;

  /** An article's figures of a server; missing ones are empty. */
  record Published(
      OptionalDouble perSecond,
      OptionalDouble completed,
      OptionalDouble worstMillis,
      OptionalDouble threads,
      OptionalDouble heapUsedBytes) {
    private static final OptionalDouble NO = OptionalDouble.empty();
    static final Published NOTHING = new Published(NO, NO, NO, NO, NO);

    static Published rate(double perSecond) {
      return new Published(OptionalDouble.of(perSecond), NO, NO, NO, NO);
    }

    static Published minute(double completed, double threads) {
      return new Published(NO, OptionalDouble.of(completed), NO, OptionalDouble.of(threads), NO);
    }

    Published worst(double seconds) {
      return new Published(
          perSecond, completed, OptionalDouble.of(seconds * 1e3), threads, heapUsedBytes);
    }

    Published heap(double megabytes) {
      return new Published(
          perSecond, completed, worstMillis, threads, OptionalDouble.of(megabytes * MEGABYTE));
    }
  }

  /** A server, the path of its endpoint, and the article's figures of it. */
  record Contender(String label, SampleProgram program, String path, Published published) {
    Contender with(Published other) {
      return new Contender(label, program, path, other);
    }

    /** Returns the path of its endpoint, which blocks for that long. */
    String path(int millis) {
      return path + "?millis=" + millis;
    }
  }

  private final Bench bench;
  private final List<Table> tables = new ArrayList<>();
  private final List<Outcome.Versus> versus = new ArrayList<>();
  private final List<Outcome.Diagnosis> diagnoses = new ArrayList<>();
  private final List<Plot> plots = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  WebResults(Bench bench) {
    this.bench = bench;
  }

  void add(Table table) {
    tables.add(table);
  }

  void add(Outcome.Versus pair) {
    versus.add(pair);
  }

  void add(Outcome.Diagnosis diagnosis) {
    diagnoses.add(diagnosis);
  }

  void note(String sentence) {
    notes.add(sentence);
  }

  Outcome outcome() {
    return new Outcome(tables, versus, diagnoses, plots, notes, problems);
  }

  /** Measures the rate of answers of each of them, and draws it. */
  void closed(String title, WebLoad load, int millis, List<Contender> contenders)
      throws DataException, InterruptedException {
    List<Double> rates = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    for (Contender each : contenders) {
      bench.progress(title + ": " + each.label());
      try (Serving server = bench.serve(each.program())) {
        Measured measured = load.run(server, each.path(millis));
        rows.add(row(each.label(), measured, true, each.published(), server.stop()));
        rates.add(measured.perSecond());
      }
    }
    tables.add(new Table(title, rows));
    if (rates.getFirst() > 0) {
      plots.add(plot(title, contenders, rates));
    }
  }

  /**
   * Plots the rates as multiples of the first, which is not zero: only multiples can be compared
   * with another machine's.
   */
  private static Plot plot(String title, List<Contender> contenders, List<Double> rates) {
    boolean published = contenders.getFirst().published().perSecond().isPresent();
    List<String> labels = new ArrayList<>();
    List<Double> measured = new ArrayList<>();
    List<Double> ofArticle = new ArrayList<>();
    for (int i = 0; i < contenders.size(); i++) {
      OptionalDouble known = contenders.get(i).published().perSecond();
      if (!published || known.isPresent()) {
        labels.add(contenders.get(i).label());
        measured.add(rates.get(i) / rates.getFirst());
        known.ifPresent(
            rate ->
                ofArticle.add(rate / contenders.getFirst().published().perSecond().getAsDouble()));
      }
    }
    List<Series> series = new ArrayList<>();
    series.add(new Series("measured", List.of(), measured));
    if (published) {
      series.add(new Series("published", List.of(), ofArticle));
    }
    return new Plot(
        "web", title, "", "times " + contenders.getFirst().label(), false, labels, series);
  }

  /** Measures how many requests each of them completes, and how late. */
  void completed(String title, WebLoad load, int millis, List<Contender> contenders)
      throws DataException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (Contender each : contenders) {
      bench.progress(title + ": " + each.label());
      try (Serving server = bench.serve(each.program())) {
        Measured measured = load.run(server, each.path(millis));
        rows.add(row(each.label(), measured, false, each.published(), server.stop()));
      }
    }
    tables.add(new Table(title, rows));
  }

  /** Returns a row of the measurement and of the server's own figures. */
  Row row(String label, Measured measured, boolean rate, Published published, Printed told)
      throws DataException {
    check(label, measured);
    List<Figure> figures = new ArrayList<>();
    if (rate) {
      figures.add(
          new Figure("throughput", Unit.PER_SECOND, measured.perSecond(), published.perSecond()));
    } else {
      figures.add(Figure.of("due", Unit.COUNT, (double) measured.result().requests()));
      figures.add(
          new Figure(
              "completed", Unit.COUNT, (double) measured.completed(), published.completed()));
    }
    figures.addAll(measured.latencies(published.worstMillis()));
    figures.add(new Figure("threads", Unit.COUNT, told.number("peakThreads"), published.threads()));
    figures.add(
        new Figure(
            "heap used", Unit.BYTES, told.number("heapUsedBytes"), published.heapUsedBytes()));
    figures.add(Figure.of("committed", Unit.BYTES, told.number("heapCommittedBytes")));
    figures.add(Figure.of("client", Unit.PERCENT, measured.clientShare()));
    return new Row(label, figures);
  }

  /** Runs two of them alternately, each in a JVM of its own. */
  void inTurns(String label, WebLoad load, int millis, Contender before, Contender after)
      throws DataException, InterruptedException {
    versus.add(
        bench.inTurns(label, variant(load, millis, before), variant(load, millis, after), PAIRS));
  }

  private Bench.Variant variant(WebLoad load, int millis, Contender contender) {
    return new Bench.Variant(
        contender.label(),
        () -> {
          try (Serving server = bench.serve(contender.program())) {
            Measured measured = load.run(server, contender.path(millis));
            check(contender.label(), measured);
            server.stop();
            return measured.perSecond();
          }
        });
  }

  /** Adds what went wrong to the problems. */
  void check(String label, Measured measured) {
    measured.wrong(label).filter(problem -> !problems.contains(problem)).ifPresent(problems::add);
  }
}
