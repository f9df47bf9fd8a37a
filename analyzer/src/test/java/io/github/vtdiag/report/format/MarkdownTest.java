package io.github.vtdiag.report.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Phrase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MarkdownTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '^',
      quoteCharacter = '"',
      value = {
        "Codec.<clinit>^Codec.\\<clinit\\>",
        "**bold** _it_ ~no~^\\*\\*bold\\*\\* \\_it\\_ \\~no\\~",
        "[a](b) ![c](d)^\\[a\\](b) !\\[c\\](d)",
        "a|b^a\\|b",
        "a\\|b^a\\\\\\|b",
        "`x`^\\`x\\`",
        "&lt; &#64;^\\&lt; \\&#<!-- -->64;",
        "$x$^\\$x\\$",
        "https://evil.example^https\\://evil.example",
        "www.evil.example^www\\.evil.example",
        "@somebody^@<!-- -->somebody",
        "see #12^see #<!-- -->12",
        "3.4 s on Java 21^3.4 s on Java 21"
      })
  void textIsShownAsItIs(String text, String markdown) {
    assertEquals(markdown, Markdown.text(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1. first;1\\. first",
        "2) second;2\\) second",
        "- item;\\- item",
        "# title;\\# title",
        "===;\\===",
        "3.4 s;3\\.4 s",
        "**bold** 1. no;**bold** 1. no"
      })
  void aLineStaysALineOfItsParagraph(String text, String markdown) {
    assertEquals(markdown, Markdown.line(text));
  }

  @Test
  void codeStandsBetweenMoreTicksThanItHas() {
    assertEquals("`Foo.<init>`", Markdown.code("Foo.<init>"));
    assertEquals("`` a`b ``", Markdown.code("a`b"));
    assertEquals("```` ``` ````", Markdown.code("```"));
    assertEquals("`a\\nb`", Markdown.code("a\nb"));
    assertEquals("", Markdown.code(""));
  }

  @Test
  void boldKeepsItsSpacesOutside() {
    assertEquals(" **a b** ", Markdown.strong(" a b "));
    assertEquals("  ", Markdown.strong("  "));
  }

  @Test
  void noCommandEndsItsFence() {
    String fenced = Markdown.fenced(List.of("vtdiag gate a```\n```b"));
    assertFalse(fenced.contains("```"), fenced);
    assertEquals(1, fenced.lines().count());
  }

  /** In a table a bar ends the cell, in code too. */
  @Test
  void aBarInANameKeepsItsCell() {
    Document.Item item =
        new Document.Item(
            Phrase.of(Phrase.Tone.NAME, "a\\\\|b"),
            List.of("1 s"),
            List.of(),
            java.util.Optional.empty());
    Document document =
        new Document(
            "T",
            List.of(
                new Document.Block.Items(List.of(new Document.Column("Time", 0)), List.of(item))));
    assertEquals(
        """
        ## T

        | | Where | Time |
        |---:|---|---:|
        | 1 | a\\\\\\\\\\|b | 1 s |

        ### 1. `a\\\\|b`

        """,
        MarkdownDocument.write(document));
  }
}
