package io.github.vtdiag.experiment;

import io.github.vtdiag.compare.Load;
import io.github.vtdiag.experiment.WebResults.Contender;
import io.github.vtdiag.experiment.WebResults.Published;
import io.github.vtdiag.model.DataException;
import java.util.List;

/** One blocking endpoint of Spring Boot: platform threads, virtual threads and WebFlux. */
public final class Web implements Experiment {
  private static final long SECOND = WebLoad.SECOND;

  /** The heap of the servers: without a bound, garbage fills the machine's memory. */
  private static final List<String> HEAP = List.of("-Xms64m", "-Xmx1g");

  private static final List<String> TOMCAT = List.of("libraries/web-tomcat");
  private static final List<String> NETTY = List.of("libraries/web-netty");

  private static final List<String> NOTES =
      List.of(
          "threads: platform threads at most, carriers among them; heap: at most, of 64 MB to begin"
              + " with; both as the server says.",
          "client: how much of the processors vtdiag itself took, on the same machine.");

  /** The options of the short form, which has to be ready soon, not fast. */
  private static final List<String> SOON = List.of("-Xms64m", "-Xmx1g", "-XX:TieredStopAtLevel=1");

  /**
   * The servers.
   *
   * @param jvmOptions of each of them
   */
  private record Servers(List<String> jvmOptions) {
    Contender pool(int threads) {
      return onTomcat(threads + " platform threads", Integer.toString(threads));
    }

    Contender virtual() {
      return onTomcat("virtual threads", "virtual");
    }

    private Contender onTomcat(String label, String threads) {
      return new Contender(
          label,
          new SampleProgram(
              "samples.web.OnTomcat", jvmOptions, List.of("threads=" + threads), TOMCAT),
          "/sleep",
          Published.NOTHING);
    }

    Contender webFlux() {
      return onNetty("WebFlux, Mono.delay", "/delay");
    }

    Contender webFluxBlocks() {
      return onNetty("WebFlux, blocking sleep", "/sleep");
    }

    private Contender onNetty(String label, String path) {
      return new Contender(
          label,
          new SampleProgram("samples.web.OnNetty", jvmOptions, List.of(), NETTY),
          path,
          Published.NOTHING);
    }
  }

  @Override
  public String name() {
    return "web";
  }

  @Override
  public String about() {
    return "a blocking endpoint of Spring Boot: platform threads, virtual threads, WebFlux";
  }

  @Override
  public String publishedOn() {
    return "two articles, each on a machine of its own";
  }

  @Override
  public Outcome run(Bench bench) throws DataException, InterruptedException {
    WebResults results = new WebResults(bench);
    List<String> options = bench.isShort() ? SOON : HEAP;
    Servers servers = new Servers(options);
    if (bench.isShort()) {
      results.closed(
          "300 users, closed loop, 300 ms",
          new WebLoad(new Load.Closed(300), SECOND / 2, 3 * SECOND / 2, SECOND),
          300,
          List.of(servers.pool(20), servers.virtual(), servers.webFlux()));
      results.completed(
          "80 requests a second for 2 s, 500 ms each",
          new WebLoad(new Load.Open(80), 0, 2 * SECOND, SECOND),
          500,
          List.of(servers.pool(20), servers.virtual()));
    } else {
      full(results, servers);
    }
    new WebVariants(bench, options).run(results);
    NOTES.forEach(results::note);
    return results.outcome();
  }

  private static void full(WebResults results, Servers servers)
      throws DataException, InterruptedException {
    results.note(
        "WebFlux, blocking sleep: Mono.fromSupplier on boundedElastic, which has ten threads for"
            + " each processor.");
    WebLoad closed = new WebLoad(new Load.Closed(3_000), 10 * SECOND, 20 * SECOND, 10 * SECOND);
    String title = "3,000 users, closed loop, 300 ms";
    results.closed(
        title,
        closed,
        300,
        List.of(
            servers.pool(200).with(Published.rate(624.5)),
            servers.pool(512).with(Published.rate(1_564)),
            servers.pool(800).with(Published.rate(2_340)),
            servers.virtual().with(Published.rate(5_217)),
            servers.webFlux().with(Published.rate(5_281)),
            servers.webFluxBlocks()));
    results.inTurns(title, closed, 300, servers.webFlux(), servers.virtual());
    results.completed(
        "400 requests a second for a minute, 4 s each",
        new WebLoad(new Load.Open(400, 2_000), 0, 60 * SECOND, 5 * SECOND),
        4_000,
        List.of(servers.pool(200), servers.virtual(), servers.webFlux(), servers.webFluxBlocks()));
    results.completed(
        "400 users for a minute, 4 s each",
        new WebLoad(new Load.Closed(400), 0, 60 * SECOND, 5 * SECOND),
        4_000,
        List.of(
            servers.pool(200).with(Published.minute(3_200, 250).worst(63)),
            servers.virtual().with(Published.minute(6_000, 49).worst(5).heap(91)),
            servers.webFlux().with(Published.minute(6_000, 223).heap(114)),
            servers.webFluxBlocks()));
  }
}
