package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.report.Style;
import io.github.vtdiag.testing.Jdks;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Every command that a report, a help text or the documentation prints is one that there is. */
class PrintedCommandsTest {
  private static final Path GOLDEN =
      Jdks.projectFolder().resolve("analyzer/src/test/resources/io/github/vtdiag/report/golden");

  /** {@code Next: vtdiag ...}, and the lines below that go on with it. */
  private static final Pattern NEXT = Pattern.compile("(?:  Next: | {8})(vtdiag .*)");

  private static final Pattern EXAMPLE = Pattern.compile("\\s*(?:\\$ )?(vtdiag [a-z].*)");

  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

  /** The commands of the documents in words, in their order. */
  static Set<String> golden() throws Exception {
    Set<String> commands = new LinkedHashSet<>();
    try (Stream<Path> files = Files.list(GOLDEN)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".txt")).sorted().toList()) {
        commands.addAll(matching(Files.readAllLines(file), NEXT));
      }
    }
    return commands;
  }

  private static List<String> matching(List<String> lines, Pattern pattern) {
    return lines.stream()
        .map(pattern::matcher)
        .filter(Matcher::matches)
        .map(line -> line.group(1).strip())
        .toList();
  }

  /** The lines of a page's blocks of code; a line that ends with a backslash goes on. */
  private static List<String> code(Path page) throws Exception {
    List<String> lines = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readString(page).replaceAll("\\\\\n\\s*", "").lines().toList()) {
      if (line.strip().startsWith("```")) {
        inside = !inside;
      } else if (inside) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    while (word.find()) {
      String text = word.group();
      if (Set.of("|", ">", "&&", "2>", "||", ";", "#", "&").contains(text)) {
        break; // The rest is the shell's.
      }
      words.add(
          word.group(1) != null
              ? word.group(1)
              : word.group(2) != null ? word.group(2) : word.group(3));
    }
    return words;
  }

  /** What is wrong with a command; empty if nothing is. */
  private static String problem(String command) {
    List<String> words = words(command);
    if (Set.of("jdk", "sample").contains(words.get(1))) {
      return ""; // The launcher's, in a checkout.
    }
    try (PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8)) {
      CommandLine line = Main.commandLine(new Console(nowhere, nowhere, Style.PLAIN));
      line.setExpandAtFiles(false);
      line.getSubcommands().values().forEach(each -> each.setExpandAtFiles(false));
      line.parseArgs(words.subList(1, words.size()).toArray(String[]::new));
      return "";
    } catch (ParameterException e) {
      return command + ": " + e.getMessage();
    }
  }

  private static void assertRight(Set<String> commands, int atLeast) {
    assertTrue(commands.size() >= atLeast, commands::toString);
    assertEquals(
        List.of(),
        commands.stream()
            .map(PrintedCommandsTest::problem)
            .filter(problem -> !problem.isEmpty())
            .toList());
  }

  @Test
  void aCommandThatThereIsNotIsFound() {
    for (String wrong :
        List.of(
            "vtdiag analyse app.jfr",
            "vtdiag advise app.jfr --class-path app.jar",
            "vtdiag gate app.jfr --max-pin soon")) {
      assertTrue(problem(wrong).startsWith(wrong + ": "), () -> wrong + problem(wrong));
    }
  }

  @Test
  void ofTheReports() throws Exception {
    assertRight(golden(), 1);
  }

  /** The page of all commands is what these print as their help. */
  @Test
  void ofTheHelp() throws Exception {
    assertRight(
        new LinkedHashSet<>(
            matching(
                code(Jdks.projectFolder().resolve("docs/commands.md")).stream()
                    .filter(line -> line.startsWith("  ") && !line.startsWith("    "))
                    .toList(),
                EXAMPLE)),
        20);
  }

  @Test
  void ofTheDocumentation() throws Exception {
    Set<String> commands = new LinkedHashSet<>();
    List<Path> pages = new ArrayList<>(List.of(Jdks.projectFolder().resolve("README.md")));
    try (Stream<Path> files = Files.walk(Jdks.projectFolder().resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    for (Path page : pages) {
      if (!page.endsWith("commands.md")) {
        commands.addAll(
            matching(
                code(page).stream().filter(line -> line.startsWith("vtdiag")).toList(), EXAMPLE));
      }
    }
    assertRight(commands, 20);
  }
}
