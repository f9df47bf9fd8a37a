package io.github.vtdiag.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.hang.RecordedKind;
import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.MonitorSample;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.MonitorSamples;
import io.github.vtdiag.pin.SeenHang;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.RecordingFacts.EventSetting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a whole recording says. */
class RecordingReaderTest {
  static final String SAMPLE = "com.example.A m 7 java.lang.Object@1f com.example.B@2\n";

  @TempDir Path directory;

  static String lockMap() {
    MonitorRegion region =
        new MonitorRegion(MonitorRegion.Kind.METHOD, LockExpression.THIS, -1, 3, 9, List.of());
    return LockMaps.write(
        List.of(
            new MethodMonitors(
                "run", "()V", List.of(region), true, List.of(new MethodMonitors.CallSite(4, 5)))));
  }

  @ParameterizedTest
  @EnumSource
  void tellsTheJvmAndTheSettings(Jvms jvm) throws Exception {
    Path file = jvm.record("default", "once");
    RecordingFacts facts = Recordings.read(file).facts();
    assertEquals(file.toString(), facts.source());
    assertEquals(jvm.feature, facts.jdk());
    assertTrue(facts.jdkVersion().startsWith(jvm.feature + "."), facts.jdkVersion());
    assertEquals(OptionalInt.of(3), facts.parallelism(), "from the command line");
    assertTrue(facts.processors().getAsInt() >= 1);
    assertTrue(facts.durationNanos() > 0);
    assertEquals(0, facts.lostBytes());
    assertEquals(List.of(), facts.problems());
    assertTrue(facts.agent().isEmpty());
    assertEquals(
        new EventSetting(true, 20_000_000, true, 0, ""), facts.settings().get(Events.PINNED));
    assertTrue(facts.settings().keySet().containsAll(Events.EPISODES), "all of them");
    assertEquals(
        new EventSetting(true, 0, false, 20_000_000, ""),
        facts.settings().get(ThreadEvent.EXECUTION_SAMPLE.eventName()));
    assertEquals(
        "150/s", facts.settings().get(ThreadEvent.ALLOCATION_SAMPLE.eventName()).throttle());
    assertFalse(facts.settings().get(ThreadEvent.THREAD_START.eventName()).enabled());
    assertEquals(
        jvm == Jvms.JAVA_25,
        facts.settings().containsKey(ThreadEvent.CPU_SAMPLE.eventName()),
        "an event that this JDK does not have");
    RecordingFacts profile = Recordings.read(jvm.record("profile", "once")).facts();
    assertEquals(
        new EventSetting(true, 10_000_000, true, 0, ""),
        profile.settings().get(Events.MONITOR_ENTER));
  }

  @ParameterizedTest
  @EnumSource
  void readsThePins(Jvms jvm) throws Exception {
    RecordingData data = Recordings.read(jvm.record("default", "once"));
    Map<String, List<PinEpisode>> byThread =
        data.pins().episodes().stream().collect(Collectors.groupingBy(e -> e.thread().name()));
    Set<PinEpisode.Kind> kinds =
        data.pins().episodes().stream().map(PinEpisode::kind).collect(Collectors.toSet());
    Set<String> pinnedAnywhere = Set.of("initializer", "native");
    assertTrue(byThread.keySet().containsAll(pinnedAnywhere), byThread.keySet().toString());
    assertTrue(byThread.get("initializer").getFirst().stack().truncated());
    if (jvm.feature >= JavaRelease.UNPINNED_MONITORS) {
      assertEquals(pinnedAnywhere, byThread.keySet());
      assertEquals(Set.of(PinEpisode.Kind.PINNED), kinds);
      assertTrue(byThread.get("native").getFirst().pinnedReason().isPresent());
      return;
    }
    assertEquals(EnumSet.complementOf(EnumSet.of(PinEpisode.Kind.NATIVE)), kinds);
    assertEquals(PinningProgram.ROUNDS, byThread.get("").size());
    assertEquals(PinningProgram.ROUNDS, byThread.get("\u7ebf\u7a0b").size());
    assertEquals("java.lang.Object", byThread.get("wait").getFirst().lockClass().orElseThrow());
    assertTrue(
        byThread.get("contender").stream()
            .anyMatch(e -> e.kind() == PinEpisode.Kind.MONITOR_ENTER));
    assertTrue(data.pins().episodes().stream().allMatch(e -> e.thread().virtual()));
    List<PinEpisode> sorted = new ArrayList<>(data.pins().episodes());
    sorted.sort(Comparator.comparingLong(PinEpisode::startNanos));
    assertEquals(sorted, data.pins().episodes());
    // A park's event does not tell on what.
    assertEquals(
        List.of(),
        byThread.get("na\u00efve").stream().flatMap(e -> e.lockClass().stream()).toList());
  }

  @ParameterizedTest
  @EnumSource
  void readsEveryKindOfHang(Jvms jvm) throws Exception {
    List<SeenHang> hangs = Recordings.read(jvm.record("default", "hangs")).facts().hangs();
    List<RecordedKind> expected = new ArrayList<>();
    for (DiagnosisKind kind : DiagnosisKind.values()) {
      expected.add(RecordedKind.of(kind));
    }
    expected.add(RecordedKind.of(DiagnosisKind.LOST_WAKE_UP));
    expected.add(new RecordedKind("Livelock", Optional.empty()));
    assertEquals(expected, hangs.stream().map(SeenHang::kind).toList());
  }

  @ParameterizedTest
  @EnumSource
  void readsTheAgentsEvents(Jvms jvm) throws Exception {
    RecordingData data = Recordings.read(jvm.record("default", "agent"));
    assertEquals(
        new RecordingFacts.Agent("1.2.3", "threshold=1ms", false, OptionalInt.of(256)),
        data.facts().agent().orElseThrow());
    assertEquals(OptionalInt.of(7), data.facts().processors());
    assertEquals(OptionalInt.of(5), data.facts().parallelism());
    assertEquals(OptionalDouble.of(498.5), data.facts().waitingThreads());
    assertEquals(2, data.facts().shortAt().size());
    assertEquals(OptionalLong.of(499), data.facts().mostWaitingThreads());
    assertEquals(
        List.of(
            new ClassMonitors(
                new ClassRef("com.example.Empty", "app"),
                "file:/app.jar",
                ClassMonitors.Evidence.LOADED_CLASS,
                List.of()),
            new ClassMonitors(
                new ClassRef("com.example.Split", "app"),
                "file:/app.jar",
                ClassMonitors.Evidence.LOADED_CLASS,
                LockMaps.parse(lockMap()))),
        data.lockMaps());
    MonitorSample sample = data.samples().getFirst();
    assertEquals(1, data.samples().size());
    assertEquals(MonitorSamples.parse(SAMPLE), sample.frames());
    assertTrue(sample.threadId() > 0);
    assertEquals(
        List.of(
            "the lock map of com.example.Half is incomplete and was left out",
            "damaged events that were left out: 1"),
        data.facts().problems());
  }

  @ParameterizedTest
  @EnumSource
  void readsAllChunks(Jvms jvm) throws Exception {
    Path file = jvm.record("default", "chunks");
    RecordingData whole = Recordings.read(file);
    List<PinEpisode> expected = new ArrayList<>();
    List<Path> chunks = OracleTest.split(file, directory);
    List<Long> peaks = new ArrayList<>();
    long last = 0;
    for (Path chunk : chunks) {
      RecordingData data = Recordings.read(chunk);
      expected.addAll(data.pins().episodes());
      data.facts().peakHeapBytes().ifPresent(peaks::add);
      last = Math.max(last, data.facts().startNanos() + data.facts().durationNanos());
    }
    expected.sort(Comparator.comparingLong(PinEpisode::startNanos));
    assertTrue(expected.size() >= 2);
    assertEquals(expected, whole.pins().episodes());
    assertTrue(peaks.size() >= 2, peaks::toString);
    assertEquals(Collections.max(peaks), whole.facts().peakHeapBytes().getAsLong());
    assertEquals(last, whole.facts().startNanos() + whole.facts().durationNanos());
    assertEquals(List.of(), whole.facts().problems());
    assertEquals(
        new EventSetting(true, 20_000_000, true, 0, ""),
        whole.facts().settings().get(Events.PINNED));
    Map<StackTrace, StackTrace> first = new HashMap<>();
    for (PinEpisode episode : whole.pins().episodes()) {
      first.putIfAbsent(episode.stack(), episode.stack());
      assertSame(first.get(episode.stack()), episode.stack(), "equal stacks are one object");
    }
  }
}
