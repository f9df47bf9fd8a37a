package samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.Identity;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.TimeRange;
import io.github.vtdiag.testing.Jdk;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each story does on both Javas what its README says: a recording of the run must show it. There is
 * a class for each Java. After their change the stories do nothing that could be taken for another
 * story's, so they share a JVM and its recording.
 */
abstract class Stories {
  private final Jdk java;

  Stories(Jdk java) {
    this.java = java;
  }

  @RegisterExtension static final Once<Recorded> AFTERS = new Once<>();

  private static final List<String> STORIES =
      List.of(
          "synchronizedmethod",
          "synchronizedblock",
          "nestedmonitors",
          "hotlock",
          "computeifabsent",
          "caffeineloader",
          "classinitializer",
          "nativeframe",
          "objectwait",
          "contendedentry",
          "deepstack",
          "nopinning",
          "pgjdbc");

  @TempDir Path folder;

  /** A run, and the events of its recording that a claim can be about. */
  record Recorded(Sample.Run run, List<RecordedEvent> events) {}

  /** What a recording shows of the carriers. */
  sealed interface Claim {
    /** Pins, each with all of these frames on its stack. */
    record Pins(List<String> frames) implements Claim {}

    /** Pins whose stacks are cut before the frame that holds the monitor. */
    record PinsCutBefore(String frame) implements Claim {}

    /** No pin, but virtual threads that wait at this event for a monitor of this class. */
    record Monitors(String event, String monitorClass) implements Claim {}

    /** No pin, and no virtual thread that waits for a monitor of the story's classes. */
    record Nothing() implements Claim {}

    /** No pin; virtual threads may wait for monitors, which does not hold a carrier here. */
    record NoPins() implements Claim {}
  }

  static Claim pins(String... frames) {
    return new Claim.Pins(List.of(frames));
  }

  /** What holds the carriers in each story before the change; afterwards, nothing does. */
  static Stream<Arguments> claims() {
    var noPins = new Claim.NoPins();
    var nothing = new Claim.Nothing();
    return Stream.of(
            story("synchronizedmethod", "Before", pins("$Client.ask"), noPins),
            story("synchronizedblock", "Before", pins("$Account.deposit"), noPins),
            story(
                "nestedmonitors",
                "Before",
                pins("$Session.query", "$Statement.execute", "$Channel.exchange"),
                noPins),
            story(
                "nestedmonitors",
                "InnermostOnly",
                pins("$Session.query", "$Statement.execute", "$Channel.exchange"),
                noPins),
            story("hotlock", "Before", pins("$Sequence.next"), noPins),
            story(
                "computeifabsent",
                "Before",
                pins("$Prices.load", "ConcurrentHashMap.computeIfAbsent"),
                noPins),
            story(
                "caffeineloader",
                "Before",
                pins("$Users.load", "ConcurrentHashMap.compute", "LocalCache.computeIfAbsent"),
                noPins),
            story(
                "classinitializer",
                "Before",
                pins("$Settings.<clinit>"),
                pins("$Settings.<clinit>")),
            story(
                "nativeframe",
                "Before",
                pins("$Converter$1.xFunc", "NativeDB.step"),
                pins("$Converter$1.xFunc", "NativeDB.step")),
            story(
                "objectwait",
                "Before",
                new Claim.Monitors("jdk.JavaMonitorWait", "$Reply"),
                noPins),
            story(
                "contendedentry",
                "Before",
                new Claim.Monitors("jdk.JavaMonitorEnter", "$Routes"),
                noPins),
            story("deepstack", "Before", new Claim.PinsCutBefore("$Session.handle"), noPins),
            story("nopinning", "Before", nothing, nothing),
            story("pgjdbc", "Before", pins("QueryExecutorImpl.execute"), noPins),
            STORIES.stream().flatMap(name -> story(name, "After", nothing, nothing)))
        .flatMap(story -> story);
  }

  private static Stream<Arguments> story(String name, String variant, Claim on21, Claim on25) {
    return Stream.of(Arguments.of(new Sample(name, variant), on21, on25));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("claims")
  void recordingShowsTheClaim(Sample sample, Claim on21, Claim on25) throws Exception {
    Claim claim =
        switch (java) {
          case JAVA_21 -> on21;
          case JAVA_25 -> on25;
        };
    Recorded recorded = recorded(sample);
    Sample.Run run = recorded.run();
    assertEquals(0, run.exitCode(), run::errors);
    String label =
        sample.variant().equals("InnermostOnly")
            ? "innermost only"
            : sample.variant().toLowerCase(Locale.ROOT);
    assertTrue(
        run.output()
            .matches(label + ": [1-9]\\d* operations in \\d+\\.\\d s, \\d+/s(; unrelated .*)?\\R"),
        run::output);

    List<RecordedEvent> events = recorded.events();
    List<RecordedEvent> pins =
        events.stream()
            .filter(event -> name(event).equals("jdk.VirtualThreadPinned"))
            .filter(event -> isOf(sample, event))
            .toList();
    switch (claim) {
      case Claim.Pins(List<String> frames) -> {
        assertFalse(pins.isEmpty(), "no pin");
        for (String frame : frames) {
          assertTrue(pins.stream().anyMatch(pin -> hasFrame(pin, frame)), frame);
        }
      }
      case Claim.PinsCutBefore(String frame) -> {
        assertFalse(pins.isEmpty(), "no pin");
        for (RecordedEvent pin : pins) {
          assertTrue(pin.getStackTrace().isTruncated(), pin::toString);
          assertFalse(hasFrame(pin, frame), pin::toString);
        }
      }
      case Claim.Monitors(String event, String monitorClass) -> {
        assertEquals(List.of(), pins);
        assertTrue(
            monitorEvents(sample, events)
                .anyMatch(e -> name(e).equals(event) && monitorClass(e).endsWith(monitorClass)),
            () -> "no " + event + " of a virtual thread with " + monitorClass);
      }
      case Claim.Nothing() -> {
        assertEquals(List.of(), pins);
        assertEquals(List.of(), monitorEvents(sample, events).toList());
      }
      case Claim.NoPins() -> assertEquals(List.of(), pins);
    }
  }

  private Recorded recorded(Sample sample) throws Exception {
    // Who looks at what another test has recorded there ran on it too.
    jdkIsThere();
    if (!sample.variant().equals("After")) {
      return recorded(sample.classPath(), folder, sample.command());
    }
    Recorded all =
        AFTERS.get(
            java.name(),
            () ->
                recorded(
                    // Of the stories only this one has a library of its own.
                    Path.of("target/test-classes").toAbsolutePath()
                        + File.pathSeparator
                        + new Sample("pgjdbc", "After").classPath(),
                    Files.createDirectories(folder.resolve("afters")),
                    Stream.concat(Stream.of(Afters.class.getName()), STORIES.stream()).toList()));
    return new Recorded(
        new Sample.Run(
            all.run().exitCode(), part(sample.story(), all.run().output()), all.run().errors()),
        all.events());
  }

  private void jdkIsThere() {
    assertTrue(Files.isExecutable(java.java()), java::toString);
  }

  /** What the story printed. */
  private static String part(String story, String output) {
    Matcher part =
        Pattern.compile("(?ms)^story " + story + "\\R(.*?)(?=^story |\\z)").matcher(output);
    assertTrue(part.find(), output);
    return part.group(1);
  }

  private Recorded recorded(String classPath, Path in, List<String> program) throws Exception {
    Path recording = in.resolve("recording.jfr");
    Path settings = Path.of("src/test/resources/samples/pins.jfc").toAbsolutePath();
    Sample.Run run =
        Sample.run(
            java,
            classPath,
            List.of(
                // JFR says on standard output that it has started.
                "-Xlog:jfr+startup=error",
                "-XX:StartFlightRecording:filename=" + recording + ",settings=" + settings),
            program,
            in);
    assertEquals(0, run.exitCode(), run::errors);
    noTwoFindingsHaveOneIdentity(recording, classPath);
    List<RecordedEvent> events = new ArrayList<>();
    try (RecordingFile file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        RecordedEvent event = file.readEvent();
        if (name(event).equals("jdk.VirtualThreadPinned")
            || name(event).startsWith("jdk.JavaMonitor")) {
          events.add(event);
        }
      }
    }
    return new Recorded(run, events);
  }

  private static void noTwoFindingsHaveOneIdentity(Path recording, String classPath)
      throws DataException {
    // A sample that needs no library has no folder of them, which Java does not mind.
    List<String> there =
        Stream.of(classPath.split(File.pathSeparator, -1))
            .filter(entry -> Files.exists(Path.of(entry.replace("/*", ""))))
            .toList();
    Findings findings =
        new Pipeline(there, Optional.empty())
            .findings(
                List.of(new Input(recording.toString(), List.of(recording))),
                TimeRange.ALL,
                note -> {},
                count -> {});
    Identities identities = Identities.of(findings);
    Set<String> texts = new HashSet<>();
    Set<String> fingerprints = new HashSet<>();
    for (Pin finding : findings.pins()) {
      Identity identity = identities.of(finding);
      assertTrue(texts.add(identity.text()), identity::text);
      assertTrue(fingerprints.add(identity.fingerprint()), identity::text);
    }
    for (Behavior other : findings.behaviors()) {
      assertTrue(texts.add(identities.of(other).text()), identities.of(other)::text);
    }
  }

  /**
   * Whether the story's own code blocked. The JDK pins a carrier for a moment here and there while
   * it starts its pollers and while the JVM has it load a class or link a call, and at a threshold
   * of nothing that is recorded, also below the story's code. On Java 24 and later so is waiting to
   * enter a monitor only while the JVM links or loads something (JEP 491), and waiting for another
   * thread that initializes a class of the JDK.
   */
  private static boolean isOf(Sample sample, RecordedEvent event) {
    return !text(event, "blockingOperation").equals("Contended monitor enter")
        && !text(event, "pinnedReason").startsWith("Waited for initialization of java.")
        && event.getStackTrace().getFrames().stream()
            .map(Stories::method)
            .takeWhile(method -> !calledByJvm(method))
            .anyMatch(method -> method.startsWith("samples." + sample.story() + "."));
  }

  /** Empty where the event has no such field, as on Java 21. */
  private static String text(RecordedEvent event, String field) {
    String text = event.hasField(field) ? event.getString(field) : null;
    return text == null ? "" : text;
  }

  private static boolean calledByJvm(String method) {
    return method.equals("java.lang.ClassLoader.loadClass")
        || method.startsWith("java.lang.invoke.MethodHandleNatives.");
  }

  private static String name(RecordedEvent event) {
    return event.getEventType().getName();
  }

  private static String monitorClass(RecordedEvent event) {
    return event.getClass("monitorClass").getName();
  }

  /** Waits of virtual threads for the story's own monitors; the JDK has some of its own. */
  private static Stream<RecordedEvent> monitorEvents(Sample sample, List<RecordedEvent> events) {
    return events.stream()
        .filter(event -> name(event).startsWith("jdk.JavaMonitor"))
        .filter(event -> event.getThread().isVirtual())
        .filter(event -> monitorClass(event).startsWith("samples." + sample.story() + "."));
  }

  private static boolean hasFrame(RecordedEvent event, String frame) {
    return event.getStackTrace().getFrames().stream()
        .map(Stories::method)
        .anyMatch(method -> method.endsWith(frame));
  }

  private static String method(RecordedFrame frame) {
    return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
  }
}
