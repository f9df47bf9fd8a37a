package io.github.vtdiag.report.words;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A report in words, before any format: what is said, and in which order.
 *
 * @param title what it is, for formats that have headings
 * @param blocks its parts
 */
public record Document(String title, List<Block> blocks) {
  public Document {
    blocks = List.copyOf(blocks);
  }

  /** A part of a report. */
  public sealed interface Block {

    /** What the report is about: one line for each recording. */
    record Subjects(List<Phrase> lines) implements Block {
      public Subjects {
        lines = List.copyOf(lines);
      }
    }

    /** What came out, with the lines that say why. */
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
     * Numbered things, the most important first.
     *
     * @param columns what the figures of each are; empty if they have none
     */
    record Items(List<Column> columns, List<Item> items) implements Block {
      public Items {
        columns = List.copyOf(columns);
        items = List.copyOf(items);
      }
    }

    /**
     * Figures side by side.
     *
     * @param columns the first is that of the rows' names
     * @param sections rows that belong together
     */
    record Table(List<Heading> columns, List<Section> sections) implements Block {
      public Table {
        columns = List.copyOf(columns);
        sections = List.copyOf(sections);
      }
    }

    /** What the reader should know besides. */
    record Notes(List<Phrase> lines) implements Block {
      public Notes {
        lines = List.copyOf(lines);
      }
    }

    /** Commands to go on with. */
    record Commands(List<String> commands) implements Block {
      public Commands {
        commands = List.copyOf(commands);
      }
    }
  }

  /** A decision in one or two words, and the clause that goes with it. */
  public record Outcome(Phrase.Tone tone, String word, String clause) {}

  /**
   * A column of figures.
   *
   * @param width of a text column that is flush right; 0 for one that is flush left
   */
  public record Column(String name, int width) {}

  /** The head of a table's column. */
  public record Heading(String name, boolean flushRight) {}

  /**
   * Some rows of a table.
   *
   * @param title empty if there is nothing to tell them from
   * @param rows each with a cell for every column
   */
  public record Section(String title, List<List<String>> rows) {
    public Section {
      rows = rows.stream().map(List::copyOf).toList();
    }
  }

  /**
   * One of several things.
   *
   * @param title what it is
   * @param figures its figures, one for each column
   * @param details what there is to know of it
   * @param toDo what to do about it; empty if the title says that
   */
  public record Item(
      Phrase title, List<String> figures, List<Phrase> details, Optional<Phrase> toDo) {
    public Item {
      figures = List.copyOf(figures);
      details = List.copyOf(details);
    }

    /** The same with one detail more, if there is one. */
    public Item and(Optional<Phrase> detail) {
      return new Item(
          title, figures, Stream.concat(details.stream(), detail.stream()).toList(), toDo);
    }
  }
}
