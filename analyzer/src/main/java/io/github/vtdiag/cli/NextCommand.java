package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.HarmlessPins;
import io.github.vtdiag.model.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A command to continue with, which runs as it is printed: its words are quoted for the shell where
 * necessary. A class path of many jars fills the screen. A long one is written to a file in the
 * user's cache, and the command names the file.
 */
final class NextCommand {
  /** The length in characters from which the options of a class path are written to a file. */
  private static final int LONG = 160;

  /** The most files that are named, however long their names are. */
  private static final int FEW = 3;

  private static final Pattern HARMLESS = Pattern.compile("[\\w./:=@%+,-]+");

  private final List<String> words = new ArrayList<>();

  private NextCommand() {}

  /** Returns one of vtdiag's commands on these files; the names of many count as options. */
  static NextCommand of(String command, List<String> files) {
    NextCommand next = new NextCommand().with("vtdiag", command);
    return files.size() > FEW ? next.withOptions(files) : next.with(files);
  }

  /** Returns one of vtdiag's commands, run by other words than its name. */
  static NextCommand by(List<String> program, String command) {
    return new NextCommand().with(program).with(command);
  }

  /** Returns a gate with a limit that the pins which no report asks to change do not exceed. */
  static NextCommand gate(List<String> files, Findings findings) {
    boolean longLoads = HarmlessPins.longestLoadOver(HarmlessPins.GATE_NANOS, findings.pins()) > 0;
    return of("gate", files)
        .with(
            "--max-pin",
            TimeUnit.NANOSECONDS.toMillis(
                    longLoads ? HarmlessPins.LOADING_NANOS : HarmlessPins.GATE_NANOS)
                + "ms");
  }

  /**
   * Returns the command that records a program again.
   *
   * @param program what one would write after {@code java}; if that is not known, the command says
   *     how to write it
   */
  static String run(Optional<List<String>> program) {
    return program
        .map(line -> of("run", List.of()).with("--").with(line).text())
        .orElse("vtdiag run --help");
  }

  NextCommand with(String... more) {
    return with(List.of(more));
  }

  NextCommand with(List<String> more) {
    words.addAll(more);
    return this;
  }

  /** Adds options, in a file if they are long; in full if there can be no file. */
  NextCommand withOptions(List<String> options) {
    return with(
        String.join(" ", options).length() < LONG
            ? options
            : file(options).map(file -> List.of("@" + file)).orElse(options));
  }

  String text() {
    return words.stream().map(NextCommand::quoted).collect(Collectors.joining(" "));
  }

  /** Returns a word quoted for a shell. */
  static String quoted(String word) {
    return HARMLESS.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** Returns the file of these options; the same options have the same file. */
  private static Optional<Path> file(List<String> options) {
    String text =
        options.stream()
            .map(word -> '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n")
            .collect(Collectors.joining());
    byte[] bytes = text.getBytes(UTF_8);
    Path file = AgentJar.cached("arguments", bytes);
    try {
      if (!Files.isRegularFile(file)) {
        Files.createDirectories(file.getParent());
        WholeFile.write(file, bytes);
      }
      return Optional.of(file);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
