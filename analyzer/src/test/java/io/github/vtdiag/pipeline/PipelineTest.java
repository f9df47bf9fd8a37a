package io.github.vtdiag.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.PinByPin;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.pin.Attributor;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.KnownClasses;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.JdkReader;
import io.github.vtdiag.recording.Jvms;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.Recordings;
import io.github.vtdiag.recording.TimeRange;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What comes out of tables, looks and threads is what one finds who looks at each pin. */
class PipelineTest {
  @TempDir Path directory;

  static Stream<Arguments> recordings() {
    return Stream.of(Jvms.values())
        .flatMap(
            jvm ->
                Stream.of("default", "profile")
                    .flatMap(
                        settings ->
                            Stream.of("once", "chunks", "agent")
                                .map(argument -> Arguments.of(jvm, settings, argument))));
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void findsWhatOneFindsPinByPin(Jvms jvm, String settings, String argument) throws Exception {
    Path recording = jvm.record(settings, argument);
    List<Path> chunks = JdkReader.split(recording, directory);
    PinByPin plain = new PinByPin();
    RecordingData data = Recordings.read(recording);
    add(plain, data, JdkReader.pins(chunks, data.facts().jdk()));
    Findings found = find(TimeRange.ALL, recording);
    assertTrue(found.cost().count() > 0);
    assertSame(plain.findings(), found);
  }

  @ParameterizedTest
  @EnumSource
  void countsOfAPinThePartInsideTheTime(Jvms jvm) throws Exception {
    Path recording = jvm.record("default", "chunks");
    List<Path> chunks = JdkReader.split(recording, directory);
    RecordingData whole = Recordings.read(recording);
    List<PinEpisode> pins = whole.pins().episodes();
    PinEpisode cut = pins.get(pins.size() / 2);
    long from = cut.startNanos() + cut.durationNanos() / 3;
    long to = pins.getLast().endNanos() - 1;
    List<PinEpisode> inside = new ArrayList<>();
    for (PinEpisode pin : JdkReader.pins(chunks, whole.facts().jdk())) {
      if (pin.startNanos() < to && pin.endNanos() >= from) {
        long start = Math.max(from, pin.startNanos());
        inside.add(
            new PinEpisode(
                pin.kind(),
                start,
                Math.min(to, pin.endNanos()) - start,
                pin.thread(),
                pin.stack(),
                pin.pinnedReason(),
                pin.blockingOperation(),
                pin.lockClass()));
      }
    }
    assertTrue(inside.size() < pins.size());
    TimeRange range =
        new TimeRange(Optional.of(new TimeRange.At(from)), Optional.of(new TimeRange.At(to)));
    PinByPin plain = new PinByPin();
    add(
        plain,
        new Recordings(range, note -> {}, count -> {}).read(input(recording)).getFirst(),
        inside);
    assertSame(plain.findings(), find(range, recording));
  }

  @ParameterizedTest
  @EnumSource
  void countsAChunkOnceThatIsInSeveralFiles(Jvms jvm) throws Exception {
    List<Path> chunks = JdkReader.split(jvm.record("default", "chunks"), directory);
    Path a = join("a.jfr", chunks.subList(0, 2));
    Path b = join("b.jfr", chunks.subList(1, chunks.size()));
    Recordings recordings = new Recordings(TimeRange.ALL, note -> {}, count -> {});
    PinByPin plain = new PinByPin();
    RecordingData first = recordings.read(input(a)).getFirst();
    add(plain, first, JdkReader.pins(chunks.subList(0, 2), first.facts().jdk()));
    RecordingData second = recordings.read(input(b)).getFirst();
    add(plain, second, JdkReader.pins(chunks.subList(2, chunks.size()), second.facts().jdk()));
    assertSame(plain.findings(), find(TimeRange.ALL, a, b));
  }

  @Test
  void saysThatNothingWasRecordedInTheTime() throws Exception {
    TimeRange before =
        new TimeRange(Optional.of(new TimeRange.At(1)), Optional.of(new TimeRange.At(2)));
    Findings findings = find(before, Jvms.JAVA_25.record("default", "once"));
    assertTrue(findings.has(Gap.Kind.OUTSIDE_RANGE));
    assertEquals(0, findings.cost().count());
  }

  private static void assertSame(Findings expected, Findings actual) {
    assertEquals(expected.pins(), actual.pins());
    assertEquals(expected.sets(), actual.sets());
    assertEquals(expected.cost(), actual.cost());
    assertEquals(expected.threads(), actual.threads());
    assertEquals(expected.capacity(), actual.capacity());
    assertEquals(expected.since24(), actual.since24());
    assertEquals(expected.recordings(), actual.recordings());
  }

  private static Input input(Path file) {
    return new Input(file.toString(), List.of(file));
  }

  private static String classes() throws Exception {
    return Path.of(Jvms.class.getProtectionDomain().getCodeSource().getLocation().toURI())
        .toString();
  }

  private static Findings find(TimeRange range, Path... files) throws Exception {
    return new Pipeline(List.of(classes()), Optional.empty())
        .findings(
            Stream.of(files).map(PipelineTest::input).toList(), range, note -> {}, count -> {});
  }

  private static void add(PinByPin plain, RecordingData data, List<PinEpisode> pins)
      throws Exception {
    int jdk = data.facts().jdk();
    KnownClasses known =
        new KnownClasses(
            data.lockMaps(),
            ClassPathBytes.open(List.of(classes()), jdk),
            JdkClasses.ifRunning(data.facts().jdkVersion()),
            true);
    plain.add(
        data.facts(), pins, data.samples(), new Attributor(jdk, known)::attribute, known::owner);
  }

  private Path join(String name, List<Path> chunks) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Path chunk : chunks) {
      all.writeBytes(Files.readAllBytes(chunk));
    }
    return Files.write(directory.resolve(name), all.toByteArray());
  }
}
