package io.github.vtdiag.report.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HtmlTest {
  /** The cells of tables: a fleet's page was wider than the screen. */
  @ParameterizedTest
  @CsvSource({
    "shop.Orders.get (waits to enter), shop.|Orders.|get (waits to enter)",
    "io.netty:netty-transport 4.2.5, io.|netty:|netty-transport 4.2.5",
    "/var/rec/shop.jfr, /|var/|rec/|shop.jfr",
    "1.2 ms, 1.2 ms",
    "a., a.",
  })
  void namesBreakBetweenTheirParts(String text, String expected) {
    String start = new Html().written();
    String html = new Html().broken(text).written();
    assertEquals(expected, html.substring(start.length()).replace("<wbr>", "|"));
  }
}
