package io.github.vtdiag.experiment;

import io.github.vtdiag.compare.Clock;
import io.github.vtdiag.compare.Load;
import io.github.vtdiag.compare.LoadGenerator;
import io.github.vtdiag.compare.LoadResult;
import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The server whose handlers write while they hold the lock that all of them share, and one client
 * among many that reads slowly.
 */
final class EchoSlowClient {
  private static final String SLOW_READER = "samples.echo.SlowReader";
  private static final int USERS = 50;
  private static final long PATIENCE = 30 * EchoPeak.SECOND;

  private final Bench bench;
  private final List<Rates> monitor = new ArrayList<>();
  private final List<Rates> lock = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  /**
   * The rates of one run.
   *
   * @param answers good answers a second to lines that need no shared lock
   * @param echoes good echoes a second of the other lines
   * @param server the result of the server
   */
  record Rates(double answers, double echoes, Printed server) {}

  EchoSlowClient(Bench bench) {
    this.bench = bench;
  }

  /** Runs the variants alternately, and compares the answers that need no shared lock. */
  Outcome.Versus answers(int pairs) throws DataException, InterruptedException {
    return bench.inTurns(
        "answers that need no journal",
        new Bench.Variant("a monitor", () -> measure("monitor", monitor).answers()),
        new Bench.Variant("a ReentrantLock", () -> measure("lock", lock).answers()),
        pairs);
  }

  /** Compares the same runs by their echoes. */
  Outcome.Versus echoes() throws DataException, InterruptedException {
    List<Rates> before = new ArrayList<>(monitor);
    List<Rates> after = new ArrayList<>(lock);
    return bench.inTurns(
        "echoes, which all go through the journal",
        new Bench.Variant("a monitor", () -> before.removeFirst().echoes()),
        new Bench.Variant("a ReentrantLock", () -> after.removeFirst().echoes()),
        monitor.size());
  }

  private Rates measure(String write, List<Rates> rates)
      throws DataException, InterruptedException {
    Rates measured = run(write);
    rates.add(measured);
    return measured;
  }

  /** Returns the last run of each variant. */
  List<Outcome.Diagnosis> diagnoses() {
    return Stream.of("monitor", "lock")
        .map(
            write ->
                bench.diagnosis("a slow client, writes under a shared " + write, recording(write)))
        .toList();
  }

  private static String recording(String write) {
    return "echo-" + write;
  }

  private Rates run(String write) throws DataException, InterruptedException {
    SampleProgram program = new SampleProgram(EchoPeak.SERVER, List.of("write=" + write));
    try (Serving server = bench.serve(program, recording(write));
        EchoUsers answers = new EchoUsers("?");
        EchoUsers echoes = new EchoUsers("user")) {
      answers.open(server.port(), USERS);
      echoes.open(server.port(), USERS);
      try (Serving slow =
          bench.serve(new SampleProgram(SLOW_READER, List.of("port=" + server.port())))) {
        List<LoadResult> results = load(server, List.of(answers, echoes));
        slow.stop();
        String when = "beside a slow client (writes under a shared " + write + ")";
        answers.wrong(results.get(0), when).ifPresent(problems::add);
        echoes.wrong(results.get(1), when).ifPresent(problems::add);
        return new Rates(perSecond(results.get(0)), perSecond(results.get(1)), server.stop());
      }
    } catch (IOException e) {
      throw new DataException("cannot connect to the echo server: " + e.getMessage(), e);
    }
  }

  private long nanos() {
    return (bench.isShort() ? 2 : 5) * EchoPeak.SECOND;
  }

  private List<LoadResult> load(Serving server, List<EchoUsers> users)
      throws DataException, InterruptedException {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<LoadResult>> running =
          executor.invokeAll(
              users.stream()
                  .map(
                      each ->
                          (Callable<LoadResult>)
                              () ->
                                  new LoadGenerator(
                                          new Load.Closed(USERS),
                                          each,
                                          Clock.SYSTEM,
                                          EchoPeak.SECOND / 2,
                                          nanos())
                                      .run(PATIENCE, () -> !server.isAlive()))
                  .toList());
      List<LoadResult> results = new ArrayList<>();
      for (Future<LoadResult> each : running) {
        results.add(each.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new DataException("the load failed: " + e.getCause(), e);
    }
  }

  /** Returns the rate of good answers; without one, the least rate that would have been seen. */
  private double perSecond(LoadResult result) {
    return Math.max(1, result.answered()) * (double) EchoPeak.SECOND / nanos();
  }

  /** Returns the mean of the alternate runs. */
  static double mean(List<Rates> runs, ToDoubleFunction<Rates> figure) {
    return runs.stream().mapToDouble(figure).average().orElse(0);
  }

  List<Rates> monitor() {
    return List.copyOf(monitor);
  }

  List<Rates> lock() {
    return List.copyOf(lock);
  }

  /** Returns what went wrong. */
  List<String> problems() {
    return List.copyOf(problems);
  }
}
