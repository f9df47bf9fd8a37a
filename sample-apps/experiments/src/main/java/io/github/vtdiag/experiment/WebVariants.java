package io.github.vtdiag.experiment;

import io.github.vtdiag.compare.Load;
import io.github.vtdiag.experiment.Outcome.Table;
import io.github.vtdiag.experiment.WebLoad.Measured;
import io.github.vtdiag.experiment.WebResults.Published;
import io.github.vtdiag.model.DataException;
import java.util.ArrayList;
import java.util.List;

/**
 * The same server in front of a database: with synchronized repositories and an old driver, with
 * both fixed, and with a pool of few connections.
 */
final class WebVariants {
  private static final int CONNECTIONS = 64;
  private static final int POOL = 10;
  private static final int QUERY_MILLIS = 50;
  private static final int POOL_USERS = 200;
  private static final String PATH = "/order";

  private final Bench bench;
  private final List<String> jvmOptions;

  WebVariants(Bench bench, List<String> jvmOptions) {
    this.bench = bench;
    this.jvmOptions = jvmOptions;
  }

  /** Returns a server with a virtual thread for each request. */
  private SampleProgram shops(Serving database, String driver, String orders, int pool) {
    return new SampleProgram(
        "samples.web.Shops",
        jvmOptions,
        List.of(
            "threads=virtual",
            "database=" + database.port(),
            "orders=" + orders,
            "shops=" + CONNECTIONS,
            "pool=" + pool,
            "millis=" + QUERY_MILLIS),
        List.of("libraries/web-tomcat", "libraries/web-database", driver + "/pgjdbc"));
  }

  void run(WebResults results) throws DataException, InterruptedException {
    bench.progress("starting PostgreSQL");
    try (Serving database =
        bench.serve(
            new SampleProgram(
                "samples.web.Database",
                List.of(),
                List.of("connections=" + (3 * CONNECTIONS)),
                List.of("lib")))) {
      synchronizedOrNot(database, results);
      poolOfTen(database, results);
      database.stop();
    }
  }

  private void synchronizedOrNot(Serving database, WebResults results)
      throws DataException, InterruptedException {
    String pinned = "synchronized repositories, pgjdbc 42.5.4";
    String mended = "repositories with locks, pgjdbc 42.7.14";
    bench.progress("starting both variants");
    try (Serving before =
            bench.serve(shops(database, "lib-before", "synchronized", CONNECTIONS), "web-pinned");
        Serving after =
            bench.serve(shops(database, "lib-after", "locked", CONNECTIONS), "web-mended")) {
      List<Measured> ofBefore = new ArrayList<>();
      List<Measured> ofAfter = new ArrayList<>();
      // Both run all the time and are asked alternately: the two runs of a pair have the same
      // conditions.
      results.add(
          bench.inTurns(
              "a repository in front of PostgreSQL",
              variant(pinned, before, ofBefore, results),
              variant(mended, after, ofAfter, results),
              bench.isShort() ? 2 : 5));
      results.add(
          new Table(
              "%d users, a query of %d ms, a connection each".formatted(CONNECTIONS, QUERY_MILLIS),
              List.of(
                  results.row(pinned, ofBefore.getLast(), true, Published.NOTHING, before.stop()),
                  results.row(mended, ofAfter.getLast(), true, Published.NOTHING, after.stop()))));
      results.add(bench.diagnosis(pinned, "web-pinned"));
      results.add(bench.diagnosis(mended, "web-mended"));
    }
  }

  private Bench.Variant variant(
      String label, Serving server, List<Measured> all, WebResults results) {
    return new Bench.Variant(
        label,
        () -> {
          Measured measured = load(CONNECTIONS).run(server, PATH);
          results.check(label, measured);
          all.add(measured);
          return measured.perSecond();
        });
  }

  private WebLoad load(int users) {
    long unit = bench.isShort() ? WebLoad.SECOND : 10 * WebLoad.SECOND;
    return new WebLoad(new Load.Closed(users), unit / 2, 3 * unit / 2, 10 * WebLoad.SECOND);
  }

  private void poolOfTen(Serving database, WebResults results)
      throws DataException, InterruptedException {
    String label = "a pool of " + POOL;
    bench.progress(label);
    try (Serving server =
        bench.serve(shops(database, "lib-after", "stateless", POOL), "web-pool")) {
      Measured measured = load(POOL_USERS).run(server, PATH);
      results.add(
          new Table(
              "%d users, a query of %d ms, %d connections"
                  .formatted(POOL_USERS, QUERY_MILLIS, POOL),
              List.of(results.row(label, measured, true, Published.NOTHING, server.stop()))));
      results.add(bench.diagnosis(label, "web-pool"));
    }
    results.note(
        "%d connections that are busy for %d ms a query answer %d queries a second, whatever the threads do."
            .formatted(POOL, QUERY_MILLIS, POOL * 1_000 / QUERY_MILLIS));
  }
}
