package io.github.vtdiag.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FiguresTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "abc", "50", "-5ms", "50 mss", "PT-1S", "5%", "1.ms", "PT"})
  void whatIsNoDurationIsRefusedByName(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Figures.parseDuration(text))
            .getMessage();
    assertTrue(message.startsWith("'" + text + "' is not a duration"), message);
  }

  @ParameterizedTest
  @CsvSource({
    "50ms,50000000",
    "1.5s,1500000000",
    "200us,200000",
    "PT0.2S,200000000",
    "0,0",
    "7ns,7",
    "2m,120000000000",
    "3h,10800000000000",
    "20 ms,20000000",
    "20  ms,20000000",
    "0 ns,0",
    "1.0000000006s,1000000001",
    "9007199254740993ns,9007199254740993",
    "999999999999999 d,9223372036854775807"
  })
  void durationsAreRead(String text, long nanos) {
    assertEquals(nanos, Figures.parseDuration(text));
  }

  /** What else JFR's settings have. */
  @ParameterizedTest
  @ValueSource(strings = {"everyChunk", "ms", "true", "infinity"})
  void aSettingThatIsNoTimeIsNone(String text) {
    assertEquals(OptionalLong.empty(), Figures.findDuration(text));
  }

  @ParameterizedTest
  @CsvSource({
    "0,0 ms",
    "999,999 ns",
    "1999999,2 ms",
    "1500000,1.5 ms",
    "17,17 ns",
    "850000,850 us",
    "1000000,1 ms",
    "1234567,1.2 ms",
    "62000000000,62 s",
    "175400000,175 ms",
    "1530000000,1.5 s",
    "46210000000,46.2 s",
    "'4112000000000','4,112 s'"
  })
  void durationsAreWritten(long nanos, String text) {
    assertEquals(text, Figures.duration(nanos));
  }

  @Test
  void aFigureNeverReadsLikeTheLimitItBreaks() {
    assertEquals("50 ms", Figures.durationBeside(50_000_000, 50_000_000));
    assertNotEquals(
        Figures.durationBeside(50_400_000, 50_000_000),
        Figures.durationBeside(50_000_000, 50_400_000));
    assertNotEquals(Figures.percentBeside(0.1201, 0.12), Figures.percentBeside(0.12, 0.1201));
  }

  @ParameterizedTest
  @CsvSource({"0,0%", "0.0001,under 0.1%", "0.0152,1.5%", "0.384,38%", "1,100%"})
  void sharesAreWritten(double share, String text) {
    assertEquals(text, Figures.percent(share));
  }

  @Test
  void positionsNameTheTopLevelClass() {
    assertEquals("Foo.java:12", Figures.position(new ClassRef("a.Foo$Bar$1", ""), 12));
    assertEquals("$Proxy1.java:3", Figures.position(new ClassRef("$Proxy1", ""), 3));
    assertEquals("$Proxy1.java:3", Figures.position(new ClassRef("$Proxy1$Of", ""), 3));
    assertEquals("Foo.java", Figures.position(new ClassRef("a.Foo", ""), -1));
  }

  @Test
  void positionsNameTheSourceFileThatIsKnown() {
    ClassRef orders = new ClassRef("shop.Orders", "app");
    assertEquals("Main.kt:3", Figures.position(orders.withSource("Main.kt"), 3));
    assertEquals(orders, orders.withSource("Main.kt"));
    assertEquals("Orders.java:3", Figures.position(orders.withSource(null), 3));
    assertEquals("", orders.withSource("Orders.java").source());
    assertEquals("", new ClassRef("a.Foo$Bar", "").withSource("Foo.java").source());
  }

  @Test
  void figuresReadTheSameInEveryCountry() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertEquals("1,190 pins", Figures.count(1190, "pin"));
      assertEquals("1.5 ms", Figures.duration(1_500_000));
      assertEquals("1.5%", Figures.percent(0.0152));
    } finally {
      Locale.setDefault(before);
    }
  }

  /** The JDK's own formatter says the same, but starts more slowly. */
  @ParameterizedTest
  @ValueSource(
      doubles = {
        0,
        0.04,
        0.05,
        0.15,
        0.25,
        0.45,
        0.95,
        0.996,
        1.005,
        9.95,
        12.345,
        99.5,
        100.5,
        999.5,
        999.95,
        1000,
        1234.56,
        99_999.5,
        123_456.789,
        1e6,
        1e15,
        1.23e18,
        4.9e-324,
        1e-7,
        2.5e-3,
        -0.05,
        -1.5,
        -123.456,
        -1234.5,
        -123_456.7
      })
  void numbersReadAsTheJdksFormatterWritesThem(double value) {
    for (int digits = 0; digits <= 6; digits++) {
      String expected = String.format(Locale.ROOT, "%." + digits + "f", value);
      assertEquals(expected.replaceFirst("^-(0(\\.0*)?)$", "$1"), Figures.decimal(value, digits));
      assertEquals(
          String.format(Locale.ROOT, "%,." + digits + "f", value)
              .replaceFirst("^-(0(\\.0*)?)$", "$1"),
          Figures.grouped(Figures.decimal(value, digits)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      longs = {0, 7, 999, 1000, 999_999, 1_000_000, Long.MAX_VALUE, -999, -1000, Long.MIN_VALUE})
  void countsReadAsTheJdksFormatterWritesThem(long count) {
    assertEquals(String.format(Locale.ROOT, "%,d", count), Figures.count(count));
  }

  @Test
  void whatIsNoNumberIsWrittenAsJavaDoes() {
    assertEquals("NaN", Figures.decimal(Double.NaN, 1));
    assertEquals("NaN", Figures.grouped(Figures.decimal(Double.NaN, 1)));
    assertEquals("Infinity", Figures.grouped(Figures.decimal(Double.POSITIVE_INFINITY, 1)));
  }

  @Test
  void roundsAsBigDecimalDoes() {
    Random random = new Random(7);
    for (int i = 0; i < 200_000; i++) {
      double value =
          switch (i % 4) {
            case 0 -> random.nextInt(2_000_001) / 2_000.0 - 500;
            case 1 -> random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20);
            case 2 -> random.nextInt(10_000) * 0.005;
            default -> Double.longBitsToDouble(random.nextLong());
          };
      if (Double.isFinite(value)) {
        int digits = random.nextInt(7);
        assertEquals(
            BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP).toPlainString(),
            Figures.decimal(value, digits),
            () -> value + " with " + digits);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "9223372036854775807ns,9223372036854775807",
    "9223372036854775808ns,9223372036854775807",
    "106751d,9223286400000000000",
    "106752d,9223372036854775807",
    "999999999999999999d,9223372036854775807",
    "0.5ns,1",
    "0.4ns,0",
    "0000000000000000000000001s,1000000000"
  })
  void readsTheLongestDurations(String text, long nanos) {
    assertEquals(nanos, Figures.parseDuration(text));
  }
}
