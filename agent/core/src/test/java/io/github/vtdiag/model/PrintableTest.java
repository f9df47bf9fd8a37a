package io.github.vtdiag.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {
  /** What each character stands as; the first column is its code in hexadecimal. */
  @ParameterizedTest
  @CsvSource({
    "1b, u001b",
    "0, u0000",
    "7, u0007",
    "8, u0008",
    "7f, u007f",
    "85, u0085",
    "9b, u009b",
    "9d, u009d",
    "a, n",
    "d, r",
    "9, t",
    "2028, u2028",
    "2029, u2029",
    "202e, u202e",
    "2066, u2066",
    "2069, u2069",
    "200f, u200f",
    "200b, u200b",
    "ad, u00ad",
    "feff, ufeff",
    "d83d, ud83d",
    "de00, ude00",
    "e0041, udb40\\udc41",
  })
  void whatIsNotSafeStandsAsItsEscape(String code, String escape) {
    String character = Character.toString(Integer.parseInt(code, 16));
    String escaped = Printable.text("a" + character + "b");
    assertEquals("a\\" + escape + "b", escaped);
    assertSame(escaped, Printable.text(escaped), "escaping twice changes nothing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "tomcat-handler-12", "Größe", "スレッド 1", "a\\b", "😀", "Foo$1 \"x\""})
  void whatIsSafeStays(String text) {
    assertSame(text, Printable.text(text));
  }

  @Test
  void noCharacterThatMovesTheCursorOrBreaksTheLineComesThrough() {
    for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
      String text = Printable.text(Character.toString(codePoint));
      assertTrue(
          text.codePoints().noneMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029),
          Integer.toHexString(codePoint));
      assertEquals(1, text.lines().count(), Integer.toHexString(codePoint));
    }
  }

  @Test
  void theWrongOrderOfSurrogatesIsTwoLoneOnes() {
    assertEquals("\\ude00\\ud83d", Printable.text("\ude00\ud83d"));
  }

  @Test
  void noQuotedNameCanCloseItsQuotes() {
    assertEquals("\"a\\\" in sleep\"", Printable.quoted("a\" in sleep"));
    assertEquals("\"a\\\\\"", Printable.quoted("a\\"));
    assertEquals("\"\\u001b[2J\\n\"", Printable.quoted("\u001b[2J\n"));
  }
}
