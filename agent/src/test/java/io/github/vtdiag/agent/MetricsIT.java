package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.metrics.OpenMetricsText;
import io.github.vtdiag.agent.programs.Metered;
import io.github.vtdiag.agent.programs.Pins;
import io.github.vtdiag.agent.recording.RecordedValues;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** What others can read of a program with the built agent. */
class MetricsIT {
  private static final String PINS = MeteredProcess.PINS;

  @TempDir Path folder;

  private static String site(OpenMetricsText.Sample sample) {
    return sample.labels().get("site");
  }

  /** The pins in the recording. */
  private List<PinEpisode> recorded(Jdk jdk) throws IOException {
    return RecordingFile.readAllEvents(folder.resolve("a.jfr")).stream()
        .flatMap(
            event ->
                Events.episode(
                    new RecordedValues(event, new IdentityHashMap<>()),
                    jdk == Jdk.JAVA_21 ? 21 : 25)
                    .stream())
        .toList();
  }

  /** How long the copies kept carriers, by class, in nanoseconds. */
  private static Map<String, Long> copies(List<PinEpisode> pins) {
    Map<String, Long> nanos = new TreeMap<>();
    for (PinEpisode pin : pins) {
      pin.stack().frames().stream()
          .filter(frame -> frame.type().name().contains("$Copy"))
          .findFirst()
          .ifPresent(frame -> nanos.merge(frame.type().name(), pin.durationNanos(), Long::sum));
    }
    return nanos;
  }

  private Path loaded() {
    return folder.resolve("loaded.txt");
  }

  private String logOfLoadedClasses() {
    return "-Xlog:class+load,class+init=info:file=" + loaded();
  }

  private List<String> loadedFrom(String... packages) throws IOException {
    try (Stream<String> lines = Files.lines(loaded(), StandardCharsets.ISO_8859_1)) {
      return lines.filter(line -> Stream.of(packages).anyMatch(line::contains)).toList();
    }
  }

  @ParameterizedTest
  @EitherJdk
  void unlessItIsAskedForNothingListensAndNothingIsLoaded(Jdk jdk) throws Exception {
    try (MeteredProcess program = new MeteredProcess(jdk, folder, "", logOfLoadedClasses())) {
      program.until("ready");
      program.does("pin 1");
      assertEquals(List.of("did threads"), program.does("threads"));
      program.end();
      assertEquals(List.of("ready", "did pin", "did threads"), program.said());
    }
    assertEquals(
        List.of(),
        loadedFrom(
            "io.github.vtdiag.agent.metrics.",
            "io.github.vtdiag.shaded.prometheus",
            "MetricsFeed"));
    assertFalse(loadedFrom("io.github.vtdiag.agent.lifecycle.Session").isEmpty());
  }

  @Test
  void aPortThatIsTakenCostsTheMetricsOnly() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        MeteredProcess program =
            new MeteredProcess(Jdk.JAVA_21, folder, ",metrics=" + taken.getLocalPort())) {
      program.until("[vtdiag] no metrics over HTTP, cannot listen at port ");
      program.does("pin 3");
      program.end();
    }
    assertTrue(Files.size(folder.resolve("a.jfr")) > 0);
  }

  @Test
  void whatIsNoAddressIsSaidAndTheProgramRuns() throws Exception {
    Forked run =
        Forked.java(
            Jdk.JAVA_25,
            folder,
            Forked.QUICK,
            AgentJar.option("metrics=here"),
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Pins.class.getName(),
            "none",
            "1");
    assertEquals("pinning: none\ndone\n", run.out());
    assertEquals(
        "[vtdiag] metrics takes a port such as 9464, HOST:PORT, jmx or off, not 'here'; running"
            + " without the agent\n",
        run.err());
  }

  @ParameterizedTest
  @EitherJdk
  void withoutTheModulesOfJmxAndHttpThereIsStillText(Jdk jdk) throws Exception {
    try (MeteredProcess program =
        new MeteredProcess(
            jdk,
            folder,
            ",metrics=0,watch=off,onhang=off",
            "--limit-modules=java.base,java.instrument,jdk.jfr",
            "-cp",
            AgentJar.PROGRAMS.toString())) {
      program.until("[vtdiag] no metrics over JMX: the module java.management is missing;");
      assertTrue(program.scrape().endsWith("# EOF\n"));
    }
  }

  /** A thousand places, a name that the format must escape, and how it comes out everywhere. */
  @ParameterizedTest
  @EitherJdk
  void whatIsReadOverHttpAndJmxIsWhatTheRecordingHas(Jdk jdk) throws Exception {
    OpenMetricsText text;
    List<String> bean;
    try (MeteredProcess program =
        new MeteredProcess(jdk, folder, ",metrics=0", logOfLoadedClasses())) {
      program.metrics();
      program.settle();
      program.does("hostile");
      program.does("pin 40");
      text =
          program.read(
              read ->
                  MeteredProcess.count(read, "$Copy") == 40
                      && MeteredProcess.count(read, "$Q") == 1);
      List<String> threads = program.does("threads");
      assertTrue(threads.size() > 2, threads.toString());
      assertTrue(
          threads.stream()
              .limit(threads.size() - 1)
              .allMatch(line -> line.equals("vtdiag metrics daemon=true loader=null")),
          threads.toString());
      // As long as nobody else wants these, they are not there.
      assertEquals(
          List.of(),
          loadedFrom(
              "Initializing 'java/util/logging/LogManager'",
              "Initializing 'java/lang/System$LoggerFinder'",
              "com.sun.net.httpserver"));
      bean = program.does("jmx");
      program.end();
    }
    List<PinEpisode> recorded = recorded(jdk);
    // Some more may have come after the reading.
    assertTrue(text.sum(PINS + "_count") <= recorded.size(), recorded.toString());
    Map<String, Long> copies = copies(recorded);
    assertEquals(40, copies.size());
    for (OpenMetricsText.Sample sum : text.samples(PINS + "_sum")) {
      if (site(sum).contains("$Copy")) {
        assertTrue(site(sum).endsWith(".<clinit>, class initializer"), site(sum));
        assertEquals("pinned", sum.labels().get("kind"));
        long nanos = copies.remove(site(sum).replaceAll("\\.<clinit>.*", ""));
        assertEquals(nanos / 1e9, sum.value(), 1e-9, site(sum));
      }
    }
    assertEquals(Map.of(), copies);
    String hostile = Metered.class.getName() + "$Q\"B\\U\u00fc\\u001b.<clinit>, class initializer";
    assertTrue(
        text.samples(PINS + "_count").stream().anyMatch(each -> site(each).equals(hostile)),
        text.samples(PINS + "_count").toString());
    // As OpenTelemetry counts them.
    assertTrue(text.sum("jvm_thread_virtual_pinned_seconds_count") >= 41);
    assertTrue(
        text.sum("jvm_thread_virtual_pinned_seconds_count")
            <= recorded.stream().filter(pin -> pin.kind() == PinEpisode.Kind.PINNED).count());
    assertEquals(2, text.sum("vtdiag_scheduler_parallelism"));
    double used = text.sum("vtdiag_carrier_time_seconds_total");
    assertTrue(used > 0, "the watch's account");
    assertTrue(bean.stream().anyMatch(line -> line.equals("jmx Parallelism=2")), bean.toString());
    assertTrue(
        bean.stream().anyMatch(line -> line.startsWith("jmx PinSites=[") && line.contains(hostile)),
        bean.toString());
  }

  @Test
  void aThousandPlacesAreAHundredAndTheRest() throws Exception {
    try (MeteredProcess program = new MeteredProcess(Jdk.JAVA_25, folder, ",metrics=0")) {
      program.metrics();
      program.does("shorten");
      program.does("pin 1000");
      // On a busy machine some are shorter than the threshold.
      OpenMetricsText text = program.read(read -> read.sum(PINS + "_count") >= 800);
      assertTrue(text.samples(PINS + "_count").size() <= 104);
      assertTrue(text.sum("vtdiag_pin_sites_folded_total") >= 400);
      program.end();
    }
    assertTrue(recorded(Jdk.JAVA_25).size() >= 800);
  }
}
