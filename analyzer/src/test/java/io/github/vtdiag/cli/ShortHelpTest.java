package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.report.Style;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code --help} shows the options of every day, and {@code --help all} all of them. */
class ShortHelpTest {
  private static final Pattern OPTION = Pattern.compile("(?m)^ {1,6}(?:-\\w+, )?(--[a-z-]+)");

  @Test
  void noHelpShowsMoreThanTheOptionsOfEveryDay() {
    commands()
        .forEach(
            (name, command) -> {
              List<String> shown = options(help(name, "--help"));
              assertTrue(shown.size() <= ShortHelp.FEW, name + " shows " + shown);
              assertFalse(shown.isEmpty(), name);
            });
  }

  @Test
  void allShowsEachOption() {
    commands()
        .forEach(
            (name, command) -> {
              Set<String> all = new HashSet<>(options(help(name, "--help", "all")));
              command.getCommandSpec().options().stream()
                  .filter(option -> !option.hidden())
                  .forEach(
                      option ->
                          assertTrue(Stream.of(option.names()).anyMatch(all::contains), name));
              assertEquals(help(name, "--help", "all"), help("help", name));
              assertEquals(help(name, "--help", "all"), help(name, "-h", "all"));
            });
  }

  @Test
  void saysHowManyAreLeftOut() {
    String shown = help("gate", "--help");
    int left = options(help("gate", "--help", "all")).size() - options(shown).size();
    assertTrue(left > 20, shown);
    assertTrue(
        shown.contains("\nvtdiag gate --help all shows " + left + " more options.\n"), shown);
    assertTrue(shown.startsWith("Usage: vtdiag gate [OPTIONS] FILE...\n"), shown);
    assertFalse(help("ps", "--help").contains("more options"));
  }

  @Test
  void eachOptionOfEveryDayIsOneOfACommandThatHasMany() {
    Set<String> names =
        commands().values().stream()
            .filter(command -> command.getCommandSpec().options().size() > ShortHelp.FEW)
            .flatMap(command -> command.getCommandSpec().options().stream())
            .flatMap(option -> List.of(option.names()).stream())
            .collect(Collectors.toSet());
    ShortHelp.EVERYDAY.forEach(name -> assertTrue(names.contains(name), name));
  }

  /** A file may have that name, and what a program is given is its own. */
  @Test
  void allIsAWordOnlyAfterHelp() {
    try (PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8)) {
      CommandLine line = Main.commandLine(new Console(nowhere, nowhere, Style.PLAIN));
      assertFalse(ShortHelp.asksForAll(line, "analyze", "all"));
      assertFalse(ShortHelp.asksForAll(line, "all"));
      assertFalse(ShortHelp.asksForAll(line, "run", "app.Main", "--help", "all"));
      assertFalse(ShortHelp.asksForAll(line, "run", "--", "-jar", "app.jar", "--help", "all"));
      assertTrue(ShortHelp.asksForAll(line, "fleet", "add", "--help", "all"));
      assertTrue(ShortHelp.asksForAll(line, "--help", "all"));
    }
  }

  private static Map<String, CommandLine> commands() {
    try (PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8)) {
      return Main.commandLine(new Console(nowhere, nowhere, Style.PLAIN))
          .getSubcommands()
          .entrySet()
          .stream()
          .filter(entry -> !entry.getValue().getCommandSpec().usageMessage().hidden())
          .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
  }

  private static List<String> options(String help) {
    return OPTION.matcher(help).results().map((MatchResult found) -> found.group(1)).toList();
  }

  private static String help(String... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, UTF_8);
    assertEquals(0, Main.run(new Console(out, out, Style.PLAIN), arguments));
    return bytes.toString(UTF_8);
  }
}
