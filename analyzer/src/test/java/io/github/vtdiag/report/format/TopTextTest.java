package io.github.vtdiag.report.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.attach.ToldHang;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.hang.RecordedKind;
import io.github.vtdiag.live.TargetJvm;
import io.github.vtdiag.live.TopSample;
import io.github.vtdiag.live.TopSample.CarrierRow;
import io.github.vtdiag.live.TopSample.Carrying;
import io.github.vtdiag.live.TopSample.Recorded;
import io.github.vtdiag.live.TopSample.Seen;
import io.github.vtdiag.live.TopSample.State;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.words.Phrase;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TopTextTest {
  private static final Frame FRAME =
      new Frame(
          new ClassRef("com.example.Prices", "app"), "convert", "", 0, -1, 41, Frame.Kind.UNKNOWN);

  private static TopSample moment(List<CarrierRow> carriers, List<OptionalLong> queue) {
    return moment(carriers, queue, List.of());
  }

  private static TopSample moment(
      List<CarrierRow> carriers, List<OptionalLong> queue, List<ToldHang> hangs) {
    return new TopSample(
        new TargetJvm(12, "app.jar", "25.0.3", 25, Optional.of(2), List.of(), Optional.empty()),
        0,
        OptionalInt.of(2),
        carriers,
        Optional.of(new Seen(0.3, 0.1, 0.5)),
        queue,
        hangs,
        new Recorded(0, Optional.empty(), false, ""));
  }

  private static CarrierRow carrier(int number, State state, double busy, long nanos, String name) {
    return new CarrierRow(
        number,
        "ForkJoinPool-1-worker-" + number,
        state,
        OptionalDouble.of(busy),
        Optional.of(new Carrying(100 + number, name, nanos, false, Optional.of(FRAME))));
  }

  private static List<CarrierRow> carriers(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> carrier(i, State.RUNS, i / 100.0, i * 1_000_000_000L, "order " + i))
        .toList();
  }

  private static TopView view(int width, int height) {
    return new TopView(width, height, TopView.Sort.NUMBER, 0, "", true);
  }

  private static List<String> lines(TopSample moment, TopView view) {
    return TopText.lines(moment, view).stream().map(Phrase::text).toList();
  }

  @ParameterizedTest
  @CsvSource({"80,23", "120,39", "40,14", "40,8", "20,3"})
  void noMoreLinesThanThereIsRoomFor(int width, int height) {
    List<String> lines =
        lines(moment(carriers(64), List.of(OptionalLong.of(3))), view(width, height));
    assertTrue(lines.size() <= Math.max(height, 11), lines.toString());
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("worker-1 ")), lines.toString());
    assertTrue(lines.stream().anyMatch(line -> line.contains("more carriers (up, down)")));
  }

  @Test
  void theRestIsReachedByGoingDown() {
    TopView down = new TopView(80, 23, TopView.Sort.NUMBER, 1_000, "", true);
    List<String> lines = lines(moment(carriers(64), List.of()), down);
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("worker-64 ")), lines.toString());
    assertFalse(lines.stream().anyMatch(line -> line.startsWith("worker-1 ")), lines.toString());
  }

  @Test
  void carriersAreSortedByWhatSomebodyAsksFor() {
    TopSample moment = moment(carriers(3), List.of());
    for (TopView.Sort sort : TopView.Sort.values()) {
      List<String> lines = lines(moment, new TopView(80, 0, sort, 0, "", true));
      assertEquals(
          sort == TopView.Sort.NUMBER ? "worker-1" : "worker-3",
          lines.stream()
              .filter(line -> line.startsWith("worker-"))
              .findFirst()
              .orElse("")
              .split(" ", 2)[0],
          sort.toString());
    }
  }

  @Test
  void aFilterLeavesWhatContainsIt() {
    TopView filtered = new TopView(80, 0, TopView.Sort.NUMBER, 0, "ORDER 2", true);
    List<String> lines = lines(moment(carriers(9), List.of()), filtered);
    assertEquals(1, lines.stream().filter(line -> line.startsWith("worker-")).count());
    TopView none = new TopView(80, 0, TopView.Sort.NUMBER, 0, "nobody", true);
    assertTrue(
        lines(moment(carriers(9), List.of()), none).contains("No carrier matches the filter."));
  }

  @Test
  void textFromStrangersIsMadeHarmless() {
    TopSample moment =
        moment(List.of(carrier(1, State.BLOCKED, 0, 1, "a\u001b[2Jb\nc\u202e")), List.of());
    for (int width : new int[] {40, 80, 120}) {
      String text = TopText.text(moment, view(width, 0), Style.PLAIN);
      assertFalse(text.contains("\u001b"), text);
      assertFalse(text.contains("\u202e"), text);
      assertTrue(text.contains("blocked"), text);
    }
  }

  @Test
  void theQueueIsDrawnAgainstItsMost() {
    List<OptionalLong> queue = LongStream.of(0, 1, 100, 50).mapToObj(OptionalLong::of).toList();
    assertTrue(
        lines(moment(carriers(1), queue), view(80, 0))
            .contains("Queue: 50 threads wait for a carrier  ▁▂█▅  most 100"),
        lines(moment(carriers(1), queue), view(80, 0)).toString());
    TopView plain = new TopView(80, 0, TopView.Sort.NUMBER, 0, "", false);
    assertTrue(
        lines(moment(carriers(1), queue), plain)
            .contains("Queue: 50 threads wait for a carrier  _.#=  most 100"),
        lines(moment(carriers(1), queue), plain).toString());
  }

  @Test
  void theAccountIsNotCut() {
    TopSample moment =
        new TopSample(
            new TargetJvm(12, "app.jar", "25.0.3", 25, Optional.of(2), List.of(), Optional.empty()),
            0,
            OptionalInt.of(2),
            carriers(2),
            Optional.of(new Seen(0.3, 0.1, 0.25)),
            List.of(),
            List.of(),
            new Recorded(10_000_000_000L, Optional.empty(), false, ""));
    List<String> lines = lines(moment, view(80, 23));
    assertEquals(
        List.of(
            "Carriers, last 10 s: blocked 25%, running 40% (10% without a processor),",
            "  idle or not known 35%"),
        lines.subList(1, 3));
    assertEquals(
        "Carriers, last 10 s: blocked 25%, running 40% (10% without a processor), idle or not known"
            + " 35%",
        lines(moment, view(120, 23)).get(1));
  }

  @Test
  void aCarrierThatPinsKeepIsBlockedWhoeverIsOnIt() {
    CarrierRow row = carrier(1, State.RUNS, 0.03, 0, "order 1");
    assertEquals(State.BLOCKED, row.among(0.97, 0).state());
    assertEquals(State.RUNS, row.among(0.97, 0.6).state());
    assertEquals(State.RUNS, row.among(0.05, 0).state());
    assertEquals(State.RUNS, row.among(0, 0).state());
    assertEquals(State.IDLE, carrier(1, State.IDLE, 0.0, 0, "").among(0.97, 0).state());
  }

  @Test
  void whatIsNotKnownIsSaid() {
    List<String> lines = lines(moment(List.of(), List.of()), view(80, 0));
    assertTrue(lines.contains("Queue: not known"), lines.toString());
    assertTrue(lines.contains("No virtual thread was on a carrier at any look."), lines.toString());
    assertTrue(lines.contains("Nothing is known yet."), lines.toString());
    assertTrue(
        lines.contains("Carriers: blocked 50%, running 40% (10% without a processor),"),
        lines.toString());
  }

  /** A screen cuts what is wider: a cut name, or a clause without its end, misleads. */
  @Test
  void aLongFindingGoesOnBelowAtAWord() {
    Frame held = Pins.frame("com.example.warehouse.Reservations", "reserveOrWait", 20, 326);
    Findings findings = new Pins().pin(1, 60, Pins.stack(held), Pins.method(0, held)).findings();
    TopSample moment =
        new TopSample(
            new TargetJvm(12, "app.jar", "25.0.3", 25, Optional.of(2), List.of(), Optional.empty()),
            0,
            OptionalInt.of(2),
            carriers(2),
            Optional.of(new Seen(0.3, 0.1, 0.25)),
            List.of(),
            List.of(),
            new Recorded(10_000_000_000L, Optional.of(findings), false, ""));
    List<String> wide = lines(moment, view(200, 0));
    String row = wide.getLast();
    assertTrue(row.length() > 80, row);
    List<String> narrow = lines(moment, view(80, 0));
    List<String> rows =
        narrow.subList(narrow.indexOf(wide.get(wide.size() - 2)) + 1, narrow.size());
    assertTrue(rows.size() > 1, narrow.toString());
    rows.forEach(line -> assertTrue(line.length() <= 80, line));
    assertEquals(
        row,
        rows.getFirst()
            + " "
            + String.join(" ", rows.stream().skip(1).map(String::strip).toList()));
  }

  /** Idle carriers are what a program that stands still has, too. */
  @Test
  void besideAHangTheHeadDoesNotSayThatTheCarriersWereIdle() {
    ToldHang stall =
        new ToldHang(
            Optional.of(RecordedKind.of(DiagnosisKind.STALLED)), false, "20 threads", "stalled");
    Recorded idle =
        new Recorded(0, Optional.of(new Pins().looked(5, 0, 0, 0, 0).findings()), false, "");
    for (List<ToldHang> hangs : List.of(List.<ToldHang>of(), List.of(stall))) {
      TopSample bare = moment(carriers(1), List.of(), hangs);
      TopSample moment =
          new TopSample(
              bare.target(),
              bare.atMillis(),
              bare.parallelism(),
              bare.carriers(),
              bare.seen(),
              bare.queue(),
              hangs,
              idle);
      assertEquals(
          hangs.isEmpty(),
          lines(moment, view(200, 0)).toString().contains("The carriers were not the bottleneck"));
    }
  }

  @Test
  void theHeadNamesWhatStandsStill() {
    ToldHang stall =
        new ToldHang(
            Optional.of(RecordedKind.of(DiagnosisKind.STALLED)),
            false,
            "20 virtual threads have waited",
            "stalled: 20 virtual threads have waited\n  at Semaphore\n");
    ToldHang lock =
        new ToldHang(
            Optional.of(RecordedKind.of(DiagnosisKind.LOCK_CYCLE)),
            true,
            "2 threads wait for each other",
            "deadlock: 2 threads wait for each other");
    assertEquals(
        List.of(
            "STALLED: 20 virtual threads have waited", "DEADLOCK: 2 threads wait for each other"),
        lines(moment(carriers(1), List.of(), List.of(stall, lock)), view(100, 0)).subList(3, 5));
    List<String> many =
        lines(moment(carriers(1), List.of(), Collections.nCopies(9, stall)), view(80, 0));
    assertEquals(3, many.stream().filter(line -> line.startsWith("STALLED")).count());
    assertTrue(many.contains("6 more that do not end; vtdiag hang 12 has all"), many.toString());
    assertFalse(
        lines(moment(carriers(1), List.of()), view(80, 0)).toString().contains("more that"));
  }
}
