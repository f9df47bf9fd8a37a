package io.github.vtdiag.cli;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.WholeFile;
import io.github.vtdiag.report.Format;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.report.words.Detail;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The destination of a command's result, and its form. */
final class OutputOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to FILE instead of standard output.")
  Path output;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      completionCandidates = FormatNames.class,
      converter = NamedFormat.class,
      description = "The output format: ${COMPLETION-CANDIDATES} (default: text).")
  private Format format;

  @Option(
      names = "--json",
      description = "Short for --format json; docs/json-schema.md describes the members.")
  private boolean json;

  @Option(names = "--no-color", description = "No colours; NO_COLOR does the same.")
  boolean noColor;

  @Option(
      names = {"-q", "--quiet"},
      description = "Only the result: no hints, no notes.")
  boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description =
          "Show everything, also what is short and harmless; log progress on standard error.")
  boolean verbose;

  /** Returns the form in which to write the result. */
  Format format() {
    if (json && format != null && !format.equals(Formats.JSON)) {
      throw new ParameterException(
          spec.commandLine(), "--json and --format " + format.name() + " exclude each other");
    }
    return json ? Formats.JSON : format == null ? Formats.TEXT : format;
  }

  /** Returns the level of detail. */
  Detail detail() {
    return verbose ? Detail.FULL : Detail.BRIEF;
  }

  boolean json() {
    return format().equals(Formats.JSON);
  }

  Style style(Console console) {
    if (output != null) {
      return Style.PLAIN;
    }
    return new Style(console.style().colour() && !noColor, console.style().width());
  }

  /** Refuses an output that is one of the inputs, before any work is done. */
  void check(List<Path> inputs) throws DataException {
    format();
    if (output != null) {
      check(output, inputs);
    }
  }

  /** Refuses to write over an input. */
  static void check(Path output, List<Path> inputs) throws DataException {
    for (Path input : inputs) {
      try {
        if (Files.exists(output) && Files.exists(input) && Files.isSameFile(output, input)) {
          throw new DataException(
              output + " is a recording to read; name another file for the output");
        }
      } catch (IOException e) {
        throw new DataException(output + " cannot be looked at; name another file", e);
      }
    }
  }

  /** Refuses what cannot be written, before minutes of work and not after. */
  void checkWritable() throws DataException {
    if (output == null) {
      return;
    }
    Path folder = output.toAbsolutePath().getParent();
    if (Files.isDirectory(output) || folder == null || !Files.isWritable(folder)) {
      throw new DataException("cannot write " + output + "; name another file with -o");
    }
  }

  void write(Console console, Report report) throws DataException {
    write(console, format().write(report, style(console)));
  }

  void write(Console console, String text) throws DataException {
    // Files are UTF-8; what is printed is in the terminal's encoding.
    write(console, output == null ? console.encoded(text) : text.getBytes(StandardCharsets.UTF_8));
  }

  void write(Console console, byte[] bytes) throws DataException {
    if (output == null) {
      console.out().writeBytes(bytes);
      console.out().flush();
      return;
    }
    try {
      WholeFile.write(output.toAbsolutePath(), bytes);
    } catch (IOException e) {
      throw cannotWrite(output, "-o", e);
    }
    note(console, "wrote " + output);
  }

  /** Returns the error of a file that could not be written, with the option that names it. */
  static DataException cannotWrite(Path file, String option, IOException e) {
    return new DataException(
        "%s cannot be written (%s); name another file with %s"
            .formatted(file, WholeFile.reason(e), option),
        e);
  }

  void note(Console console, String sentence) {
    if (verbose && !quiet) {
      console.warn(sentence);
    }
  }

  /** The names of the formats, for help and completion. */
  static final class FormatNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Formats.ALL.stream().map(Format::name).iterator();
    }
  }

  /** Reads a format. */
  static final class NamedFormat implements ITypeConverter<Format> {
    @Override
    public Format convert(String text) {
      return Formats.named(text)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'" + text + "' is not a format; write " + Formats.names()));
    }
  }
}
