package vtdiag.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import picocli.CommandLine.Option;
import vtdiag.model.DataException;
import vtdiag.report.Style;

/** Where a command's result goes, and in which form. */
final class OutputOptions {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to FILE instead of standard output.")
  Path output;

  @Option(names = "--json", description = "Write JSON, as docs/json-schema.md describes.")
  boolean json;

  @Option(names = "--no-color", description = "No colours; NO_COLOR does the same.")
  boolean noColor;

  @Option(
      names = {"-q", "--quiet"},
      description = "Only the result: no hints, no notes.")
  boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "Say on standard error what is being done.")
  boolean verbose;

  Style style(Console console) {
    if (output != null) {
      return Style.PLAIN;
    }
    return new Style(console.style().colour() && !noColor, console.style().width());
  }

  /** Refuses an output that is one of the inputs, before any work is done. */
  void check(List<Path> inputs) throws DataException {
    if (output == null) {
      return;
    }
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

  void write(Console console, String text) throws DataException {
    // Files are UTF-8; what is printed is in the terminal's encoding.
    write(
        console, text.getBytes(output == null ? console.out().charset() : StandardCharsets.UTF_8));
  }

  void write(Console console, byte[] bytes) throws DataException {
    if (output == null) {
      console.out().writeBytes(bytes);
      console.out().flush();
      return;
    }
    try {
      writeFile(output.toAbsolutePath(), bytes);
    } catch (IOException e) {
      throw new DataException(output + " cannot be written; name another file with -o", e);
    }
    note(console, "wrote " + output);
  }

  void note(Console console, String sentence) {
    if (verbose && !quiet) {
      console.warn(sentence);
    }
  }

  /** All of it or nothing: a reader never sees half a file. */
  private static void writeFile(Path file, byte[] bytes) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // A device or a pipe: moving a file over it would replace it.
      Files.write(file, bytes);
      return;
    }
    Path whole = Files.createTempFile(file.getParent(), ".vtdiag", ".tmp");
    try {
      Files.write(whole, bytes);
      try {
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(whole);
    }
  }
}
