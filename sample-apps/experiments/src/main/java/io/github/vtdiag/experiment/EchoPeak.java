package io.github.vtdiag.experiment;

import io.github.vtdiag.compare.Clock;
import io.github.vtdiag.compare.Load;
import io.github.vtdiag.compare.LoadGenerator;
import io.github.vtdiag.compare.LoadResult;
import io.github.vtdiag.compare.Peak;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The figures while all connections were open.
 *
 * @param servers the results of each server
 * @param openedPerSecond the connections that were opened a second, each with a line sent and
 *     compared
 * @param load the result of the connections that were used while all were open
 * @param loadNanos the length of that load
 * @param problems what went wrong
 */
record EchoPeak(
    List<Printed> servers,
    double openedPerSecond,
    LoadResult load,
    long loadNanos,
    List<String> problems) {
  static final String SERVER = "samples.echo.EchoServer";
  static final long SECOND = 1_000_000_000;

  private static final String CROWD = "samples.echo.EchoCrowd";

  /** The number of connections that vtdiag itself has, and uses all the time. */
  private static final int USERS = 200;

  private static final long PATIENCE = 30 * SECOND;

  EchoPeak {
    servers = List.copyOf(servers);
    problems = List.copyOf(problems);
  }

  /**
   * Opens all connections, has some of them echo while all are open, and asks the servers.
   *
   * @param recording the name of the first server's recording; empty for none
   */
  static EchoPeak reach(Bench bench, EchoLimits.Spread spread, Optional<String> recording)
      throws DataException, InterruptedException {
    List<Serving> servers = new ArrayList<>();
    List<Serving> crowds = new ArrayList<>();
    try (EchoUsers users = new EchoUsers("user")) {
      for (int i = 0; i < spread.servers(); i++) {
        SampleProgram program =
            new SampleProgram(SERVER, List.of("addresses=" + spread.addresses()));
        servers.add(
            i == 0 && recording.isPresent()
                ? bench.serve(program, recording.get())
                : bench.serve(program));
      }
      int opened = 0;
      for (int i = 0; i < spread.servers(); i++) {
        bench.progress(
            "%s of %s open"
                .formatted(
                    Figures.count(opened), Figures.count(spread.connections(), "connection")));
        int own = Math.clamp(spread.connections() / 2, 1, USERS) / spread.servers();
        own = Math.max(own, 1);
        users.open(servers.get(i).port(), own);
        int rest = spread.share(i) - own;
        if (rest > 0) {
          crowds.add(bench.serve(crowd(servers.get(i).port(), spread, rest, opened + 1)));
        }
        opened += spread.share(i);
      }
      bench.progress(
          "all %s open, %s of them sending"
              .formatted(Figures.count(opened, "connection"), Figures.count(users.connections())));
      long nanos = (bench.isShort() ? 1 : 10) * SECOND;
      LoadResult load =
          new LoadGenerator(
                  new Load.Closed(users.connections()), users, Clock.SYSTEM, nanos / 2, nanos)
              .run(PATIENCE, () -> servers.stream().anyMatch(server -> !server.isAlive()));
      List<Printed> told = stop(servers);
      List<Printed> sent = stop(crowds);
      long millis = sum(sent, "millis");
      double perSecond =
          millis == 0 ? 0 : 1e3 * (spread.connections() - users.connections()) / millis;
      return new EchoPeak(told, perSecond, load, nanos, problems(spread, told, sent, load, users));
    } catch (IOException e) {
      throw new DataException("cannot connect to the echo server: " + e.getMessage(), e);
    } finally {
      servers.forEach(Serving::close);
      crowds.forEach(Serving::close);
    }
  }

  private static SampleProgram crowd(
      int port, EchoLimits.Spread spread, int connections, int first) {
    return new SampleProgram(
        CROWD,
        List.of(
            "port=" + port,
            "addresses=" + spread.addresses(),
            "connections=" + connections,
            "first=" + first));
  }

  private static List<Printed> stop(List<Serving> programs)
      throws DataException, InterruptedException {
    List<Printed> printed = new ArrayList<>();
    for (Serving program : programs) {
      printed.add(program.stop());
    }
    return printed;
  }

  private static List<String> problems(
      EchoLimits.Spread spread,
      List<Printed> servers,
      List<Printed> crowds,
      LoadResult load,
      EchoUsers users)
      throws DataException {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      Printed server = servers.get(i);
      String name = servers.size() == 1 ? "the server" : "server " + (i + 1);
      if (server.count("open") != spread.share(i)) {
        problems.add(
            "%s had %s of %s open at the peak"
                .formatted(
                    name,
                    Figures.count(server.count("open")),
                    Figures.count(spread.share(i), "connection")));
      }
      if (server.count("broken") + server.count("errors") > 0) {
        problems.add(
            "%s lost %s"
                .formatted(
                    name,
                    Figures.count(server.count("broken") + server.count("errors"), "connection")));
      }
    }
    long echoed = sum(crowds, "connections") + users.connections();
    if (echoed != spread.connections()) {
      problems.add(
          "%s of %s echoed"
              .formatted(Figures.count(echoed), Figures.count(spread.connections(), "connection")));
    }
    users.wrong(load, "at the peak").ifPresent(problems::add);
    if (load.answered() == 0 && problems.isEmpty()) {
      problems.add("no line came back at the peak");
    }
    return problems;
  }

  private static long sum(List<Printed> programs, String key) throws DataException {
    long sum = 0;
    for (Printed program : programs) {
      sum += program.count(key);
    }
    return sum;
  }

  /** Returns the greatest value of any server. */
  long most(String key) throws DataException {
    long most = 0;
    for (Printed server : servers) {
      most = Math.max(most, server.count(key));
    }
    return most;
  }

  /** Returns the sum of all servers. */
  long sum(String key) throws DataException {
    return sum(servers, key);
  }

  /** Returns the resident memory of all servers together; 0 where the system does not tell. */
  long residentBytes() {
    ToLongFunction<Printed> resident = server -> server.peak().map(Peak::residentBytes).orElse(0L);
    return servers.stream().mapToLong(resident).sum();
  }

  double echoesPerSecond() {
    return load.answered() * (double) SECOND / loadNanos;
  }
}
