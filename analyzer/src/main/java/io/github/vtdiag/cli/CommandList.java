package io.github.vtdiag.cli;

import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The list of commands in the help, by purpose. */
final class CommandList {
  private static final int NAMES = 14;

  /** Commands for one purpose. */
  private record Group(String purpose, List<String> commands) {}

  private static final List<Group> GROUPS =
      List.of(
          new Group("Record a program", List.of("run", "agent-jar", "attach", "detach", "demo")),
          new Group("Read recordings", List.of("analyze", "advise", "report", "diff", "rank")),
          new Group("Look into a running JVM", List.of("hang", "top", "ps")),
          new Group("Change a program, and measure it", List.of("patch", "scan", "compare")),
          new Group("Guard a build", List.of("gate", "baseline")),
          new Group("Ask a fleet", List.of("fleet")),
          new Group("Let an assistant ask", List.of("mcp")),
          new Group("Learn the command line", List.of("help", "completion")));

  private CommandList() {}

  /** Lists the commands of the groups; commands without a group are left out. */
  static String text(Help help) {
    StringBuilder text = new StringBuilder();
    for (Group group : GROUPS) {
      Help.TextTable table =
          Help.TextTable.forColumns(
              help.colorScheme(),
              new Column(NAMES, 2, Column.Overflow.SPAN),
              new Column(
                  help.commandSpec().usageMessage().width() - NAMES, 0, Column.Overflow.WRAP));
      for (String name : group.commands()) {
        Help command = help.subcommands().get(name);
        if (command != null) {
          UsageMessageSpec usage = command.commandSpec().usageMessage();
          table.addRowValues(
              help.colorScheme().commandText(name),
              help.colorScheme().text(String.join(" ", usage.description())));
        }
      }
      if (table.rowCount() > 0) {
        text.append(System.lineSeparator()).append(group.purpose()).append(':');
        text.append(System.lineSeparator()).append(table);
      }
    }
    return text.toString();
  }
}
