package io.github.vtdiag.compare;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.compare.Plan.Source;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.pin.Events;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Carries out a plan, one run after the other, and leaves nothing behind. */
public final class PairedRuns {
  private static final int CEILING_USERS = 64;

  /** Receives progress. */
  public interface Listener {
    /**
     * Reports a step that begins.
     *
     * @param run the number of the run, from 1; 0 before the first
     * @param runs the number of all runs
     * @param what in a few words
     */
    void at(int run, int runs, String what);
  }

  private final Plan plan;
  private final Listener listener;
  private final List<Side> order;
  private final Path folder;
  private final Forecaster forecaster;
  private final List<Run> runs = new ArrayList<>();
  private final List<String> unread = new ArrayList<>();
  private volatile MeasuredProcess running;
  private volatile boolean ending;

  private PairedRuns(Plan plan, Listener listener, Path folder) {
    this.plan = plan;
    this.listener = listener;
    this.folder = folder;
    order = Side.order(plan.pairs());
    forecaster = new Forecaster(plan);
  }

  /**
   * Carries out a plan.
   *
   * @throws DataException if a run produced no figures: then there is nothing to compare
   */
  public static Comparison run(Plan plan, Listener listener)
      throws DataException, InterruptedException {
    plan.before().check();
    plan.after().check();
    Path folder = temporaryFolder();
    PairedRuns comparing = new PairedRuns(plan, listener, folder);
    Thread atExit = new Thread(comparing::endEarly, "end-comparison");
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      return comparing.run();
    } finally {
      delete(folder);
      forget(atExit);
    }
  }

  /** Cleans up when vtdiag itself is stopped, for example by Ctrl-C. */
  private void endEarly() {
    synchronized (this) {
      ending = true;
    }
    if (running != null) {
      running.closeQuickly();
    }
    // Only now: an application that ends writes its recording.
    delete(folder);
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // vtdiag is shutting down.
    }
  }

  private Comparison run() throws DataException, InterruptedException {
    gauge().check();
    OptionalDouble ceiling =
        plan.source() instanceof Source.Http http
            ? OptionalDouble.of(ceiling(http))
            : OptionalDouble.empty();
    for (int i = 0; i < order.size(); i++) {
      if (i > 0) {
        at("cooling down");
        Clock.SYSTEM.sleepUntil(System.nanoTime() + plan.coolDownNanos());
      }
      runs.add(measure());
    }
    int jdkAfter =
        runs.stream()
            .filter(run -> run.side() == Side.AFTER)
            .flatMap(run -> run.pins().stream())
            .mapToInt(pins -> Events.feature(pins.java()))
            .min()
            .orElse(0);
    return Comparison.of(plan, runs, forecaster.forecast(jdkAfter), ceiling, warnings());
  }

  private List<String> warnings() {
    return unread.isEmpty()
        ? List.of()
        : List.of(
            "the pins of %s are unknown: %s"
                .formatted(Figures.count(unread.size(), "run"), unread.getFirst()));
  }

  private void at(String what) {
    listener.at(runs.size() + 1, order.size(), what);
  }

  private Side side() {
    return order.get(runs.size());
  }

  /** Returns the name of the run in a sentence: {@code run 3 of 10 (with the change)}. */
  private String name() {
    return "run %d of %d (%s)"
        .formatted(
            runs.size() + 1,
            order.size(),
            switch (side()) {
              case BEFORE -> "without the change";
              case AFTER -> "with the change";
            });
  }

  private double ceiling(Source.Http http) throws DataException, InterruptedException {
    listener.at(0, order.size(), "measuring the load generator alone");
    int users =
        switch (http.load()) {
          case Load.Closed closed -> closed.users() * http.targets().size();
          case Load.Open open -> CEILING_USERS;
        };
    try {
      return Ceiling.measure(users, http.warmUpNanos(), http.durationNanos());
    } catch (IOException e) {
      throw new DataException("cannot open a socket on this machine: " + e.getMessage(), e);
    }
  }

  /** Returns a new gauge, one for each run. */
  private Gauge gauge() {
    return switch (plan.source()) {
      case Source.Http http -> new HttpGauge(http);
      case Source.Printed printed -> new PrintedGauge(printed);
      case Source.Counted counted ->
          new CountGauge(counted, new CountedCalls(counts(), counted.methods()));
    };
  }

  private Run measure() throws DataException, InterruptedException {
    Gauge gauge = gauge();
    gauge.check();
    Gauge.Reading reading;
    Optional<Peak> peak;
    at("starting");
    try (Attempt attempt = new Attempt(name(), start(gauge), this::at, () -> ending)) {
      reading = gauge.read(attempt);
      peak = attempt.application().peak();
      at("stopping");
    }
    // The recording is there once the application has ended.
    Optional<Findings> findings = findings(reading);
    if (side() == Side.BEFORE) {
      findings.ifPresent(forecaster::add);
    }
    return new Run(
        side(),
        reading.measured(),
        findings.map(Run.Pins::of),
        peak,
        findings.stream()
            .flatMap(found -> found.recordings().stream())
            .flatMapToLong(facts -> facts.peakHeapBytes().stream())
            .max());
  }

  private MeasuredProcess start(Gauge gauge) throws DataException {
    JavaCommand command =
        switch (side()) {
          case BEFORE -> plan.before();
          case AFTER -> plan.after();
        };
    List<String> line = command.line(plan.agent().map(this::agent));
    synchronized (this) {
      if (ending) {
        throw new DataException("interrupted");
      }
      running = MeasuredProcess.start(line, gauge::line);
      return running;
    }
  }

  private String agent(Plan.Agent agent) {
    // The same on both sides except for the change. Running without the agent would compare
    // something else.
    StringBuilder options =
        new StringBuilder(agent.jar() + "=output=" + recording())
            .append(",warn=off,summary=off,onerror=fail");
    if (plan.source() instanceof Source.Counted counted) {
      options.append(
          counted.methods().stream()
              .map(Source.Counted.Method::method)
              .collect(Collectors.joining(":", ",count=", ",count-output=" + counts())));
    }
    if (side() == Side.AFTER) {
      agent.whatIf().ifPresent(value -> options.append(",rewrite=").append(value));
    }
    return options.toString();
  }

  private Path recording() {
    return folder.resolve("run-" + (runs.size() + 1) + ".jfr");
  }

  private Path counts() {
    return folder.resolve("run-" + (runs.size() + 1) + ".counts");
  }

  private Optional<Findings> findings(Gauge.Reading reading) {
    if (plan.agent().isEmpty()) {
      return Optional.empty();
    }
    if (Files.notExists(recording())) {
      unread.add(
          name()
              + " left no recording: it was killed, or it ended before the agent could start, when"
              + " it had no virtual thread");
      return Optional.empty();
    }
    try {
      return Optional.of(RecordedPins.read(recording(), reading.from(), reading.to()));
    } catch (DataException e) {
      unread.add(name() + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private static Path temporaryFolder() throws DataException {
    try {
      return Files.createTempDirectory("vtdiag-compare");
    } catch (IOException e) {
      throw new DataException(
          "no folder for the recordings can be made in "
              + System.getProperty("java.io.tmpdir")
              + "; make room there",
          e);
    }
  }

  private static void delete(Path folder) {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      // The temporary folder is cleaned up by the system.
    }
  }
}
