package io.github.vtdiag.experiment;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.compare.Latency;
import io.github.vtdiag.experiment.Outcome.Diagnosis;
import io.github.vtdiag.experiment.Outcome.Figure;
import io.github.vtdiag.experiment.Outcome.Plot;
import io.github.vtdiag.experiment.Outcome.Row;
import io.github.vtdiag.experiment.Outcome.Series;
import io.github.vtdiag.experiment.Outcome.Table;
import io.github.vtdiag.experiment.Outcome.Unit;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.TimeRange;
import io.github.vtdiag.recording.Watched;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An echo server with a virtual thread for each of very many connections. */
public final class Echo implements Experiment {
  private static final int CONNECTIONS = 100_000;
  private static final int SHORT = 4_000;

  /** The article's carriers, and the hardware threads of its machine. */
  private static final int PUBLISHED_CARRIERS = 19;

  private static final int PUBLISHED_PROCESSORS = 20;

  private static final String PLAIN = "echo-plain";

  private static final String PER_PROCESSOR = "a processor";

  private static final String ADDED =
      " for threads that cannot leave theirs for a while, as in a file or in Object.wait";

  private static final Map<Use, String> WORDS =
      Map.of(
          Use.JAVA, "running Java code",
          Use.NATIVE, "in native code",
          Use.FILE, "in files",
          Use.PINNED, "pinned",
          Use.BLOCKED, "blocked",
          Use.IDLE, "idle",
          Use.UNKNOWN, "not known");

  private final OptionalInt asked;

  /** Makes as many connections as published, or fewer for the short form. */
  public Echo() {
    this(OptionalInt.empty());
  }

  /** Makes that many connections. */
  public Echo(OptionalInt connections) {
    asked = connections;
  }

  @Override
  public String name() {
    return "echo";
  }

  @Override
  public String about() {
    return "100,000 connections to an echo server, a virtual thread each: how few threads carry"
        + " them";
  }

  @Override
  public String publishedOn() {
    return PUBLISHED_PROCESSORS + " hardware threads";
  }

  @Override
  public Outcome run(Bench bench) throws DataException, InterruptedException {
    int connections = asked.orElse(bench.isShort() ? SHORT : CONNECTIONS);
    EchoLimits limits = EchoLimits.here();
    EchoLimits.Spread spread = limits.spread(connections);
    EchoPeak peak = EchoPeak.reach(bench, spread, Optional.empty());
    bench.progress("the same once more, recorded");
    EchoPeak recorded = EchoPeak.reach(bench, spread.one(), Optional.of(PLAIN));
    EchoSlowClient slow = new EchoSlowClient(bench);
    List<Outcome.Versus> versus = new ArrayList<>();
    versus.add(slow.answers(bench.isShort() ? 3 : 5));
    versus.add(slow.echoes());
    List<Diagnosis> diagnoses = new ArrayList<>();
    diagnoses.add(
        bench.diagnosis(Figures.count(spread.share(0), "connection") + " to one server", PLAIN));
    diagnoses.addAll(slow.diagnoses());

    List<String> problems = new ArrayList<>(peak.problems());
    recorded.problems().forEach(problem -> problems.add("recorded: " + problem));
    problems.addAll(slow.problems());
    List<String> notes = new ArrayList<>();
    notes.add(carriers(peak));
    notes.add(explained(findings(diagnoses.getFirst()), recorded));
    together(limits, spread).ifPresent(notes::add);
    notes.add(
        "The servers with the slow client ran with vtdiag's agent, so their carriers are not those"
            + " of a server alone.");
    notes.add(
        "Each connection sent a line and got it back, compared byte for byte, and stayed open; the"
            + " servers counted theirs, and measured their heap, while all were open.");
    return new Outcome(
        List.of(table(spread, peak), slow(slow)),
        versus,
        diagnoses,
        plots(spread, peak, slow),
        notes,
        problems);
  }

  private static Table table(EchoLimits.Spread spread, EchoPeak peak) throws DataException {
    List<Figure> figures = new ArrayList<>();
    double carriers = peak.most("carriers");
    double each = carriers / peak.most("processors");
    // The published figure was counted with that many connections, and is compared with no fewer.
    if (spread.connections() >= CONNECTIONS) {
      figures.add(Figure.of("carriers", Unit.COUNT, carriers, PUBLISHED_CARRIERS));
      figures.add(
          Figure.of(
              PER_PROCESSOR, Unit.TIMES, each, (double) PUBLISHED_CARRIERS / PUBLISHED_PROCESSORS));
    } else {
      figures.add(Figure.of("carriers", Unit.COUNT, carriers));
      figures.add(Figure.of(PER_PROCESSOR, Unit.TIMES, each));
    }
    figures.add(Figure.of("platform threads", Unit.COUNT, (double) peak.most("peakThreads")));
    figures.add(Figure.of("opened", Unit.PER_SECOND, peak.openedPerSecond()));
    figures.add(Figure.of("echoes", Unit.PER_SECOND, peak.echoesPerSecond()));
    peak.load()
        .latency()
        .map(Latency::p99Nanos)
        .ifPresent(nanos -> figures.add(Figure.of("p99", Unit.MILLIS, nanos / 1e6)));
    figures.add(Figure.of("heap used", Unit.BYTES, (double) peak.sum("heapUsedBytes")));
    figures.add(Figure.of("heap committed", Unit.BYTES, (double) peak.sum("heapCommittedBytes")));
    if (peak.residentBytes() > 0) {
      figures.add(Figure.of("resident", Unit.BYTES, (double) peak.residentBytes()));
    }
    String servers =
        spread.servers() == 1
            ? "one server"
            : spread.servers() + " servers of " + Figures.count(spread.share(0));
    return new Table(
        Figures.count(spread.connections(), "connection") + ", all open at the same time",
        List.of(new Row(servers, figures)));
  }

  private static Table slow(EchoSlowClient slow) throws DataException {
    return new Table(
        "One slow client, and a journal that all handlers write under",
        List.of(row("a monitor", slow.monitor()), row("a ReentrantLock", slow.lock())));
  }

  private static Row row(String label, List<EchoSlowClient.Rates> runs) throws DataException {
    double carriers = 0;
    for (EchoSlowClient.Rates run : runs) {
      carriers = Math.max(carriers, run.server().number("carriers"));
    }
    return new Row(
        label,
        List.of(
            Figure.of(
                "answers without it",
                Unit.PER_SECOND,
                EchoSlowClient.mean(runs, EchoSlowClient.Rates::answers)),
            Figure.of(
                "echoes", Unit.PER_SECOND, EchoSlowClient.mean(runs, EchoSlowClient.Rates::echoes)),
            Figure.of("carriers", Unit.COUNT, carriers)));
  }

  /** Describes the carriers as the servers saw them. */
  private static String carriers(EchoPeak peak) throws DataException {
    long seen = peak.most("carriers");
    long created = peak.most("created");
    long processors = peak.most("processors");
    String counted =
        seen == created
            ? "handlers ran on %s, and the scheduler created no other"
                .formatted(Figures.count(seen, "carrier"))
            : "handlers were seen on %s; the scheduler created %s, so there were no more"
                .formatted(Figures.count(seen, "carrier"), Figures.count(created));
    return "Carriers, counted by each server itself, without vtdiag: "
        + counted
        + ". It aims at one for each processor, "
        + processors
        + (created > processors
            ? ", and added " + (created - processors) + ADDED
            : ", and had to add none")
        + ".";
  }

  private static Findings findings(Diagnosis diagnosis) throws DataException {
    return new Pipeline(diagnosis.classPath(), Optional.empty())
        .findings(
            Input.find(List.of(diagnosis.recording().toString()), note -> {}),
            TimeRange.ALL,
            note -> {},
            bytes -> {});
  }

  /** Explains why there were so many, by what they did. */
  private static String explained(Findings findings, EchoPeak recorded) throws DataException {
    RecordingFacts facts = findings.recordings().getFirst();
    StringBuilder text = new StringBuilder("Carrier account of the recorded run: ");
    if (facts.parallelism().isPresent()) {
      int parallelism = facts.parallelism().getAsInt();
      long added = Math.max(0, recorded.most("created") - parallelism);
      text.append("parallelism ")
          .append(parallelism)
          .append(added == 0 ? ", none added" : ", " + added + " added" + ADDED);
    }
    facts
        .watched()
        .ifPresent(
            watched ->
                text.append("; at most ")
                    .append(
                        watched.looks().stream().mapToInt(Watched.Sample::carriers).max().orElse(0))
                    .append(" at a time"));
    Account account = findings.account();
    if (account.capacityNanos() > 0) {
      text.append("; ")
          .append(
              Stream.of(Use.values())
                  .filter(use -> account.part(use) > 0)
                  .map(use -> Figures.percent(account.part(use)) + " " + WORDS.get(use))
                  .collect(Collectors.joining(", ")));
    }
    return text.append(". A read that has to wait leaves its carrier: an open connection has none.")
        .toString();
  }

  /** Explains why there were several servers. */
  private static Optional<String> together(EchoLimits limits, EchoLimits.Spread spread) {
    if (spread.servers() == 1) {
      return Optional.empty();
    }
    return Optional.of(
        "%s servers, because a process may open %s files here (ulimit -Hn); carriers and threads are the most of any server, memory is that of all. To have all connections in one, first, in the same shell: %s"
            .formatted(
                Figures.count(spread.servers()),
                Figures.count(limits.filesOfProcess().orElse(0)),
                EchoLimits.command(spread.connections())));
  }

  private static List<Plot> plots(EchoLimits.Spread spread, EchoPeak peak, EchoSlowClient slow)
      throws DataException {
    Plot threads =
        new Plot(
            "echo-threads",
            "What serves the connections of a server",
            "",
            "how many",
            true,
            List.of("connections", "platform threads", "carriers"),
            List.of(
                new Series(
                    "Echo server",
                    List.of(),
                    List.of(
                        (double) spread.share(0),
                        (double) peak.most("peakThreads"),
                        (double) peak.most("carriers")))));
    return List.of(
        threads,
        new Plot(
            "echo-slow-client",
            "One slow client, and what all handlers write under",
            "",
            "a second",
            true,
            List.of("answers without it", "echoes"),
            List.of(series("monitor", slow.monitor()), series("lock", slow.lock()))));
  }

  private static Series series(String name, List<EchoSlowClient.Rates> runs) {
    return new Series(
        name,
        List.of(),
        List.of(
            EchoSlowClient.mean(runs, EchoSlowClient.Rates::answers),
            EchoSlowClient.mean(runs, EchoSlowClient.Rates::echoes)));
  }
}
