package io.github.vtdiag.agent.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.account.CarrierSample;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.hang.RecordedKind;
import io.github.vtdiag.model.PinEpisode.Kind;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.OtherCarriers;
import io.github.vtdiag.pin.SeenHang;
import io.github.vtdiag.pin.WaitLook;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpositionTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Meters meters = new Meters(true);

  private static Events.WatchLook look(int kept, long processor) {
    return new Events.WatchLook(
        0,
        500 * MILLI,
        100 * MILLI,
        20 * MILLI,
        50,
        25 * MILLI,
        2,
        kept,
        0,
        7,
        true,
        false,
        OtherCarriers.NONE,
        new CarrierSample(
            0,
            SECOND,
            2 * SECOND,
            SECOND,
            SECOND / 2,
            SECOND / 4,
            SECOND / 8,
            0,
            SECOND / 8,
            processor,
            100,
            7 * SECOND,
            9,
            SECOND,
            new CarrierSample.Saturation(SECOND / 2, 0, 0, 0, 0)));
  }

  private OpenMetricsText text(long now, Optional<LiveScheduler.Now> scheduler) {
    Exposition.Text text = new Exposition("1.2").write(meters.read(now), scheduler, "*/*");
    assertEquals("application/openmetrics-text; version=1.0.0; charset=utf-8", text.contentType());
    return OpenMetricsText.parse(text.body().toString(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# TYPE a gauge\na 1\n",
        "# TYPE a counter\na 1\n# EOF\n",
        "# TYPE a_b gauge\n# UNIT a_b seconds\na_b 1\n# EOF\n",
        "# TYPE a gauge\na{b=\"c\\d\"} 1\n# EOF\n",
        "# TYPE a gauge\na 1\na 1\n# EOF\n",
        "# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\n# HELP a c\n# EOF\n",
        "# TYPE a histogram\na_bucket{le=\"1.0\"} 2\na_bucket{le=\"+Inf\"} 1\na_count 1\n# EOF\n",
        "# TYPE a histogram\na_bucket{le=\"+Inf\"} 2\na_count 1\n# EOF\n",
      })
  void theTestsOwnReaderTakesNothingThatBreaksTheRules(String text) {
    assertThrows(AssertionError.class, () -> OpenMetricsText.parse(text));
  }

  @Test
  void whatIsNotKnownIsAbsent() {
    Meters blind = new Meters(false);
    Exposition.Text text = new Exposition("1.2").write(blind.read(0), Optional.empty(), "");
    OpenMetricsText parsed = OpenMetricsText.parse(text.body().toString(StandardCharsets.UTF_8));
    assertEquals(
        List.of(
            "jvm_thread_virtual_pinned_seconds",
            "jvm_thread_virtual_submit_failed",
            "vtdiag_agent",
            "vtdiag_pin_sites_folded"),
        parsed.families().stream().sorted().toList());
    assertEquals(0, parsed.sum("jvm_thread_virtual_pinned_seconds_count"));
  }

  @Test
  void whatTheWatchSaidLongAgoIsNotHowItIsNow() {
    meters.look(look(1, SECOND), 0);
    assertEquals(1, text(9 * SECOND, Optional.empty()).sum("vtdiag_carriers_kept"));
    assertEquals("absent", text(11 * SECOND, Optional.empty()).type("vtdiag_carriers_kept"));
  }

  @Test
  void theAccountAddsUpAndProcessorTimeThatNobodyTellsIsAbsent() {
    meters.look(look(1, SECOND), 0);
    meters.look(look(2, SECOND), 0);
    OpenMetricsText text = text(0, Optional.empty());
    Map<String, Double> uses =
        text.samples("vtdiag_carrier_time_seconds_total").stream()
            .collect(Collectors.toMap(each -> each.labels().get("use"), each -> each.value()));
    assertEquals(
        Map.of(
            "idle", 2.0, "java", 1.0, "native", 0.5, "file", 0.0, "pinned", 0.25, "blocked", 0.0,
            "unknown", 0.25),
        uses);
    assertEquals(2, text.sum("vtdiag_carriers_kept"));
    assertEquals(2, text.sum("vtdiag_carrier_cpu_seconds_total"));
    assertEquals(14, text.sum("vtdiag_queue_time_seconds_total"));
    assertEquals(2, text.sum("vtdiag_queue_occupied_seconds_total"));
    assertEquals(1, text.sum("vtdiag_carriers_exhausted_seconds_total"));
    meters.look(look(0, -1), 0);
    assertEquals("absent", text(0, Optional.empty()).type("vtdiag_carrier_cpu_seconds"));
  }

  @Test
  void fileTimeIsAShareOfItsOwnAndNoMoreThanThereWas() {
    meters.file(SECOND / 8);
    meters.look(look(1, SECOND), 0);
    meters.look(look(1, SECOND), 0);
    assertEquals(0.125, use("file"), 1e-6);
    assertEquals(0.375, use("native"), 1e-6);
    assertEquals(1, use("java"), 1e-6);
    // It began long before.
    meters.file(10 * SECOND);
    meters.look(look(1, SECOND), 0);
    assertEquals(0.125 + 0.75, use("file"), 1e-6);
    assertEquals(0.375, use("native"), 1e-6);
    assertEquals(1, use("java"), 1e-6);
  }

  private double use(String name) {
    return text(0, Optional.empty()).samples("vtdiag_carrier_time_seconds_total").stream()
        .filter(each -> name.equals(each.labels().get("use")))
        .mapToDouble(each -> each.value())
        .sum();
  }

  @Test
  void threadsThatTheSchedulerDidNotTakeAreCounted() {
    assertEquals(0, text(0, Optional.empty()).sum("jvm_thread_virtual_submit_failed_total"));
    meters.submitFailed();
    assertEquals(1, text(0, Optional.empty()).sum("jvm_thread_virtual_submit_failed_total"));
  }

  @Test
  void theSchedulerIsToldAsItIs() {
    LiveScheduler.Now now = new LiveScheduler.Now(4, 5, OptionalInt.of(3), 17);
    OpenMetricsText text = text(0, Optional.of(now));
    assertEquals(4, text.sum("vtdiag_scheduler_parallelism"));
    assertEquals(5, text.sum("vtdiag_scheduler_pool_size"));
    assertEquals(3, text.sum("vtdiag_scheduler_mounted_threads"));
    assertEquals(17, text.sum("vtdiag_scheduler_queued_threads"));
    LiveScheduler.Now untold = new LiveScheduler.Now(4, 5, OptionalInt.empty(), 17);
    assertEquals("absent", text(0, Optional.of(untold)).type("vtdiag_scheduler_mounted_threads"));
  }

  @Test
  void threadsThatWaitWithoutACarrierAreCountedAsFarAsSomeTell() {
    assertEquals("absent", text(0, Optional.empty()).type("vtdiag_threads_waiting"));
    meters.look(new WaitLook(0, 1, 10_000, 128, 64, true, false));
    OpenMetricsText text = text(0, Optional.empty());
    assertEquals(10_000, text.sum("vtdiag_threads_alive"));
    assertEquals(5_000, text.sum("vtdiag_threads_waiting"));
    meters.look(new WaitLook(0, 2, 0, 0, 0, true, false));
    assertEquals(0, text(0, Optional.empty()).sum("vtdiag_threads_waiting"));
  }

  @Test
  void aPinAsLongAsABoundIsBelowIt() {
    meters.pin(Kind.PINNED, "here", 5 * MILLI);
    meters.pin(Kind.PINNED, "here", 5 * MILLI + 1);
    meters.pin(Kind.PINNED, "here", 3_600 * SECOND);
    OpenMetricsText text = text(0, Optional.empty());
    Map<String, Double> buckets =
        text.samples("vtdiag_pin_duration_seconds_bucket").stream()
            .collect(Collectors.toMap(each -> each.labels().get("le"), each -> each.value()));
    assertEquals(0, buckets.get("0.002"));
    assertEquals(1, buckets.get("0.005"));
    assertEquals(2, buckets.get("0.01"));
    assertEquals(2, buckets.get("60.0"));
    assertEquals(3, buckets.get("+Inf"));
    assertEquals(3_600.010000001, text.sum("vtdiag_pin_duration_seconds_sum"), 1e-9);
  }

  @Test
  void namesOfStrangersComeBackAsTheyAreShownElsewhere() {
    String site = "a\"b\\c\nd\u001b[2J\ud800} 1\n# EOF\n\u00fc";
    meters.pin(Kind.NATIVE, site, MILLI);
    OpenMetricsText.Sample sample =
        text(0, Optional.empty()).samples("vtdiag_pin_duration_seconds_count").getFirst();
    assertEquals(
        Map.of("site", "a\"b\\c\\nd\\u001b[2J\\ud800} 1\\n# EOF\\n\u00fc", "kind", "native"),
        sample.labels());
  }

  @Test
  void aThousandSitesAreAHundredAndTheRest() {
    for (int i = 0; i < 1_000; i++) {
      meters.pin(Kind.PINNED, "site " + i, MILLI);
      meters.pin(Kind.PINNED, "site " + i, MILLI);
    }
    OpenMetricsText text = text(0, Optional.empty());
    List<OpenMetricsText.Sample> counts = text.samples("vtdiag_pin_duration_seconds_count");
    assertEquals(101, counts.size());
    assertEquals(2_000, text.sum("vtdiag_pin_duration_seconds_count"));
    assertEquals(
        1_800,
        counts.stream()
            .filter(each -> each.labels().get("site").equals("other"))
            .mapToDouble(OpenMetricsText.Sample::value)
            .sum());
    assertEquals(900, text.sum("vtdiag_pin_sites_folded_total"));
  }

  @Test
  void aNameAsLongAsANovelIsCut() {
    meters.pin(Kind.PINNED, "\ud83d\ude00".repeat(50_000), MILLI);
    String site =
        text(0, Optional.empty())
            .samples("vtdiag_pin_duration_seconds_count")
            .getFirst()
            .labels()
            .get("site");
    assertTrue(site.length() <= 303, site);
    assertTrue(site.endsWith("\ud83d\ude00..."), site);
  }

  @Test
  void aHangIsCountedOnceAndIsOpenUntilItHasEnded() {
    assertEquals(0, text(0, Optional.empty()).sum("vtdiag_hangs_total"));
    SeenHang seen =
        new SeenHang(
            0,
            1,
            RecordedKind.of(DiagnosisKind.LOCK_CYCLE),
            true,
            false,
            List.of(),
            List.of(),
            Set.of());
    meters.hang(seen);
    meters.hang(seen);
    OpenMetricsText during = text(0, Optional.empty());
    assertEquals(1, during.sum("vtdiag_hangs_total"));
    assertEquals(1, during.sum("vtdiag_hangs_open"));
    assertEquals(
        List.of(
            "DeadlockByPinning",
            "LockCycle",
            "LostWakeUp",
            "NeverReleased",
            "NotScheduled",
            "Stalled",
            "Starved"),
        during.samples("vtdiag_hangs_total").stream()
            .map(each -> each.labels().get("kind"))
            .sorted()
            .toList());
    meters.hang(
        new SeenHang(
            0,
            1,
            RecordedKind.of(DiagnosisKind.LOCK_CYCLE),
            true,
            true,
            List.of(),
            List.of(),
            Set.of()));
    assertEquals(0, text(0, Optional.empty()).sum("vtdiag_hangs_open"));
    assertEquals(1, text(0, Optional.empty()).sum("vtdiag_hangs_total"));
  }

  @Test
  void whoAsksForTheFormatBeforeGetsIt() {
    meters.pin(Kind.PINNED, "here", MILLI);
    Exposition exposition = new Exposition("1.2");
    Exposition.Text old =
        exposition.write(meters.read(0), Optional.empty(), "text/plain;version=0.0.4;q=0.5");
    assertTrue(old.contentType().startsWith("text/plain; version=0.0.4"), old.contentType());
    String body = old.body().toString(StandardCharsets.UTF_8);
    assertFalse(body.contains("# EOF"), body);
    assertTrue(body.contains("# TYPE vtdiag_pin_duration_seconds histogram"), body);
    String both = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5";
    assertTrue(
        exposition
            .write(meters.read(0), Optional.empty(), both)
            .contentType()
            .startsWith("application/openmetrics-text"));
  }
}
