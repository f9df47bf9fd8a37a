package io.github.vtdiag.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_SYNOPSIS;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The help that {@code --help} shows of a command with many options: the common ones. {@code --help
 * all} shows all of them.
 */
final class ShortHelp {
  /** The most options of a command that are all shown. */
  static final int FEW = 12;

  /** The common options, whatever command has them. */
  static final Set<String> EVERYDAY =
      Set.of(
          "--all",
          "--baseline",
          "--classpath",
          "--classpath-after",
          "--count",
          "--duration",
          "--explain",
          "--help",
          "--http",
          "--jdk-after",
          "--json",
          "--max-capacity-lost",
          "--max-pin",
          "--max-stall",
          "--open",
          "--output",
          "--pairs",
          "--sarif",
          "--site",
          "--sources",
          "--upgrades",
          "--verbose",
          "--what-if");

  private static final String HELP = "--help";
  private static final String ALL = "all";

  private ShortHelp() {}

  /**
   * Returns whether the arguments, after the commands among them, are a request for all options.
   */
  static boolean asksForAll(CommandLine vtdiag, String... arguments) {
    CommandLine command = vtdiag;
    int at = 0;
    while (at < arguments.length && command.getSubcommands().containsKey(arguments[at])) {
      command = command.getSubcommands().get(arguments[at]);
      at++;
    }
    return arguments.length == at + 2
        && (arguments[at].equals(HELP) || arguments[at].equals("-h"))
        && arguments[at + 1].equals(ALL);
  }

  /** Shortens the help of each command that has many options. */
  static void shorten(CommandLine vtdiag) {
    for (CommandLine command : vtdiag.getSubcommands().values()) {
      shorten(command);
      List<OptionSpec> options =
          command.getCommandSpec().options().stream().filter(option -> !option.hidden()).toList();
      if (options.size() > FEW) {
        List<OptionSpec> shown = options.stream().filter(ShortHelp::isEveryday).toList();
        command.getHelpSectionMap().put(SECTION_KEY_SYNOPSIS, ShortHelp::synopsis);
        command
            .getHelpSectionMap()
            .put(SECTION_KEY_OPTION_LIST, help -> list(help, shown, options.size() - shown.size()));
      }
    }
  }

  private static boolean isEveryday(OptionSpec option) {
    return Arrays.stream(option.names()).anyMatch(EVERYDAY::contains);
  }

  private static String synopsis(Help help) {
    return help.abbreviatedSynopsis();
  }

  private static String list(Help help, List<OptionSpec> shown, int left) {
    String command = help.commandSpec().qualifiedName();
    return help.optionListExcludingGroups(shown)
        + String.format("%n%s %s %s shows %d more options.%n", command, HELP, ALL, left);
  }
}
