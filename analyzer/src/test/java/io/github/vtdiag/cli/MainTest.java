package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.Printable;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.testing.Javac;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MainTest {
  @TempDir private Path folder;

  private record Outcome(int code, String out, String err) {}

  private static Outcome run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Style.PLAIN);
    int code = Main.run(console, args);
    return new Outcome(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "analyse x.jfr|unknown command analyse (did you mean analyze?); see vtdiag --help",
        "--foo|unknown option --foo; see vtdiag --help",
        "analyze|Missing required parameter: 'FILE'; see vtdiag analyze --help",
        "analyze --foo x.jfr|unknown option --foo (did you mean --format?); see vtdiag analyze"
            + " --help",
        "analyze x.jfr --format htm|Invalid value for option '--format': 'htm' is not a format;"
            + " write text, json, markdown or html; see vtdiag analyze --help",
        "advise x.jfr --json --format markdown|--json and --format markdown exclude each other; see"
            + " vtdiag advise --help",
        "patch --all --classpath x --sources x --format markdown|a patch is text or json, not"
            + " markdown; remove --format markdown; see vtdiag patch --help",
        "gate x.jfr|no limit given; add --max-pin, --max-total, --max-count, --max-rate,"
            + " --max-capacity-lost, --max-queue, --max-monopolized, --min-idle, --max-stall,"
            + " --baseline, or a"
            + " policy (vtdiag.yml); see vtdiag gate --help",
        "gate x.jfr --max-pin soon|Invalid value for option '--max-pin': 'soon' is not a duration;"
            + " write 50ms, 1.5s, 200us or PT0.2S; see vtdiag gate --help",
        "gate x.jfr --max-count -1|Invalid value for option '--max-count': '-1' is not a count;"
            + " write 0 or more; see vtdiag gate --help",
        "gate x.jfr --max-capacity-lost lots|Invalid value for option '--max-capacity-lost':"
            + " 'lots' is not a percentage; write 5 or 0.5%; see vtdiag gate --help",
        "analyze x.jfr --from soon|Invalid value for option '--from': 'soon' is not a time; write"
            + " 2026-11-21T10:00:00Z, 10:00, +90s or -5m; see vtdiag analyze --help",
        "gate x.jfr --max-pin 1s --from 10:30 --to 10:00|--from is not before --to; see vtdiag gate"
            + " --help",
        "analyze x.jfr --from -1m --to -2m|--from is not before --to; see vtdiag analyze --help",
        "hang|Missing required parameter: 'TARGET'; see vtdiag hang --help",
        "hang 1 2|name one process; see vtdiag hang --help",
        "hang 1 x.json|name a process or dumps, not both; see vtdiag hang --help",
        "hang x.json --dump y|--dump keeps what is read of a process; see vtdiag hang --help",
        "hang 1 --interval soon|Invalid value for option '--interval': 'soon' is not a duration;"
            + " write 50ms, 1.5s, 200us or PT0.2S; see vtdiag hang --help",
        "help nope|unknown command nope; see vtdiag help --help",
        "run|Missing required parameter: 'ARGUMENT'; see vtdiag run --help",
        "patch|no locks selected; name recordings, or add --all or --site CLASS#METHOD; see vtdiag"
            + " patch --help",
        "patch x.jfr --all|recordings, --all and --site cannot be used together; see vtdiag patch"
            + " --help",
        "patch --site x|--site x is not a method; write com.example.Cache#load; see vtdiag patch"
            + " --help",
        "patch --all|a patch needs the classes and their sources; add --classpath and --sources;"
            + " see vtdiag patch --help",
        "patch x.jfr --classpath x|a patch needs the classes and their sources; add --classpath and"
            + " --sources; see vtdiag patch --help",
        "compare --jdk-after x|Missing required parameter: 'ARGUMENT'; see vtdiag compare --help",
        "compare -- Main|no change to compare; add --what-if, --jdk-after, --classpath-after or"
            + " --java-options-after; see vtdiag compare --help",
        "compare --jdk-after x --pairs 1 -- Main|one pair cannot show how much runs vary; use"
            + " --pairs 2 or more; see vtdiag compare --help",
        "compare --jdk-after x --pairs few -- Main|Invalid value for option '--pairs': 'few' is not"
            + " a number from 1 to 99999; see vtdiag compare --help",
        "compare --jdk-after x --users 5 -- Main|--users needs --http; see vtdiag compare --help",
        "compare --jdk-after x --warm-up 5s -- Main|--warm-up needs --http or --count; see vtdiag"
            + " compare --help",
        "compare --jdk-after x --count a.B#c --users 5 -- Main|--users needs --http; see vtdiag"
            + " compare --help",
        "compare --jdk-after x --count a.B.c -- Main|Invalid value for option '--count'"
            + " ([NAME=]CLASS#METHOD): 'a.B.c' is not a method; write com.example.Pool#borrow; see"
            + " vtdiag compare --help",
        "compare --jdk-after x --count a=a.B#c,d -- Main|Invalid value for option '--count'"
            + " ([NAME=]CLASS#METHOD): 'a.B#c,d' is not a method; write com.example.Pool#borrow;"
            + " see vtdiag compare --help",
        "compare --jdk-after x --count a.B#c --http http://h/ -- Main|--count cannot be used with"
            + " --http or --operations; see vtdiag compare --help",
        "compare --jdk-after x --count a.B#c --no-record -- Main|--count needs the agent; remove"
            + " --no-record; see vtdiag compare --help",
        "compare --jdk-after x --http a=http://h/1 --http a=http://h/2 -- Main|two measures are"
            + " named a; give each its own name; see vtdiag compare --help",
        "compare --jdk-after x --operations a=b -- Main|Invalid value for option '--operations'"
            + " ([NAME=]REGEX): 'b' must have one group, around the number, as in 'done: (\\d+)';"
            + " see vtdiag compare --help",
        "compare --jdk-after x --http localhost:80 -- Main|Invalid value for option '--http'"
            + " ([NAME=]URL): 'localhost:80' is not the URL of a server; write"
            + " http://localhost:8080/path; see vtdiag compare --help",
        "compare --jdk-after x --http http://h/ --rate 0 -- Main|Invalid value for option '--rate':"
            + " '0' is not a rate; write requests a second, such as 200 or 0.5; see vtdiag compare"
            + " --help",
        "compare --jdk-after x --http http://h/ --rate 1 --users 1 -- Main|--users (closed loop)"
            + " and --rate (open loop) cannot be used together; see vtdiag compare --help",
        "compare --jdk-after x --http http://h/ --operations (a) -- Main|--http and --operations"
            + " cannot be used together; see vtdiag compare --help",
        "compare --jdk-after x --http http://h/ --duration 0 -- Main|--duration must be longer than"
            + " 0; see vtdiag compare --help",
        "compare --jdk-after x --operations a -- Main|Invalid value for option '--operations'"
            + " ([NAME=]REGEX): 'a' must have one group, around the number, as in 'done: (\\d+)';"
            + " see vtdiag compare --help",
        "compare --jdk-after x --json --format markdown -- Main|--json and --format markdown"
            + " exclude each other; see vtdiag compare --help",
        "compare --what-if auto --no-record -- Main|--what-if needs the agent; remove --no-record;"
            + " see vtdiag compare --help",
        "compare --classpath-after x --no-record -- -jar a.jar|-jar takes the class path from the"
            + " jar, so --classpath-after would change nothing; use -cp app.jar and the main class;"
            + " see vtdiag compare --help"
      })
  void wrongUsageIsOneLineAndExitsWith2(String line, String message) {
    Outcome outcome = run(line.split(" ", -1));
    assertEquals("vtdiag: " + message + "\n", outcome.err());
    assertEquals("", outcome.out());
    assertEquals(2, outcome.code());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "analyze none.jfr",
        "advise none.jfr",
        "gate x.jfr --max-pin 1s --policy none.yml",
        "gate x.jfr --baseline none.json",
        "baseline none.jfr",
        "diff none.jfr none.jfr",
        "diff none.json none.json",
        "analyze --jdk none none.jfr",
        "scan none.jar",
        "hang none.json",
        "hang none.json . --classpath none",
        "scan none/pom.xml",
        "scan . --classpath none",
        "scan . --jdk none",
        "patch --all --classpath none --sources .",
        "patch --all --classpath . --sources none",
        "patch none.jfr --classpath . --sources .",
        "compare --what-if none.json -- Main",
        "compare --no-record --jdk-after none -- Main",
        "compare --no-record --jdk-after x -o none/out.txt -- Main"
      })
  void badInputIsOneLineAndExitsWith3(String line) {
    Outcome outcome = run(line.split(" ", -1));
    assertTrue(outcome.err().matches("vtdiag: .*none.*\n"), outcome.err());
    assertEquals("", outcome.out());
    assertEquals(3, outcome.code());
  }

  @Test
  void anInputIsNeverOverwritten() throws Exception {
    Path recording = Files.writeString(folder.resolve("app.jfr"), "keep me");
    Outcome outcome = run("analyze", recording.toString(), "-o", recording.toString());
    assertEquals(
        "vtdiag: " + recording + " is a recording to read; name another file for the output\n",
        outcome.err());
    assertEquals(3, outcome.code());
    assertEquals("keep me", Files.readString(recording));
  }

  @Test
  void whatCannotBeScannedIsSaid() throws Exception {
    String empty = Files.createDirectory(folder.resolve("empty")).toString();
    assertScanFails(
        empty + " has no classes; name a jar, a folder of class files or a pom.xml", empty);
    String text = Files.writeString(folder.resolve("text.jar"), "no jar").toString();
    assertScanFails(
        text
            + " is not a readable jar (no zip file, or one that was cut off); leave it out or"
            + " replace it",
        text);
    Path broken = Files.createDirectory(folder.resolve("broken"));
    Files.write(broken.resolve("A.class"), new byte[] {1, 2, 3, 4, 5});
    assertScanFails(
        "none of the classes in "
            + broken
            + " can be read: A in "
            + broken
            + " could not be read (it is damaged or cut off)",
        broken.toString());
    String pom = Files.writeString(folder.resolve("pom.xml"), "<project/>").toString();
    assertScanFails(
        pom
            + " was not built: there is no "
            + folder.toAbsolutePath().resolve("target/classes")
            + "; run mvn compile",
        pom);
    String other = Files.writeString(folder.resolve("other.xml"), "<beans/>").toString();
    assertScanFails(other + " is not a pom.xml: it has no project; check it", other);
    String half = Files.writeString(folder.resolve("half.xml"), "<project>").toString();
    assertScanFails(half + " is not a pom.xml that can be read; check it", half);
  }

  private static void assertScanFails(String message, String program) {
    Outcome outcome = run("scan", program);
    assertEquals("vtdiag: " + message + "\n", outcome.err());
    assertEquals("", outcome.out());
    assertEquals(3, outcome.code());
  }

  @Test
  void theHelpListsEveryCommandOnce() {
    String help = run("--help").out();
    Main.commandLine(Console.ofProcess())
        .getSubcommands()
        .forEach(
            (name, command) ->
                assertEquals(
                    command.getCommandSpec().usageMessage().hidden() ? 0 : 1,
                    help.lines().filter(line -> line.matches("  " + name + " +[A-Z].*")).count(),
                    name));
  }

  /** Nothing was found is no proof that there is nothing. */
  @Test
  void scanWithoutAResultSaysWhatItLookedAt() throws Exception {
    Path classes = Files.createDirectories(folder.resolve("quiet"));
    Path source =
        Files.writeString(
            folder.resolve("Q.java"), "class Q { int n; synchronized int m() { return n++; } }");
    Javac.compile(classes, List.of(source));
    byte[] tooNew = Files.readAllBytes(classes.resolve("Q.class"));
    tooNew[7] = 99;
    Files.write(classes.resolve("New.class"), tooNew);
    Outcome outcome = run("scan", classes.toString());
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(
        outcome
            .out()
            .contains(
                "No monitor found from which a blocking call can be reached, among 1 monitor in 1"
                    + " class; reflection and native code are not seen."),
        outcome.out());
    assertTrue(outcome.out().contains("Not seen: New in " + classes), outcome.out());
    assertTrue(outcome.out().contains("class file version 99"), outcome.out());
  }

  @Test
  void scanTellsOverloadsApartAndPutsWhatHoldsTheLockFirst() throws Exception {
    Path classes = Files.createDirectories(folder.resolve("overloads"));
    Path source =
        Files.writeString(
            folder.resolve("O.java"),
            """
            class O {
              synchronized void alone() throws Exception { Thread.sleep(9); }
              synchronized void m(String[] s) throws Exception { Thread.sleep(9); }
              synchronized void m(int i) throws Exception { wait(); more(); }
              void more() throws Exception { Thread.sleep(9); }
            }
            """);
    Javac.compile(classes, List.of(source));
    String out = run("scan", classes.toString(), "--all").out();
    String[] alone = out.split("O\\.alone", 2)[1].split("\n\n", 2);
    assertTrue(!alone[0].contains("takes ("), out);
    assertTrue(out.contains("takes (String[])") && out.contains("takes (int)"), out);
    assertTrue(out.contains("sleep, Object.wait on this lock"), out);
    assertTrue(
        out.contains("Object.wait releases the lock, but on Java 21 to 23 not the carrier"), out);
  }

  @Test
  void aDemoWithoutSamplesSaysHowToGetThem() {
    Outcome outcome = run("demo");
    assertEquals(
        "vtdiag: the samples are not built; run ./vtdiag demo in vtdiag's source folder\n",
        outcome.err());
    assertEquals(3, outcome.code());
  }

  @Test
  void withoutArgumentsATutorial() {
    Outcome outcome = run();
    assertEquals(0, outcome.code());
    assertTrue(outcome.out().contains("vtdiag analyze app.jfr --classpath app.jar"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "analyze",
        "advise",
        "patch",
        "gate",
        "scan",
        "run",
        "compare",
        "demo",
        "agent-jar",
        "completion",
        "help"
      })
  void everyCommandHasHelpWithAnExample(String command) {
    Outcome outcome = run(command, "--help");
    assertEquals(0, outcome.code());
    assertEquals("", outcome.err());
    assertTrue(outcome.out().startsWith("Usage: vtdiag " + command), outcome.out());
    assertTrue(outcome.out().contains("Example:"), outcome.out());
    assertTrue(run("--help").out().contains("\n  " + command + " "), command);
    assertEquals(run(command, "--help", "all"), run("help", command));
  }

  /** Older versions had it. */
  @Test
  void theExperimentsAreSaidToBeElsewhere() {
    Outcome outcome = run("sample", "sleepers");
    assertEquals(2, outcome.code());
    assertEquals("", outcome.out());
    assertEquals(
        "vtdiag: unknown command sample: the experiments run from a checkout of vtdiag, as"
            + " ./vtdiag sample; see vtdiag --help\n",
        outcome.err());
    assertTrue(!run("--help").out().contains("\n  sample "), "is in the help");
    assertTrue(!run("completion").out().contains("sample"), "is completed");
  }

  @Test
  void helpIsACommandToo() {
    assertEquals(run("--help"), run("help"));
  }

  @Test
  void whatTheUserTypedReachesNoTerminalAsItIs() {
    String hostile = "a\u001b[2J\nFAIL\u009b\u202e";
    for (String[] line :
        new String[][] {
          {hostile},
          {"--" + hostile},
          {"analyze", hostile},
          {"analyze", "x.jfr", "--" + hostile},
          {"analyze", "x.jfr", "--from", hostile},
          {"gate", "x.jfr", "--max-pin", hostile},
          {"gate", "x.jfr", "--policy", hostile},
          {"gate", "x.jfr", "--baseline", hostile},
          {"diff", hostile, hostile},
          {"advise", "x.jfr", "--format", hostile},
          {"advise", "x.jfr", "--classpath", hostile},
          {"scan", hostile},
          {"help", hostile}
        }) {
      String err = run(line).err();
      assertEquals(1, err.lines().count(), err);
      assertEquals(err.strip(), Printable.text(err.strip()));
    }
  }

  @Test
  void theVersionIsPrinted() {
    assertTrue(run("--version").out().startsWith("vtdiag "));
    assertTrue(run("gate", "--version").out().startsWith("vtdiag "));
  }

  @Test
  void completionKnowsEveryOption() {
    String script = run("completion").out();
    for (String word : new String[] {"analyze", "gate", "--max-capacity-lost", "--classpath"}) {
      assertTrue(script.contains(word), word);
    }
  }
}
