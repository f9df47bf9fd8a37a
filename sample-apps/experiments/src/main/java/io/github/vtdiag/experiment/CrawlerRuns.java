package io.github.vtdiag.experiment;

import io.github.vtdiag.model.DataException;
import java.util.List;
import java.util.Optional;

/** Runs the crawler against one server, and checks that it did all of its work. */
final class CrawlerRuns {
  /**
   * The most connections. Each takes a descriptor here and a place in the server's backlog; Linux
   * allows 4,096 there.
   */
  static final int CONNECTIONS = 4_000;

  static final int GETS = 3;
  private static final int LINKS = 100;

  /**
   * The way in which it crawls.
   *
   * @param threads {@code virtual} or {@code pool}
   * @param sites {@code free}, or polite with a {@code monitor} or a {@code lock}
   * @param warmUp tasks beforehand that do not count
   */
  record Crawl(String threads, String sites, int tasks, int delayMicros, int warmUp) {
    @Override
    public String toString() {
      return "%d tasks at %s ms, %s threads, %s sites"
          .formatted(tasks, delayMicros / 1_000.0, threads, sites);
    }
  }

  /**
   * The results of a crawl.
   *
   * @param perSecond tasks
   * @param serverShare of the processor time of both
   * @param serverLoad processors that the server used on average
   * @param answeredMillis the time that the server took, on average; 0 without a delay
   * @param connections opened per GET
   * @param atMost the most connections that it allowed itself at a time
   */
  record Done(
      double perSecond,
      double serverShare,
      double serverLoad,
      double answeredMillis,
      double connections,
      long atMost) {}

  private final Bench bench;
  private final int port;
  private final List<String> problems;

  /**
   * Creates the runs; none runs yet.
   *
   * @param problems is told what went wrong
   */
  CrawlerRuns(Bench bench, int port, List<String> problems) {
    this.bench = bench;
    this.port = port;
    this.problems = problems;
  }

  Done run(Crawl crawl) throws DataException, InterruptedException {
    return checked(crawl, bench.run(program(crawl)));
  }

  Done run(Crawl crawl, String recording) throws DataException, InterruptedException {
    return checked(crawl, bench.run(program(crawl), recording));
  }

  private SampleProgram program(Crawl crawl) {
    return new SampleProgram(
        "samples.crawler.Crawler",
        List.of(
            "url=http://127.0.0.1:" + port,
            "threads=" + crawl.threads(),
            "sites=" + crawl.sites(),
            "tasks=" + crawl.tasks(),
            "delay=" + crawl.delayMicros(),
            "warmup=" + crawl.warmUp(),
            "connections=" + CONNECTIONS));
  }

  private Done checked(Crawl crawl, Printed printed) throws DataException {
    Optional<String> problem = problem(printed, crawl.tasks());
    if (problem.isPresent()) {
      problems.add(crawl + ": " + problem.get());
      if (printed.count("tasks") == 0) {
        // Without tasks there is no time per task.
        throw new DataException(problems.getLast());
      }
    }
    double millis = printed.number("millis");
    double server = printed.number("serverCpuMillis");
    return new Done(
        printed.count("tasks") / (millis / 1_000),
        server / (server + printed.number("cpuMillis")),
        server / millis,
        printed.number("delayMicros") / 1_000,
        printed.number("connections") / printed.number("served"),
        printed.count("atMost"));
  }

  /** Returns what is missing; empty if all tasks were done and each page was complete. */
  static Optional<String> problem(Printed printed, int tasks) throws DataException {
    long pages = (long) tasks * GETS;
    if (printed.count("errors") + printed.count("serverErrors") > 0) {
      return Optional.of(
          "%,d tasks failed, and %,d requests in the server"
              .formatted(printed.count("errors"), printed.count("serverErrors")));
    }
    if (printed.count("tasks") != tasks) {
      return Optional.of(
          "%,d of %,d tasks are missing".formatted(tasks - printed.count("tasks"), tasks));
    }
    if (printed.count("pages") != pages || printed.count("served") != pages) {
      return Optional.of(
          "%,d pages came and %,d were served, not %,d"
              .formatted(printed.count("pages"), printed.count("served"), pages));
    }
    if (printed.count("links") != pages * LINKS) {
      return Optional.of(
          "%,d links on %,d pages, not %d on each".formatted(printed.count("links"), pages, LINKS));
    }
    return Optional.empty();
  }
}
