package io.github.vtdiag.cli;

import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Parameters;

/**
 * {@code vtdiag man-pages FOLDER}, which the build of a distribution runs: a page for each command,
 * from its help.
 */
@Command(name = "man-pages", hidden = true)
final class ManPagesCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "FOLDER", description = "Where the pages go.")
  private Path folder;

  ManPagesCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    CommandLine line = Main.commandLine(console);
    List<CommandSpec> commands = new ArrayList<>();
    commands.add(line.getCommandSpec());
    line.getSubcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .filter(spec -> !spec.usageMessage().hidden())
        .forEach(commands::add);
    try {
      Files.createDirectories(folder);
      for (CommandSpec command : commands) {
        Files.writeString(folder.resolve(name(command) + ".1"), page(command, commands));
      }
    } catch (IOException e) {
      throw new DataException(folder + " cannot be written; name another folder", e);
    }
    return Exit.OK;
  }

  private static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  private static String page(CommandSpec command, List<CommandSpec> all) {
    List<String> description = Arrays.asList(command.usageMessage().description());
    StringBuilder page = new StringBuilder();
    page.append(".TH ").append(quoted(name(command).toUpperCase(Locale.ROOT)));
    page.append(" 1 \"\" ").append(quoted(command.version()[0])).append("\n");
    page.append(".nh\n.ad l\n.SH NAME\n").append(text(name(command))).append(" \\- ");
    page.append(text(String.join(" ", description))).append("\n");
    page.append(".SH SYNOPSIS\n.nf\n").append(text(synopsis(command))).append("\n.fi\n");
    List<PositionalParamSpec> parameters = command.positionalParameters();
    List<OptionSpec> options =
        command.options().stream().filter(option -> !option.hidden()).toList();
    if (!parameters.isEmpty()) {
      page.append(".SH PARAMETERS\n");
      parameters.stream()
          .filter(parameter -> !parameter.hidden())
          .forEach(parameter -> entry(page, parameter.paramLabel(), parameter));
    }
    if (!options.isEmpty()) {
      page.append(".SH OPTIONS\n");
      options.forEach(option -> entry(page, label(option), option));
    }
    if (command.equals(all.getFirst())) {
      page.append(".SH COMMANDS\n");
      for (CommandSpec other : all.subList(1, all.size())) {
        page.append(".TP\n.B ").append(text(other.name())).append("\n");
        page.append(text(String.join(" ", other.usageMessage().description()))).append("\n");
      }
    }
    footer(page, command);
    page.append(".SH SEE ALSO\n");
    page.append(
        all.stream()
            .filter(other -> !other.equals(command))
            .map(other -> ".BR " + text(name(other)) + " (1)")
            .collect(Collectors.joining(" ,\n")));
    return page.append("\n").toString();
  }

  /** Returns the synopsis of the help, without the word before it. */
  private static String synopsis(CommandSpec command) {
    CommandLine.Help help = command.commandLine().getHelpFactory().create(command, help());
    return help.synopsis(0).strip();
  }

  private static CommandLine.Help.ColorScheme help() {
    return CommandLine.Help.defaultColorScheme(Ansi.OFF);
  }

  private static String label(OptionSpec option) {
    String names = String.join(", ", option.names());
    return option.typeInfo().isBoolean() || option.paramLabel().isEmpty()
        ? names
        : names + "=" + option.paramLabel();
  }

  private static void entry(StringBuilder page, String label, ArgSpec argument) {
    page.append(".TP\n.B ").append(text(label)).append("\n");
    page.append(text(String.join(" ", argument.description()))).append("\n");
  }

  /** Appends examples and exit codes, which are lines of their own. */
  private static void footer(StringBuilder page, CommandSpec command) {
    String[] lines = command.usageMessage().footer();
    if (lines.length == 0) {
      return;
    }
    page.append(".SH NOTES\n.nf\n");
    String text = String.join("\n", lines).strip();
    page.append(text(text)).append("\n.fi\n");
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\"", "") + "\"";
  }

  /** Returns text that troff takes for nothing but text. */
  private static String text(String text) {
    return text.replace("%n", "\n")
        .replace("%%", "%")
        .replace("\\", "\\e")
        .replace("-", "\\-")
        .lines()
        .map(line -> line.startsWith(".") || line.startsWith("'") ? "\\&" + line : line)
        .collect(Collectors.joining("\n"));
  }
}
