package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.report.Style;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * The page of all commands and options is what these say of themselves. {@code -Dvtdiag.write=true}
 * writes it.
 */
class CommandsPageTest {
  private static final Path PAGE = Jdks.projectFolder().resolve("docs/commands.md");

  private static final String HEAD =
      """
      # Commands and options

      This page is the help of each command, as `vtdiag help COMMAND` prints it. A test writes the page:
      `mvn -B -pl agent,analyzer test -Dtest=CommandsPageTest -Dvtdiag.write=true -Dsurefire.failIfNoSpecifiedTests=false`.

      """;

  private static final String AGENT =
      """
      ## The agent's options

      The options follow the jar, or stand in the environment variable `VTDIAG_OPTIONS`. What each does in the JVM, and how to attach the
      agent to a running program, is in [Record](record.md).

      """;

  @TempDir private Path folder;

  @Test
  void thePageIsTheHelp() throws Exception {
    StringBuilder page = new StringBuilder(HEAD);
    section(page, "vtdiag", help("--help"));
    try (PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8)) {
      CommandLine line = Main.commandLine(new Console(nowhere, nowhere, Style.PLAIN));
      line.getSubcommands()
          .forEach(
              (name, command) -> {
                if (!command.getCommandSpec().usageMessage().hidden()) {
                  section(page, "vtdiag " + name, help(name, "--help", "all"));
                  command
                      .getSubcommands()
                      .keySet()
                      .forEach(
                          of ->
                              section(
                                  page,
                                  "vtdiag " + name + " " + of,
                                  help(name, of, "--help", "all")));
                }
              });
    }
    page.append(AGENT).append("```\n").append(agentHelp().strip()).append("\n```\n");
    if (Boolean.getBoolean("vtdiag.write")) {
      Files.writeString(PAGE, page);
    }
    assertEquals(Files.readString(PAGE), page.toString());
  }

  private static void section(StringBuilder page, String title, String help) {
    page.append("## ").append(title).append("\n\n```\n").append(help.strip()).append("\n```\n\n");
  }

  private static String help(String... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, UTF_8);
    assertEquals(0, Main.run(new Console(out, out, Style.PLAIN), arguments));
    return bytes.toString(UTF_8);
  }

  /** What the agent answers to {@code help}, from the jar that users attach. */
  private String agentHelp() throws Exception {
    Path jar = Jdks.projectFolder().resolve("agent/target/vtdiag.jar");
    Forked java = Forked.java(Jdk.JAVA_25, folder, "-javaagent:" + jar + "=help", "--version");
    assertEquals(0, java.exitCode(), java.err());
    return java.err();
  }
}
