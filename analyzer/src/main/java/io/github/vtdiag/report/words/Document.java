package io.github.vtdiag.report.words;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A report in words, before any format: its content and its order.
 *
 * @param title the title, for formats that have headings
 * @param blocks its parts
 */
public record Document(String title, List<Block> blocks) {
  public Document {
    blocks = List.copyOf(blocks);
  }

  /** A part of a report. */
  public sealed interface Block {

    /** The subjects of the report: one line for each recording. */
    record Subjects(List<Phrase> lines) implements Block {
      public Subjects {
        lines = List.copyOf(lines);
      }
    }

    /** The outcomes, with the lines that explain them. */
    record Outcomes(List<Outcome> outcomes, List<Phrase> lines) implements Block {
      public Outcomes {
        outcomes = List.copyOf(outcomes);
        lines = List.copyOf(lines);
      }
    }

    /** Sentences, each on a line of its own. */
    record Sentences(List<Phrase> lines) implements Block {
      public Sentences {
        lines = List.copyOf(lines);
      }
    }

    /**
     * A numbered list, the most important item first.
     *
     * @param columns the columns of the items' figures; empty if they have none
     */
    record Items(List<Column> columns, List<Item> items) implements Block {
      public Items {
        columns = List.copyOf(columns);
        items = List.copyOf(items);
      }
    }

    /**
     * A table of figures.
     *
     * @param columns the columns; the first has the rows' names
     * @param sections groups of rows
     */
    record Table(List<Heading> columns, List<Section> sections) implements Block {
      public Table {
        columns = List.copyOf(columns);
        sections = List.copyOf(sections);
      }
    }

    /** Notes for the reader. */
    record Notes(List<Phrase> lines) implements Block {
      public Notes {
        lines = List.copyOf(lines);
      }
    }

    /** Commands for the next steps. */
    record Commands(List<String> commands) implements Block {
      public Commands {
        commands = List.copyOf(commands);
      }
    }
  }

  /** A decision in one or two words, with a clause about it. */
  public record Outcome(Phrase.Tone tone, String word, String clause) {}

  /**
   * A column of figures.
   *
   * @param width the width of a right-aligned text column; 0 for a left-aligned one
   */
  public record Column(String name, int width) {}

  /** The heading of a table's column. */
  public record Heading(String name, boolean flushRight) {}

  /**
   * A group of rows in a table.
   *
   * @param title the title; empty if there is no other group
   * @param rows the rows, each with a cell for every column
   */
  public record Section(String title, List<List<String>> rows) {
    public Section {
      rows = rows.stream().map(List::copyOf).toList();
    }
  }

  /**
   * An item of a list.
   *
   * @param title its title
   * @param figures its figures, one for each column
   * @param details its details
   * @param toDo what to do about it; empty if the title says that
   */
  public record Item(
      Phrase title, List<String> figures, List<Phrase> details, Optional<Phrase> toDo) {
    public Item {
      figures = List.copyOf(figures);
      details = List.copyOf(details);
    }

    /** Returns the item with other words on what to do. */
    public Item advised(Phrase other) {
      return new Item(title, figures, details, Optional.of(other));
    }

    /** Returns the item with one detail more, if there is one. */
    public Item and(Optional<Phrase> detail) {
      return new Item(
          title, figures, Stream.concat(details.stream(), detail.stream()).toList(), toDo);
    }
  }
}
