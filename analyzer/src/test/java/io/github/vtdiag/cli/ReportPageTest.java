package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.Printable;
import io.github.vtdiag.page.Browser;
import io.github.vtdiag.recording.HostileRecording;
import io.github.vtdiag.recording.Jvms;
import io.github.vtdiag.report.Style;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** The page of {@code vtdiag report} in a real browser, as its reader has it. */
@Execution(ExecutionMode.SAME_THREAD) // They share the browser.
final class ReportPageTest {
  @TempDir private static Path folder;

  private static Browser browser;
  private static Path page;

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.start(folder.resolve("profile"));
    page = report("page", Jvms.JAVA_21.record("profile", "chunks"));
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void lightAndWide() {
    browser.look("light", 1280, 800);
  }

  private static Path report(String name, Path... recordings) throws Exception {
    Path file = folder.resolve(name + ".html");
    List<String> command = new ArrayList<>(List.of("report", "-q", "-o", file.toString()));
    for (Path recording : recordings) {
      command.add(recording.toString());
    }
    assertEquals("", printed(command));
    return file;
  }

  private static String printed(List<String> command) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    assertEquals(0, Main.run(new Console(out, out, Style.PLAIN), command.toArray(new String[0])));
    return printed.toString(StandardCharsets.UTF_8);
  }

  private static void assertSilent(Path opened) {
    assertEquals(List.of(), browser.console());
    assertEquals(List.of(opened.toUri().toString()), browser.requests());
  }

  private static WebElement canvas(String chart) {
    return browser.find("#" + chart + "-chart canvas");
  }

  /** Points at a place of a chart, counted from its upper left corner. */
  private static Actions pointAt(WebElement canvas, int x, int y) {
    List<?> corner =
        (List<?>)
            browser
                .driver()
                .executeScript(
                    """
                    const top = arguments[0].getBoundingClientRect().top;
                    scrollTo({top: scrollY + top - 80, behavior: 'instant'});
                    const box = arguments[0].getBoundingClientRect();
                    return [Math.round(box.left), Math.round(box.top)];
                    """,
                    canvas);
    return new Actions(browser.driver())
        .moveToLocation(
            ((Number) corner.getFirst()).intValue() + x,
            ((Number) corner.getLast()).intValue() + y);
  }

  @Test
  void theFirstScreenHasTheVerdictAndWhatToDo() throws Exception {
    browser.open(page);
    String text = printed(List.of("analyze", Jvms.JAVA_21.record("profile", "chunks").toString()));
    assertTrue(text.contains("  " + browser.text("h1") + "\n"), text);
    for (String shown : List.of("h1", "#worst h3", "#worst .todo")) {
      WebElement element = browser.find(shown);
      assertTrue(element.getRect().y + element.getRect().height <= 800, shown);
    }
    assertTrue(Files.size(page) < 2_000_000);
    assertSilent(page);
  }

  @Test
  void theSearchCountsFramesAndTheirTime() {
    browser.open(page);
    WebElement search = browser.find("#pinned-chart input");
    search.sendKeys("SLEEPLOCKED");
    assertTrue(
        browser.text("#pinned-chart .result").matches("\\d+ frames?, [\\d.]+ m?s \\(\\d+%\\)"),
        browser.text("#pinned-chart .result"));
    search.sendKeys(Keys.ENTER);
    assertTrue(browser.text("#pinned-chart [role=status]").contains(".sleepLocked, "));
    search.sendKeys("nowhere");
    assertEquals("no frame", browser.text("#pinned-chart .result"));
    assertSilent(page);
  }

  private static int rows(WebElement canvas) {
    return canvas.getSize().height / 19;
  }

  /** The reader's own frames are seen at once, however deep below a framework they run. */
  @Test
  void whatIsNotTheApplicationsIsFoldedUntilItIsAskedFor() {
    browser.open(page);
    WebElement canvas = canvas("pinned");
    int folded = rows(canvas);
    WebElement box = browser.find("#pinned-chart .fold input");
    assertTrue(box.isSelected());
    pointAt(canvas, 60, 9).perform();
    assertTrue(browser.text(".tip b").contains(" frames: JDK"), browser.text(".tip"));
    assertTrue(browser.text(".tip").contains("; a click shows all"), browser.text(".tip"));
    pointAt(canvas, 60, 9).click().perform();
    assertFalse(box.isSelected());
    String zoomed = canvas.getDomAttribute("data-zoomed");
    assertTrue(zoomed.startsWith("j"), zoomed);
    assertTrue(!zoomed.contains("frames"), zoomed);
    box.sendKeys(Keys.SPACE);
    // It is still zoomed in, and another frame may have deeper ones.
    browser.find("#pinned-chart .tools button:last-of-type").click();
    assertEquals(folded, rows(canvas));
    assertSilent(page);
  }

  @Test
  void theSearchShowsWhatIsFoldedAndFoldsItAgain() {
    browser.open(page);
    WebElement canvas = canvas("pinned");
    int folded = rows(canvas);
    browser.driver().executeScript("scrollTo(0, 0)");
    WebElement search = browser.find("#pinned-chart input");
    search.sendKeys("VirtualThread.run");
    assertFalse(browser.find("#pinned-chart .fold input").isSelected());
    assertTrue(browser.text("#pinned-chart .result").matches("\\d+ frames?, .* \\(\\d+%\\)"));
    assertTrue(rows(canvas) > folded);
    search.sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE);
    assertTrue(browser.find("#pinned-chart .fold input").isSelected());
    assertEquals(folded, rows(canvas));
    assertSilent(page);
  }

  @Test
  void whatIsFoundIsBroughtIntoView() {
    browser.look("light", 1280, 300);
    browser.open(page);
    WebElement search = browser.find("#pinned-chart input");
    search.sendKeys("parkOnCarrierThread");
    browser.await("return scrollY > 0");
    search.sendKeys(Keys.ENTER);
    browser.await(
        "const tip = document.querySelector('.tip').getBoundingClientRect();"
            + " return tip.height > 0 && tip.top >= 0 && tip.bottom <= innerHeight");
    assertSilent(page);
  }

  @Test
  void aClickMakesAFrameWideAndTheWayBackIsThere() {
    browser.open(page);
    WebElement canvas = canvas("pinned");
    browser.find("#pinned-chart .fold input").click();
    assertFalse(browser.find("#pinned-chart .fold + button").isEnabled());
    pointAt(canvas, 60, 19 * 8 + 9).perform();
    String hovered = browser.text(".tip b");
    assertTrue(browser.text(".tip").contains(" of all pinned time"), browser.text(".tip"));
    pointAt(canvas, 60, 19 * 8 + 9).click().perform();
    assertEquals(hovered, canvas.getDomAttribute("data-zoomed"));
    canvas.sendKeys(Keys.ESCAPE);
    assertEquals("", canvas.getDomAttribute("data-zoomed"));
    assertSilent(page);
  }

  @Test
  void theHoldingFramesAreMarkedAndTold() {
    browser.open(page);
    WebElement canvas = canvas("pinned");
    browser.driver().executeScript("arguments[0].focus()", canvas);
    StringBuilder told = new StringBuilder();
    for (int depth = 0; depth < 30; depth++) {
      canvas.sendKeys(Keys.ARROW_DOWN);
      told.append(browser.text("#pinned-chart [role=status]")).append('\n');
    }
    assertTrue(told.toString().contains("Holds the carrier"), told.toString());
    assertTrue(browser.text("#pinned-chart .legend").contains("holds the carrier"));
    canvas.sendKeys(Keys.ENTER);
    assertNotEquals("", canvas.getDomAttribute("data-zoomed"));
    assertSilent(page);
  }

  /** The dispatcher of all tasks that holds a lock for a moment is not what holds most carriers. */
  @ParameterizedTest
  @CsvSource({
    "0, 'library 0 18'",
    "3, 'library 0 18|site-2 15 3'",
    "49, 'library 0 18|site-2 15 3'",
    "50, 'site-2 0 18'",
    "100, 'site-2 0 18'"
  })
  void aFrameIsMarkedForThePartOfItsTimeInWhichItHolds(int held, String painted) throws Exception {
    browser.open(page);
    String charts = script("chart.js") + script("flames.js");
    assertEquals(
        painted,
        browser
            .driver()
            .executeScript(
                charts
                    + "theme.colour = name => name;"
                    + "const painted = [];"
                    + "const pen = {fillRect(left, top, wide, high) {"
                    + "  painted.push(this.fillStyle + ' ' + top + ' ' + high); }};"
                    + "Flames.prototype.frame.call({matches: null, zoomed: -1, depth: [0],"
                    + "  data: {name: [0], whose: ['library'], held: [arguments[0]], nanos: [100],"
                    + "    entries: [2]}}, pen, 0, 0, 0, 20);"
                    + "return painted.join('|');",
                held));
  }

  private static String script(String name) throws IOException {
    try (InputStream in =
        ReportPageTest.class.getResourceAsStream("/io/github/vtdiag/page/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void theTimelineZoomsWithThePointerAndTheKeyboard() {
    browser.open(page);
    WebElement canvas = canvas("timeline");
    String all = canvas.getDomAttribute("data-to");
    pointAt(canvas, 100, 60).clickAndHold().moveByOffset(200, 0).release().perform();
    double from = Double.parseDouble(canvas.getDomAttribute("data-from"));
    double to = Double.parseDouble(canvas.getDomAttribute("data-to"));
    double part = (to - from) / Double.parseDouble(all);
    assertEquals(200.0 / canvas.getSize().width, part, 0.01);
    canvas.sendKeys("+");
    assertTrue(Double.parseDouble(canvas.getDomAttribute("data-to")) < to);
    canvas.sendKeys(Keys.ARROW_LEFT);
    canvas.sendKeys(Keys.ESCAPE);
    assertEquals("0", canvas.getDomAttribute("data-from"));
    assertEquals(all, canvas.getDomAttribute("data-to"));
    canvas.sendKeys("n");
    String first = browser.text("#timeline-chart [role=status]");
    assertTrue(first.contains("virtual thread #"), first);
    canvas.sendKeys("n");
    assertNotEquals(first, browser.text("#timeline-chart [role=status]"));
    assertTrue(browser.find(".tip").isDisplayed());
    assertSilent(page);
  }

  @Test
  void aFindingShowsItsPinsAlone() {
    browser.open(page);
    WebElement first = browser.find("#timeline-chart .legend button");
    first.click();
    assertEquals("true", first.getDomAttribute("aria-pressed"));
    first.click();
    assertEquals("false", first.getDomAttribute("aria-pressed"));
    assertSilent(page);
  }

  @Test
  void darkIsAsTheSystemHasItUntilTheReaderChooses() {
    browser.open(page);
    String light = browser.find("body").getCssValue("background-color");
    browser.look("dark", 1280, 800);
    String dark = browser.find("body").getCssValue("background-color");
    assertNotEquals(light, dark);
    browser.find("#theme").sendKeys("Light");
    assertEquals(light, browser.find("body").getCssValue("background-color"));
    assertSilent(page);
  }

  @ParameterizedTest
  @CsvSource({"light,1280", "dark,1280", "light,360", "dark,360"})
  void everybodyCanReadItAndNothingSticksOut(String scheme, int width) throws Exception {
    browser.look(scheme, width, 800);
    browser.open(page);
    browser
        .driver()
        .executeScript(
            "document.querySelectorAll('details').forEach(each => { each.open = true; })");
    assertEquals(List.of(), browser.accessibilityFaults());
    assertEquals(
        0L,
        browser
            .driver()
            .executeScript(
                "return Math.max(0, document.documentElement.scrollWidth - innerWidth)"));
  }

  /** The lines about a hang have names of classes that are wider than a telephone. */
  @Test
  void aLongNameInTheHeadlineIsBroken() {
    browser.look("light", 360, 800);
    browser.open(page);
    assertEquals(
        0L,
        browser
            .driver()
            .executeScript(
                """
                const lines = document.querySelector('.headline');
                lines.firstElementChild.append(' ' + 'x'.repeat(200));
                return Math.max(0, lines.scrollWidth - lines.clientWidth);
                """));
  }

  @Test
  void ofSeveralRecordingsTheReaderChooses() throws Exception {
    Path both =
        report(
            "both",
            Jvms.JAVA_21.record("profile", "chunks"),
            Jvms.JAVA_25.record("profile", "once"));
    browser.open(both);
    String first = canvas("timeline").getDomAttribute("data-to");
    browser.driver().executeScript("document.querySelector('#timeline-chart select').focus()");
    browser.find("#timeline-chart select").sendKeys(Keys.ARROW_DOWN);
    browser.await(
        "return document.querySelector('#timeline-chart canvas').dataset.to !== '" + first + "'");
    assertSilent(both);
  }

  @Test
  void onJava25ARowIsACarrier() throws Exception {
    Path file = report("carriers", Jvms.JAVA_25.record("profile", "once"));
    browser.open(file);
    assertTrue(browser.text("#timeline .about").contains("A row is a carrier."));
    canvas("timeline").sendKeys("n");
    assertTrue(browser.text(".tip").contains("on ForkJoinPool-1-worker-"), browser.text(".tip"));
    browser.open(page);
    assertTrue(browser.text("#timeline .about").contains("A row is not one carrier"));
    assertSilent(page);
  }

  @Test
  void theAddressOfAFindingShowsItEvenWhereItIsFolded() throws Exception {
    browser.open(page);
    String folded =
        (String)
            browser
                .driver()
                .executeScript(
                    """
                    const minor = document.querySelector('.minor');
                    const anchors = (minor ?? document).querySelectorAll('[id]');
                    const id = [...anchors].map(each => each.id).filter(id => /^[0-9a-f]{16}$/.test(id)).pop();
                    document.querySelectorAll('details').forEach(each => { each.open = false; });
                    location.hash = id;
                    return id;
                    """);
    assertTrue(folded.matches("[0-9a-f]{16}"), folded);
    browser.await(
        "const at = document.getElementById('"
            + folded
            + "'); return at.closest('details:not([open])') === null"
            + " && at.getBoundingClientRect().top < innerHeight"
            + " && at.getBoundingClientRect().bottom >= 0");
    assertEquals(List.of(), browser.console());
  }

  @Test
  void onPaperItIsLightAndUnfolded() throws Exception {
    browser.look("dark", 1280, 800);
    browser.open(page);
    String script =
        """
        dispatchEvent(new Event('beforeprint'));
        const seen = [document.documentElement.dataset.theme,
            document.querySelectorAll('details:not([open])').length];
        dispatchEvent(new Event('afterprint'));
        return [...seen, document.documentElement.dataset.theme ?? 'as before',
            document.querySelectorAll('details[open]').length > 0];
        """;
    List<?> seen = (List<?>) browser.driver().executeScript(script);
    assertEquals(List.of("light", 0L, "as before"), seen.subList(0, 3));
    assertSilent(page);
  }

  static List<String> hostileNames() {
    return List.of(
        "</script><script>window.owned = 1</script>",
        "<img src=x onerror='window.owned = 1'>",
        "\"' onmouseover=\"window.owned = 1",
        "]]> --> <!-- &lt;b&gt; &amp;",
        "x".repeat(10_000),
        "\u05d0\u05d1\u05d2 \u0627\u0644",
        "\u202egnp.exe\u2066",
        "\u0000\u0007\u001b[2J\u009b31m\r\n",
        "\ud800 lone \udc00");
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("hostileNames")
  void aNameStaysText(String name) throws Exception {
    Path file = Files.write(folder.resolve("hostile.jfr"), HostileRecording.of(name));
    Path hostile = report("hostile", file);
    browser.look("light", 360, 800);
    browser.open(hostile);
    browser
        .driver()
        .executeScript(
            "document.querySelectorAll('details').forEach(each => { each.open = true; })");
    String text = browser.text("body");
    assertTrue(
        text.contains(Printable.text(name.replace('\ud800', '?').replace('\udc00', '?')))
            || text.contains(Printable.text(name)),
        text);
    WebElement canvas = canvas("pinned");
    canvas.sendKeys(Keys.ARROW_DOWN);
    assertEquals(
        List.of(true, 0L, 0L, 0L),
        browser
            .driver()
            .executeScript(
                """
                return [window.owned === undefined, document.images.length,
                    document.querySelectorAll('main script, [onmouseover], [onerror]').length,
                    Math.max(0, document.documentElement.scrollWidth - innerWidth)];
                """));
    // The data, the pins of one recording, and the page's own.
    assertEquals(3, browser.driver().findElements(By.tagName("script")).size());
    assertSilent(hostile);
  }
}
