package io.github.vtdiag.page;

import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.account.CarrierSample;
import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Advisor;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.advice.Locks;
import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.analysis.PinsAlike;
import io.github.vtdiag.analysis.Recorded;
import io.github.vtdiag.findings.WaitKind;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.report.ReportEntries;
import io.github.vtdiag.report.format.Html;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.Lock;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PageTest {
  private static final Frame HOLDER = frame("com.example.Cache", "load", 7, 12);
  private static final Frame READ = frame("com.example.Client", "read", 3, 40);
  private static final StackTrace STACK = stack(READ, HOLDER);

  /** As many rows as pins at a time: two of 500 ms every second do not overlap. */
  private static Pins twice() {
    return new Pins()
        .pin(1, 500, STACK, method(1, HOLDER))
        .pin(2, 1_500, STACK, method(1, HOLDER))
        .pin(3, 19, STACK, method(1, HOLDER))
        .pin(4, 20, STACK, method(1, HOLDER));
  }

  private static String html(Pins pins, Map<StackTrace, Double> waits) throws Exception {
    Page page = PageFigures.of(pins.recorded(), pins.data(), waits);
    return new String(page.html(), StandardCharsets.UTF_8);
  }

  private static List<PinsAlike> alike(Pins pins) {
    Recorded recorded = pins.recorded();
    return PinsAlike.of(List.of(recorded)).apply(recorded);
  }

  @Test
  void nothingInItNamesAnotherPlace() throws Exception {
    String html = html(twice(), Map.of());
    assertFalse(
        Pattern.compile("(src|href)=\"(?!#|data:,\")|@import|https?://").matcher(html).find());
    assertFalse(html.contains("innerHTML") || html.contains("unsafe-"), html);
    assertTrue(
        html.indexOf("Content-Security-Policy") < html.indexOf("<style"),
        "the policy comes before what it allows");
  }

  @Test
  void whatWouldEndItsElementIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Html().raw("x</script>"));
    String text = new Html().leaf("p", "<a href='x'>&\"\u0000\ud800", "title", "\"><b>").written();
    assertTrue(
        text.endsWith(
            "<p title=\"&quot;&gt;&lt;b&gt;\">&lt;a href=&#39;x&#39;&gt;&amp;&quot;\\u0000\\ud800"
                + "</p>"),
        text);
  }

  @Test
  void asManyRowsAreTakenAsCarriersWerePinned() {
    Pins pins = twice();
    List<PinsAlike> alike = alike(pins);
    EntryNumbers numbers = new EntryNumbers(new ReportEntries(pins.findings(), advice(pins)));
    Timeline timeline = Timeline.of(pins.data().facts(), alike, numbers);
    assertEquals(4, timeline.pins());
    assertEquals(2, timeline.lanes());
    assertEquals(62_000_000, timeline.micros());
  }

  private static Advice advice(Pins pins) {
    try {
      return PageFigures.of(pins.recorded(), pins.data(), Map.of()).advice();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void twentyMillisecondsAreOnTheUpperSide() {
    Lengths lengths = Lengths.of(alike(twice()), OptionalLong.of(Pins.MILLI));
    assertEquals(new Lengths.Sum(1, 19 * Pins.MILLI), lengths.below());
    assertEquals(new Lengths.Sum(3, 2_020 * Pins.MILLI), lengths.above());
    assertTrue(lengths.bins().stream().anyMatch(bin -> bin.fromNanos() == Lengths.BOUND));
    for (Lengths.Bin bin : lengths.bins()) {
      assertTrue(bin.nanos() >= bin.pins() * bin.fromNanos(), bin.toString());
      assertTrue(bin.nanos() <= bin.pins() * bin.toNanos(), bin.toString());
    }
    assertEquals(4, lengths.bins().stream().mapToLong(Lengths.Bin::pins).sum());
  }

  @Test
  void theHoldingFrameIsMarkedAndTheOthersAreNot() {
    Flames flames = new Flames();
    flames.add(STACK, 5, Map.of(), List.of(method(1, HOLDER)), 3);
    flames.add(STACK, 2, Map.of());
    Flames.Columns columns = flames.columns();
    assertEquals(List.of("com.example.Cache.load", "com.example.Client.read"), columns.names());
    assertEquals(List.of(-1, 0), columns.parents());
    assertEquals(List.of(7L, 7L), columns.nanos());
    assertEquals(List.of(5L, 0L), columns.heldNanos());
    assertEquals(List.of(3, 0), columns.entries());
  }

  @Test
  void waitingTimeHasAChartWhereSomebodyLooked() throws Exception {
    assertFalse(html(twice(), Map.of()).contains("waiting-chart"));
    assertTrue(html(twice(), Map.of(STACK, 3e9)).contains("waiting-chart"));
  }

  /**
   * What is first in the terminal is first on the page; what did not limit is not to be changed.
   */
  @ParameterizedTest
  @CsvSource({"true, 1 2", "false, 1"})
  void aWaitThatLimitsIsAmongWhatToChangeFirst(boolean limits, String numbers) throws Exception {
    Behavior wait =
        new Finding.Wait(
            WaitKind.LOCK,
            new Observation(
                "ReentrantLock",
                Set.of(),
                Optional.of(READ),
                Optional.empty(),
                new Owner.Application(""),
                new Observation.Amount(Observation.Unit.THREAD_NANOS, 6e12, true),
                1,
                Optional.empty(),
                limits,
                List.of(),
                new Observation.Evidence(List.of(), 60, OptionalLong.empty())));
    Pins pins = twice();
    Page page = PageFigures.of(pins.recorded(), pins.data(), Map.of());
    String html =
        new String(
            new Page(
                    page.whole(),
                    page.findings().withBehaviors(List.of(wait)),
                    page.advice(),
                    "",
                    Map.of(),
                    "")
                .html(),
            StandardCharsets.UTF_8);
    String first = html.substring(html.indexOf("id=\"worst\""));
    first = first.substring(0, first.indexOf("</section>"));
    assertEquals(
        numbers,
        Pattern.compile("class=\"number [^\"]*\">(\\d)")
            .matcher(first)
            .results()
            .map(number -> number.group(1))
            .collect(Collectors.joining(" ")));
    Pattern links = Pattern.compile("href=\"(#[^\"]*)\"");
    links
        .matcher(first)
        .results()
        .map(link -> " id=\"" + link.group(1).substring(1) + "\"")
        .forEach(id -> assertTrue(html.contains(id), id));
  }

  @Test
  void aFindingHasAnAddressAndItsPatchIsToBeRead() throws Exception {
    Pins pins = twice();
    Page page = PageFigures.of(pins.recorded(), pins.data(), Map.of());
    String diff =
        "--- a/A.java\n+++ b/A.java\n@@ -1,2 +1,1 @@\n-\tint b = \"</pre>\";\n+int \u0007c;\n";
    String html =
        new String(
            new Page(
                    page.whole(),
                    page.findings(),
                    page.advice(),
                    "",
                    Map.of(page.advice().main().getFirst(), diff),
                    "")
                .html(),
            StandardCharsets.UTF_8);
    String fingerprint =
        Identities.of(page.findings()).of(page.findings().pins().getFirst()).fingerprint();
    assertTrue(html.contains(" id=\"" + fingerprint + "\""), html);
    assertTrue(html.contains(" href=\"#" + fingerprint + "\""), html);
    assertTrue(html.contains("Patch: 1 file, "), html);
    assertTrue(
        html.contains("<span class=\"removed\">-\tint b = &quot;&lt;/pre&gt;&quot;;\n</span>"),
        html);
    assertTrue(html.contains("<span class=\"added\">+int \\u0007c;\n</span>"), html);
    assertFalse(html(pins, Map.of()).contains("class=\"patch\""));
  }

  /** A command with a placeholder for the folder of the sources did not run. */
  @Test
  void whereNoSourcesAreKnownThePageSaysWhatAPatchNeeds() throws Exception {
    Pins pins = twice();
    Page page = PageFigures.of(pins.recorded(), pins.data(), Map.of());
    Lock lock = Locks.of("com.example.Cache", List.of(method(1, HOLDER).site()), List.of());
    Advice movable =
        Advisor.advise(
            page.findings(), KnownFixes.load(), site -> new Decision.Movable(lock), type -> false);
    for (String patch : List.of("", "vtdiag patch app.jfr --sources src -o locks.patch")) {
      String html =
          new String(
              new Page(page.whole(), page.findings(), movable, patch, Map.of(), "").html(),
              StandardCharsets.UTF_8);
      assertEquals(patch.isEmpty(), html.contains("if their folder is named with --sources"));
      assertEquals(!patch.isEmpty(), html.contains("As a patch of your sources:"));
    }
  }

  @Test
  void howManyWaitedIsTheMostOfEachSecond() {
    Pins pins = twice().looked(50, 0, 0, 7, 10);
    Timeline timeline =
        Timeline.of(
            pins.data().facts(),
            alike(pins),
            new EntryNumbers(new ReportEntries(pins.findings(), advice(pins))));
    assertEquals(List.of(7L, 7L, 7L, 7L), timeline.queued().subList(0, 4));
    assertEquals(List.of(0L, 1_000_000L, 1_000_000L), timeline.queueAt().subList(0, 3));
    assertEquals(List.of(), timeline.carriers());
  }

  @Test
  void aRecordingWithoutPinsIsAPageToo() throws Exception {
    String html = html(new Pins().looks(0, 2, 0), Map.of());
    assertFalse(html.contains("pinned-chart"));
    assertTrue(html.contains("<h1"), html);
  }

  /** The curve of the queue never goes back in time, whatever the machine did to the events. */
  @Test
  void aSpanBeginsAtTheEndOfTheOneBefore() {
    assertEquals(List.of(), Timeline.longest(List.of()));
    assertEquals(
        List.of(
            new Timeline.Waiting(0, 3),
            new Timeline.Waiting(10, 3),
            new Timeline.Waiting(10, 5),
            new Timeline.Waiting(18, 5),
            new Timeline.Waiting(20, 4),
            new Timeline.Waiting(28, 4)),
        Timeline.longest(List.of(queue(18, 12, 5), queue(10, 10, 3), queue(28, 8, 4))));
  }

  private static CarrierSample queue(long end, long span, long most) {
    return new CarrierSample(
        end, span, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, most, 0, CarrierSample.Saturation.NONE);
  }
}
