package vtdiag.measure;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import vtdiag.finding.Figures;
import vtdiag.measure.Plan.Measure;
import vtdiag.recording.DataException;

/** Carries out a plan: one run after the other, nothing of which is left when it ends. */
public final class Experiment {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration FIRST_ANSWER_TIMEOUT = Duration.ofSeconds(2);
  private static final int CONNECT_MILLIS = 500;
  private static final int CEILING_USERS = 64;
  private static final long ASK_AGAIN_MILLIS = 50;

  /** How long answers are waited for once the last request was due. */
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  /** Is told what happens, as it happens. */
  public interface Listener {
    /**
     * Something begins.
     *
     * @param run which of the runs, from 1; 0 before the first
     * @param runs how many there will be
     * @param what in a few words
     */
    void at(int run, int runs, String what);
  }

  private final Plan plan;
  private final Listener listener;
  private final List<Side> order;
  private final Path folder;
  private final List<Run> runs = new ArrayList<>();
  private final List<String> unread = new ArrayList<>();
  private volatile Application running;
  private volatile boolean ending;

  private Experiment(Plan plan, Listener listener, Path folder) {
    this.plan = plan;
    this.listener = listener;
    this.folder = folder;
    order = Side.order(plan.pairs());
  }

  /**
   * Carries out a plan.
   *
   * @throws DataException if a run brought no figures: then there is nothing to compare
   */
  public static Comparison run(Plan plan, Listener listener)
      throws DataException, InterruptedException {
    plan.before().check();
    plan.after().check();
    Path folder = temporaryFolder();
    Experiment experiment = new Experiment(plan, listener, folder);
    Thread atExit = new Thread(experiment::endEarly, "end-experiment");
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      return experiment.run();
    } finally {
      delete(folder);
      forget(atExit);
    }
  }

  /** Leaves nothing behind where vtdiag is ended, by Ctrl-C for one. */
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
      // vtdiag is being ended.
    }
  }

  private Comparison run() throws DataException, InterruptedException {
    OptionalDouble ceiling =
        switch (plan.measure()) {
          case Measure.Http http -> {
            checkNobodyListens(http.uri());
            yield OptionalDouble.of(ceiling(http.load()));
          }
          case Measure.Printed printed -> OptionalDouble.empty();
        };
    for (int i = 0; i < order.size(); i++) {
      if (i > 0) {
        at("cooling down");
        Clock.SYSTEM.sleepUntil(System.nanoTime() + plan.coolDownNanos());
      }
      runs.add(
          switch (plan.measure()) {
            case Measure.Http http -> serve(http);
            case Measure.Printed printed -> print(printed);
          });
    }
    return Comparison.of(plan, runs, ceiling, warnings());
  }

  private List<String> warnings() {
    return unread.isEmpty()
        ? List.of()
        : List.of(
            "the pins of %s are not known; %s"
                .formatted(Figures.count(unread.size(), "run"), unread.getFirst()));
  }

  private void at(String what) {
    listener.at(runs.size() + 1, order.size(), what);
  }

  private Side side() {
    return order.get(runs.size());
  }

  /** Names the run in a sentence: {@code run 3 of 10 (with the change)}. */
  private String name() {
    return "run %d of %d (%s)"
        .formatted(
            runs.size() + 1,
            order.size(),
            switch (side()) {
              case BEFORE -> "as it is";
              case AFTER -> "with the change";
            });
  }

  private double ceiling(Load load) throws DataException, InterruptedException {
    listener.at(0, order.size(), "measuring the load generator itself");
    int users =
        switch (load) {
          case Load.Closed closed -> closed.users();
          case Load.Open open -> CEILING_USERS;
        };
    try {
      return Ceiling.measure(users);
    } catch (IOException e) {
      throw new DataException("no socket can be opened on this machine: " + e.getMessage(), e);
    }
  }

  private static void checkNobodyListens(URI uri) throws DataException {
    if (listens(uri)) {
      throw new DataException(
          uri
              + ": something listens there already, and would be measured instead; end it or take"
              + " another port");
    }
  }

  private static boolean listens(URI uri) {
    int port = uri.getPort() >= 0 ? uri.getPort() : uri.getScheme().equals("https") ? 443 : 80;
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(uri.getHost(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private Application start(Operations operations) throws DataException {
    at("starting");
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
      running = Application.start(line, operations::line);
      return running;
    }
  }

  private String agent(Plan.Agent agent) {
    // On both sides the same but for the change itself. It must not run without the agent: that
    // would compare something else.
    return agent.jar()
        + "=output="
        + recording()
        + ",warn=off,summary=off,onerror=fail"
        + (side() == Side.AFTER ? agent.whatIf().map(value -> ",rewrite=" + value).orElse("") : "");
  }

  private Path recording() {
    return folder.resolve("run-" + (runs.size() + 1) + ".jfr");
  }

  private Run print(Measure.Printed printed) throws DataException, InterruptedException {
    Operations operations = Operations.in(printed.pattern());
    Instant from = Instant.now();
    try (Application application = start(operations)) {
      at("running");
      if (!application.waitFor(printed.timeoutNanos())) {
        throw new DataException(
            "%s did not end within %s; give it less to do, or more time with --timeout, or measure a server with --http%s"
                .formatted(
                    name(), Figures.duration(printed.timeoutNanos()), application.outputEnd()));
      }
      if (application.exitCode() != 0) {
        throw ended(application, "");
      }
      Operations.Printed done =
          operations
              .printed()
              .orElseThrow(
                  () ->
                      new DataException(
                          "%s printed no number of operations; have it print '1000 operations' or '99.5 ops/s', or say with --operations REGEX how it tells%s"
                              .formatted(name(), application.outputEnd())));
      double perSecond =
          done.perSecond() ? done.number() : done.number() * 1e9 / application.wallNanos();
      return new Run(
          side(), perSecond, Optional.empty(), pins(from, Instant.now()), application.peak());
    }
  }

  private Run serve(Measure.Http http) throws DataException, InterruptedException {
    checkNobodyListens(http.uri());
    LoadResult result;
    Instant from;
    Instant to;
    Optional<Peak> peak;
    try (Application application = start(Operations.in(Optional.empty()));
        HttpTarget target = new HttpTarget(http.uri(), ANSWER_TIMEOUT)) {
      at("waiting for an answer");
      awaitAnswer(http, application);
      at("warming up and measuring");
      from = Instant.now().plusNanos(http.warmUpNanos());
      to = from.plusNanos(http.durationNanos());
      result =
          new LoadGenerator(
                  http.load(), target, Clock.SYSTEM, http.warmUpNanos(), http.durationNanos())
              .run(PATIENCE_NANOS, () -> !application.isAlive());
      if (!application.isAlive()) {
        application.waitFor(0);
        throw ended(application, " while it was sent requests");
      }
      check(http, result, target, application);
      peak = application.peak();
      at("ending");
    }
    // The recording is there once the application has ended.
    return new Run(
        side(),
        result.perSecond(),
        Optional.of(
            new Run.Requests(
                result.requests(), result.errors(), result.unanswered(), result.latency())),
        pins(from, to),
        peak);
  }

  private DataException ended(Application application, String when) {
    if (ending) {
      return new DataException("interrupted; all that was started is ended");
    }
    return new DataException(
        "%s ended with exit code %d%s%s"
            .formatted(name(), application.exitCode(), when, application.outputEnd()));
  }

  private void awaitAnswer(Measure.Http http, Application application)
      throws DataException, InterruptedException {
    long deadline = System.nanoTime() + http.startNanos();
    String problem = "";
    try (HttpTarget first = new HttpTarget(http.uri(), FIRST_ANSWER_TIMEOUT)) {
      while (System.nanoTime() - deadline < 0) {
        if (first.send()) {
          return;
        }
        problem = first.problem();
        if (application.waitFor(ASK_AGAIN_MILLIS * 1_000_000)) {
          throw ended(application, " before it answered at " + http.uri());
        }
      }
    }
    throw new DataException(
        "%s did not answer well at %s within %s (last: %s); check the URL, or give it more time with --timeout%s"
            .formatted(
                name(),
                http.uri(),
                Figures.duration(http.startNanos()),
                problem,
                application.outputEnd()));
  }

  private void check(
      Measure.Http http, LoadResult result, HttpTarget target, Application application)
      throws DataException {
    if (result.errors() > http.maxErrors() * result.requests()) {
      throw new DataException(
          "%s answered %s of %s with errors (last: %s), more than --max-errors %s; send fewer with --users or --rate, or repair it%s"
              .formatted(
                  name(),
                  Figures.count(result.errors()),
                  Figures.count(result.requests(), "request"),
                  target.problem(),
                  Figures.percent(http.maxErrors()),
                  application.outputEnd()));
    }
    if (result.perSecond() <= 0) {
      throw new DataException(
          "%s answered nothing in the %s that were measured; take a longer --duration%s"
              .formatted(name(), Figures.duration(http.durationNanos()), application.outputEnd()));
    }
  }

  private Optional<Run.Pins> pins(Instant from, Instant to) {
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
      return Optional.of(RecordedPins.read(recording(), from, to));
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
      // It is the temporary folder's to clean up.
    }
  }
}
