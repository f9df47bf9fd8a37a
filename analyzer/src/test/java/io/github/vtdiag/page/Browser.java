package io.github.vtdiag.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real Chromium that opens pages from the disk, and tells what they asked for. */
public final class Browser implements AutoCloseable {
  private static final Pattern REQUESTED =
      Pattern.compile("\"Network\\.requestWillBeSent\".*?\"request\":\\{.*?\"url\":\"([^\"]*)\"");

  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Starts it; where there is none, the test says so and tests nothing. */
  public static Browser start(Path profile) {
    Optional<Path> chromium = find("VTDIAG_CHROMIUM", "chromium", "chromium-browser", "chrome");
    Optional<Path> chromedriver = find("VTDIAG_CHROMEDRIVER", "chromedriver");
    String missing =
        "NOT RUN: no Chromium with its chromedriver on this machine (on the path, or"
            + " VTDIAG_CHROMIUM=FILE and VTDIAG_CHROMEDRIVER=FILE): how the page of vtdiag report"
            + " works is untested";
    if (chromium.isEmpty() || chromedriver.isEmpty()) {
      System.out.println(missing);
    }
    Assumptions.assumeTrue(chromium.isPresent() && chromedriver.isPresent(), missing);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.get().toFile());
    options.addArguments(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1400,1000",
        "--user-data-dir=" + profile);
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    return new Browser(
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(chromedriver.get().toFile())
                .usingAnyFreePort()
                .build(),
            options));
  }

  private static Optional<Path> find(String variable, String... names) {
    return Stream.concat(
            Stream.ofNullable(System.getenv(variable)).map(Path::of),
            Stream.of(System.getenv("PATH").split(":", -1))
                .flatMap(bin -> Stream.of(names).map(name -> Path.of(bin, name))))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  public ChromeDriver driver() {
    return driver;
  }

  /** What the system asks for, and how large the window is. */
  public void look(String scheme, int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(
                Map.of("name", "prefers-color-scheme", "value", scheme),
                // Nothing is to move by itself while somebody points at it.
                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Opens a page, and waits until its charts are drawn. */
  public void open(Path page) {
    driver.get("about:blank");
    driver.manage().logs().get(LogType.PERFORMANCE);
    driver.manage().logs().get(LogType.BROWSER);
    driver.get(page.toUri().toString());
    await("return document.documentElement.dataset.ready === 'yes'");
    frame();
  }

  /** Until what was asked for is drawn. */
  public void frame() {
    driver.executeAsyncScript(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() =>"
            + " done()))");
  }

  public void await(String script) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!Boolean.TRUE.equals(driver.executeScript(script))) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(script + "\n" + console());
      }
    }
  }

  public WebElement find(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  public String text(String selector) {
    return find(selector).getDomProperty("textContent");
  }

  /** What the console says, which includes what the page's policy forbade. */
  public List<String> console() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(LogEntry::getMessage)
        .toList();
  }

  /** The addresses that were asked for since the page was opened; not those inside of it. */
  public List<String> requests() {
    return driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
        .map(entry -> REQUESTED.matcher(entry.getMessage()))
        .filter(Matcher::find)
        .map(matcher -> matcher.group(1))
        .filter(url -> !url.startsWith("data:") && !url.equals("about:blank"))
        .toList();
  }

  /** What axe finds that is serious or worse, each with where. */
  public List<String> accessibilityFaults() throws IOException {
    String axe = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";
    try (InputStream in = Browser.class.getResourceAsStream(axe)) {
      driver.executeScript(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
    Object found =
        driver.executeAsyncScript(
            """
            const done = arguments[0];
            axe.run(document, {resultTypes: ['violations']}).then(result => done(result.violations
                .filter(each => each.impact === 'serious' || each.impact === 'critical')
                .map(each => each.id + ': ' + each.nodes.map(node => node.target.join(' ')
                    + ' ' + node.any.map(any => any.message).join(' ')).join('; '))));
            """);
    return ((List<?>) found).stream().map(String::valueOf).toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
