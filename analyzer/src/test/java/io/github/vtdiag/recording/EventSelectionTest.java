package io.github.vtdiag.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.jfr.ChunkSource;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.EventSelection.Detail;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** What is read of events besides pins, and how often it is asked what to read. */
class EventSelectionTest {
  private static final long ALLOCATION = 200_000;
  private static final long START = 200_001;
  private static final long PARK = 200_002;
  private static final long STACK = 8;
  private static final long THREAD = 7;

  /** The kinds of events of which it was asked what to read, once for each time. */
  private final List<ThreadEvent> asked = new ArrayList<>();

  private final EventSelection selection =
      (event, frames) -> {
        asked.add(event);
        assertEquals("run", frames.getFirst().method());
        return switch (event) {
          case ALLOCATION_SAMPLE -> Detail.TOTALS;
          case THREAD_START -> Detail.ROWS;
          default -> Detail.NONE;
        };
      };

  private static ChunkBuilder chunk() {
    return SyntheticRecordingTest.shuffled()
        .type(
            ALLOCATION,
            ThreadEvent.ALLOCATION_SAMPLE.eventName(),
            ChunkBuilder.EVENT,
            "startTime 12",
            "eventThread 21 constant",
            "stackTrace 22 constant",
            "objectClass 25 constant",
            "weight 12")
        .type(
            START,
            ThreadEvent.THREAD_START.eventName(),
            ChunkBuilder.EVENT,
            "startTime 12",
            "eventThread 21 constant",
            "stackTrace 22 constant",
            "javaThreadId 12")
        .type(
            PARK,
            ThreadEvent.PARK.eventName(),
            ChunkBuilder.EVENT,
            "startTime 12",
            "duration 12",
            "eventThread 21 constant",
            "stackTrace 22 constant",
            "parkedClass 25 constant",
            "timeout 12")
        .constants(5, SyntheticRecordingTest.constants(77));
  }

  /** A chunk in which one event of each kind follows the other. */
  private static byte[] chunk(int ofEach, LongFunction<Long> weight) {
    ChunkBuilder chunk = chunk();
    for (long i = 0; i < ofEach; i++) {
      long at = i;
      chunk.event(ALLOCATION, out -> out.numbers(at, THREAD, STACK, 3).number(weight.apply(at)));
      chunk.event(START, out -> out.numbers(at, THREAD, STACK, 1_000 + at));
      chunk.event(PARK, out -> out.numbers(at, 5, THREAD, STACK, 3, 0));
    }
    return chunk.build();
  }

  private EventTable read(TimeRange range, byte[]... files) throws Exception {
    RecordingReader reader =
        new RecordingReader(
            "test", range, true, new SeenChunks(), ChunkSource.MAX_SIZE, selection, true);
    for (byte[] file : files) {
      reader.add(new ByteArrayInputStream(file));
    }
    return reader.finish().orElseThrow().events();
  }

  /** How many events there are of each kind, and what their numbers add up to. */
  private static Map<ThreadEvent, List<Long>> totals(EventTable table) {
    Map<ThreadEvent, List<Long>> totals = new TreeMap<>();
    for (int look = 0; look < table.looks().size(); look++) {
      if (table.count(look) > 0) {
        totals.merge(
            table.looks().get(look).event(),
            List.of(table.count(look), table.sum(look)),
            (one, two) -> List.of(one.get(0) + two.get(0), one.get(1) + two.get(1)));
      }
    }
    return totals;
  }

  private static long rows(EventTable table, ThreadEvent kind) {
    long rows = 0;
    for (int row = 0; row < table.size(); row++) {
      rows += table.event(row) == kind ? 1 : 0;
    }
    return rows;
  }

  @Test
  void readsWhatIsSelectedAndNoMore() throws Exception {
    EventTable table = read(TimeRange.ALL, chunk(3, at -> 10 * (at + 1)));
    assertEquals(
        Map.of(
            ThreadEvent.ALLOCATION_SAMPLE, List.of(3L, 60L),
            ThreadEvent.THREAD_START, List.of(3L, 3_003L)),
        totals(table));
    assertEquals(3, table.size());
    assertEquals(3, rows(table, ThreadEvent.THREAD_START));
  }

  @Test
  void asksOncePerStackWhateverTheNumberOfEvents() throws Exception {
    read(TimeRange.ALL, chunk(5_000, at -> 1L));
    assertEquals(
        List.of(ThreadEvent.PARK, ThreadEvent.THREAD_START, ThreadEvent.ALLOCATION_SAMPLE),
        asked.stream().sorted().toList());
  }

  @Test
  void veryManyAllocationsAreEstimatedFromSome() throws Exception {
    int many = 100_000;
    EventTable table = read(TimeRange.ALL, chunk(many, at -> at % 2 == 0 ? 1_000L : 0L));
    List<Long> allocations = totals(table).get(ThreadEvent.ALLOCATION_SAMPLE);
    assertTrue(allocations.get(0) < many / 5, allocations::toString);
    assertEquals(500.0 * many, allocations.get(1), 0.05 * 500 * many);
    // All others are exact.
    assertEquals(many, rows(table, ThreadEvent.THREAD_START));
  }

  @Test
  void soAreVeryManyWaits() throws Exception {
    int many = 100_000;
    RecordingReader reader =
        new RecordingReader(
            "test",
            TimeRange.ALL,
            true,
            new SeenChunks(),
            ChunkSource.MAX_SIZE,
            EventSelection.ALL,
            true);
    reader.add(new ByteArrayInputStream(chunk(many, at -> 1L)));
    EventTable table = reader.finish().orElseThrow().events();
    long waits = rows(table, ThreadEvent.PARK);
    assertTrue(waits > 1_000 && waits < many / 5, () -> waits + " waits");
    assertEquals(many, rows(table, ThreadEvent.THREAD_START));
  }

  @Test
  void ofAChunkThatTwoFilesHaveEachEventCountsOnce() throws Exception {
    byte[] whole = chunk(20_000, at -> at);
    byte[] cut = Arrays.copyOf(whole, whole.length * 2 / 3);
    Map<ThreadEvent, List<Long>> expected = totals(read(TimeRange.ALL, whole));
    // What the cut copy lacks, its types among them, the whole one has.
    byte[] begun = whole.clone();
    begun[64] = 1; // As long as the JVM is writing it.
    for (byte[] first : List.of(cut, begun, whole)) {
      EventTable table = read(TimeRange.ALL, first, whole);
      assertEquals(expected, totals(table));
      assertEquals(20_000, rows(table, ThreadEvent.THREAD_START));
      assertEquals(20_000, table.size());
    }
  }

  @Test
  void ofAPartOfTheTimeOnlyThatCounts() throws Exception {
    TimeRange later =
        new TimeRange(
            Optional.of(new TimeRange.At(ChunkBuilder.START_NANOS + 2)),
            Optional.of(new TimeRange.At(ChunkBuilder.START_NANOS + 4)));
    EventTable table = read(later, chunk(9, at -> 10 * at));
    assertEquals(List.of(2L, 50L), totals(table).get(ThreadEvent.ALLOCATION_SAMPLE));
    assertEquals(2, rows(table, ThreadEvent.THREAD_START));
  }
}
