package io.github.vtdiag.report.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.report.words.Phrase;
import org.junit.jupiter.api.Test;
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

  /** A headline is the widest text of a page: on a phone it broke within a name. */
  @Test
  void namesInAHeadlineBreakToo() {
    String start = new Html().written();
    Phrase headline = Phrase.of(Phrase.Tone.BAD, "because of com.acme.Cache.price: 5%");
    assertEquals(
        "<strong class=\"bad\">because of com.|acme.|Cache.|price: 5%</strong>",
        new Html().phrase(headline).written().substring(start.length()).replace("<wbr>", "|"));
  }

  /** Advice in words has names, too; its sentences, numbers and short names are whole. */
  @Test
  void namesInASentenceBreakToo() {
    String start = new Html().written();
    Phrase advice =
        Phrase.of("Declare Main.it with lazy(LazyThreadSafetyMode.PUBLICATION). Frees 1.2 of 3.");
    assertEquals(
        "Declare Main.it with lazy(LazyThreadSafetyMode.|PUBLICATION). Frees 1.2 of 3.",
        new Html().phrase(advice).written().substring(start.length()).replace("<wbr>", "|"));
  }
}
