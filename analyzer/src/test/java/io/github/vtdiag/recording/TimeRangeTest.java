package io.github.vtdiag.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.recording.TimeRange.AfterStart;
import io.github.vtdiag.recording.TimeRange.At;
import io.github.vtdiag.recording.TimeRange.BeforeEnd;
import io.github.vtdiag.recording.TimeRange.Bound;
import io.github.vtdiag.recording.TimeRange.OnTheDay;
import io.github.vtdiag.recording.TimeRange.Span;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A part of a recording's time. */
class TimeRangeTest {
  private static TimeRange range(Bound from, Bound to) {
    return new TimeRange(Optional.ofNullable(from), Optional.ofNullable(to));
  }

  private static RecordingData read(Path file, Bound from, Bound to) throws DataException {
    return new Recordings(range(from, to), note -> {}, count -> {})
        .read(new Input(file.toString(), List.of(file)))
        .getFirst();
  }

  @Test
  void knowsWhatCanHoldNothing() {
    assertTrue(range(new At(2), new At(2)).isBackwards());
    assertTrue(range(new AfterStart(2), new AfterStart(1)).isBackwards());
    assertTrue(range(new BeforeEnd(1), new BeforeEnd(2)).isBackwards());
    assertTrue(range(new OnTheDay(LocalTime.NOON), new OnTheDay(LocalTime.MIDNIGHT)).isBackwards());
    assertFalse(range(new BeforeEnd(2), new BeforeEnd(1)).isBackwards());
    assertFalse(range(new At(2), new AfterStart(1)).isBackwards(), "who knows");
    assertFalse(TimeRange.ALL.isBackwards());
  }

  @Test
  void leavesOpenWhatIsNotKnownYet() {
    TimeRange range = range(new AfterStart(5), new BeforeEnd(7));
    assertEquals(Span.ALL, range.span(OptionalLong.empty(), OptionalLong.empty()));
    assertEquals(
        new Span(105, Long.MAX_VALUE), range.span(OptionalLong.of(100), OptionalLong.empty()));
    assertEquals(new Span(105, 193), range.span(OptionalLong.of(100), OptionalLong.of(200)));
  }

  @Test
  void aTimeOfDayNeedsOneDay() {
    Instant noon = Instant.now().atZone(ZoneId.systemDefault()).with(LocalTime.NOON).toInstant();
    long start = TimeRange.nanosOf(noon);
    TimeRange range = range(new OnTheDay(LocalTime.of(12, 1)), null);
    assertEquals(
        start + 60_000_000_000L, range.span(OptionalLong.of(start), OptionalLong.empty()).from());
    assertEquals("", range.ambiguity(start, start + 1));
    long days = 2 * 86_400_000_000_000L;
    assertTrue(range.ambiguity(start, start + days).endsWith("with the date"));
    assertEquals("", TimeRange.ALL.ambiguity(start, start + days));
  }

  @Test
  void timesBeyondThoseOfRecordingsAreTheNearest() {
    assertEquals(Long.MAX_VALUE, TimeRange.nanosOf(Instant.MAX));
    assertEquals(Long.MIN_VALUE, TimeRange.nanosOf(Instant.MIN));
  }

  /** Cut anywhere, the parts have together what the whole has; a pin that is cut is in both. */
  @ParameterizedTest
  @EnumSource
  void thePartsAreTheWhole(Jvms jvm) throws Exception {
    Path file = jvm.record("default", "chunks");
    RecordingData whole = Recordings.read(file);
    PinEpisode cut = whole.pins().episodes().get(whole.pins().episodes().size() / 2);
    long middle = cut.startNanos() + cut.durationNanos() / 3;
    RecordingData before = read(file, null, new At(middle));
    RecordingData after = read(file, new At(middle), null);
    assertEquals(total(whole), total(before) + total(after));
    assertTrue(
        before.pins().episodes().size() + after.pins().episodes().size()
            > whole.pins().episodes().size(),
        "one is cut");
    assertEquals(
        whole.facts().durationNanos(),
        before.facts().durationNanos() + after.facts().durationNanos());
    assertEquals(middle, after.facts().startNanos());
    for (RecordingData part : List.of(before, after)) {
      assertEquals(whole.facts().settings(), part.facts().settings());
      assertEquals(whole.facts().jdkVersion(), part.facts().jdkVersion());
      assertEquals(whole.facts().parallelism(), part.facts().parallelism());
      assertEquals(List.of(), part.facts().problems());
    }
    // The same times in other words.
    long sinceStart = middle - whole.facts().startNanos();
    long untilEnd = whole.facts().durationNanos() - sinceStart;
    assertEquals(before, read(file, null, new AfterStart(sinceStart)));
    assertEquals(before, read(file, null, new BeforeEnd(untilEnd)));
    assertEquals(after, read(file, new AfterStart(sinceStart), null));
    assertEquals(after, read(file, new BeforeEnd(untilEnd), null));
  }

  /** Cut at every moment at which the JVM told of its heap. */
  @ParameterizedTest
  @EnumSource
  void thePeakOfTheHeapIsThatOfTheTime(Jvms jvm) throws Exception {
    Path file = jvm.record("default", "once");
    Map<Long, Long> used = new TreeMap<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      long nanos = TimeRange.nanosOf(event.getStartTime());
      switch (event.getEventType().getName()) {
        case "jdk.GCHeapSummary" -> used.merge(nanos, event.getLong("heapUsed"), Math::max);
        case "jdk.GCHeapMemoryUsage" -> used.merge(nanos, event.getLong("used"), Math::max);
        default -> {}
      }
    }
    assertTrue(used.size() >= 4, used::toString);
    assertEquals(
        OptionalLong.of(Collections.max(used.values())),
        Recordings.read(file).facts().peakHeapBytes());
    for (long cut : used.keySet()) {
      assertEquals(peak(used, 0, cut), read(file, null, new At(cut)).facts().peakHeapBytes());
      assertEquals(
          peak(used, cut, Long.MAX_VALUE), read(file, new At(cut), null).facts().peakHeapBytes());
    }
  }

  private static OptionalLong peak(Map<Long, Long> used, long from, long to) {
    return used.entrySet().stream()
        .filter(at -> at.getKey() >= from && at.getKey() < to)
        .mapToLong(Map.Entry::getValue)
        .max();
  }

  private static long total(RecordingData data) {
    return data.pins().episodes().stream().mapToLong(PinEpisode::durationNanos).sum();
  }

  /** Its facts are still those of the recording. */
  @ParameterizedTest
  @EnumSource
  void nothingIsInAnotherTime(Jvms jvm) throws Exception {
    Path file = jvm.record("default", "agent");
    RecordingData whole = Recordings.read(file);
    RecordingData none = read(file, null, new At(whole.facts().startNanos() - 1));
    assertEquals(List.of(), none.pins().episodes());
    assertEquals(0, none.facts().durationNanos());
    assertEquals(whole.facts().settings(), none.facts().settings());
    assertEquals(whole.facts().agent(), none.facts().agent());
    assertEquals(whole.lockMaps(), none.lockMaps());
  }

  @ParameterizedTest
  @EnumSource
  void relativeTimesOfOverlappingFilesAreRefused(Jvms jvm) throws Exception {
    Path file = jvm.record("default", "once");
    Recordings recordings = new Recordings(range(new AfterStart(1), null), note -> {}, count -> {});
    Input input = new Input("app.jfr", List.of(file));
    assertEquals(1, recordings.read(input).size());
    assertEquals(
        "app.jfr: has a chunk that another file has too; name only one of them, or give --from and"
            + " --to with the date",
        assertThrows(DataException.class, () -> recordings.read(input)).getMessage());
  }
}
