package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.cli.programs.Holds;
import io.github.vtdiag.report.ci.BuildReports;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The steps of the GitHub Action and of the example for GitLab, as their runners run them. */
final class GateActionIT {
  private static final Path TOP = Path.of("..").toAbsolutePath().normalize();
  private static final Path SOURCES = Path.of("src", "test", "java").toAbsolutePath();
  private static final Path CLASSES = Path.of("target", "test-classes").toAbsolutePath();
  private static final String AGENT =
      Path.of("..", "agent", "target", "vtdiag.jar").toAbsolutePath().toString();
  private static final String HOLDS = "io/github/vtdiag/cli/programs/Holds";
  private static final Pattern EXPRESSION = Pattern.compile("\\$\\{\\{ ([^}]*) }}");

  /** A watch proves nothing where other tests take the processors, so that one is left out. */
  private static final Map<String, String> PASSING =
      Map.of("arguments", "--max-pin '1h' --allow-unwatched");

  @TempDir private static Path recordings;
  @TempDir private Path temporary;
  private Path workspace;

  /** What a step left. */
  private record Ran(int code, String log, Map<String, String> outputs, String summary) {}

  @BeforeAll
  static void record() throws Exception {
    record("-javaagent:" + AGENT + "=output=pins 1.jfr");
    record("-Xlog:disable", "-XX:StartFlightRecording=filename=unwatched.jfr");
  }

  private static void record(String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("-cp", CLASSES.toString(), Holds.class.getName()));
    Forked ran = Forked.java(Jdk.JAVA_21, recordings, arguments.toArray(String[]::new));
    assertEquals(0, ran.exitCode(), ran.err());
  }

  @BeforeEach
  void workspace() throws IOException {
    // As where a runner checks out: with blanks in its path, and a repository.
    workspace = Files.createDirectories(temporary.toRealPath().resolve("work space"));
    Files.createDirectory(workspace.resolve(".git"));
    copy(SOURCES.resolve(HOLDS + ".java"), "src/" + HOLDS + ".java");
  }

  private void copy(Path file, String to) throws IOException {
    Path copy = workspace.resolve(to);
    Files.createDirectories(copy.getParent());
    Files.copy(file, copy);
  }

  @Test
  void whatPinsFailsAndIsShownWhereItIs() throws Exception {
    Ran ran = action(Map.of("arguments", "--max-pin 30ms\n-v", "sources", "src"), "pins 1.jfr");
    assertEquals(1, ran.code(), ran.log());
    assertEquals("FAIL", ran.outputs().get("verdict"));
    BuildReports.junit(Files.readString(Path.of(ran.outputs().get("junit"))));
    BuildReports.sarif(Files.readString(Path.of(ran.outputs().get("sarif"))));
    assertTrue(ran.summary().contains("**FAIL**"), ran.summary());
    List<BuildReports.Command> commands = commands(ran.log());
    assertEquals("error", commands.getFirst().name());
    assertEquals(
        "src/io/github/vtdiag/cli/programs/Holds.java",
        commands.getFirst().properties().get("file"));
  }

  @Test
  void whatKeepsTheLimitsPasses() throws Exception {
    Ran ran = action(PASSING, "unwatch*.jfr");
    assertEquals(0, ran.code(), ran.log());
    assertEquals("PASS", ran.outputs().get("verdict"));
    assertTrue(ran.summary().contains("**PASS**"), ran.summary());
    assertTrue(
        commands(ran.log()).stream().allMatch(command -> command.name().equals("notice")),
        ran.log());
  }

  @Test
  void whatCannotBeToldDoesNotPass() throws Exception {
    Ran ran = action(Map.of("arguments", "--max-pin 1h"), "unwatched.jfr");
    assertEquals(4, ran.code(), ran.log());
    assertEquals("NO_DATA", ran.outputs().get("verdict"));
    assertTrue(Files.exists(Path.of(ran.outputs().get("sarif"))));
    assertEquals("error", commands(ran.log()).getFirst().name());
  }

  @Test
  void recordingsThatAreNotThereDoNotPass() throws Exception {
    for (String recording : List.of("none*.jfr", "none.jfr")) {
      Ran ran = action(Map.of("arguments", "--max-pin 1h"), recording);
      assertEquals(4, ran.code(), ran.log());
      assertEquals("NO_DATA", ran.outputs().get("verdict"));
      assertTrue(ran.summary().contains("there is no such recording"), ran.summary());
    }
  }

  @Test
  void whereNothingCanBeReadThereIsNoVerdictAndNoFileOfTheLastRun() throws Exception {
    assertEquals(0, action(PASSING, "unwatched.jfr").code());
    Files.writeString(recordings.resolve("text.jfr"), "text");
    Ran ran = action(Map.of("arguments", "--max-pin 1h"), "text.jfr");
    assertEquals(3, ran.code(), ran.log());
    assertEquals(Map.of("verdict", "ERROR"), ran.outputs());
    assertEquals("", ran.summary());
    assertTrue(ran.log().contains("\n::error title=vtdiag::vtdiag gate ended with exit code 3"));
  }

  @Test
  void anInputIsNoCode() throws Exception {
    Ran ran =
        action(
            Map.of(
                "arguments",
                "--max-pin 1h $(touch arguments) `touch ticks`",
                "classpath",
                "$(touch classpath)\n\";touch quoted;\"",
                "sources",
                "src\n$(touch sources)"),
            "$(touch recording); touch more");
    assertNotEquals(0, ran.code());
    try (var files = Files.walk(workspace)) {
      assertEquals(List.of(), files.filter(f -> f.toString().contains("touch")).toList());
    }
    for (String file : List.of("arguments", "ticks", "classpath", "quoted", "sources", "more")) {
      assertFalse(Files.exists(workspace.resolve(file)), file);
    }
  }

  @Test
  void aWordThatDoesNotEndIsNotLeftOut() throws Exception {
    Ran ran = action(Map.of("arguments", "--max-pin 1h --max-count '0"), "pins 1.jfr");
    assertNotEquals(0, ran.code(), ran.log());
    assertFalse(ran.log().contains("PASS"), ran.log());
  }

  @Test
  void annotationsAndSummaryCanBeLeftOut() throws Exception {
    Ran ran =
        action(
            Map.of("arguments", "--max-pin 30ms", "annotations", "false", "summary", "false"),
            "pins 1.jfr");
    assertEquals(1, ran.code(), ran.log());
    assertEquals("", ran.summary());
    assertEquals(List.of(), commands(ran.log()));
  }

  /** What the runner obeys; while it is told to stop, it obeys nothing. */
  private static List<BuildReports.Command> commands(String log) {
    Matcher stopped = Pattern.compile("(?s)::stop-commands::(\\S+)\n(.*)\n::\\1::\n").matcher(log);
    assertTrue(stopped.find(), log);
    // All that vtdiag itself prints is in between.
    assertTrue(stopped.group(2).contains("limit"), log);
    assertEquals(0, stopped.start(), log);
    return BuildReports.annotations(log.substring(stopped.end()));
  }

  @SuppressWarnings("unchecked")
  private Ran action(Map<String, String> given, String recording) throws Exception {
    Map<String, Object> action = new Yaml().load(Files.readString(TOP.resolve("action.yml")));
    Map<String, String> contexts = new HashMap<>();
    contexts.put("github.action_path", TOP.toString());
    contexts.put("runner.temp", temporary.toRealPath().resolve("runner temp").toString());
    ((Map<String, Map<String, Object>>) action.get("inputs"))
        .forEach(
            (name, input) ->
                contexts.put(
                    "inputs." + name, evaluate("" + input.getOrDefault("default", ""), contexts)));
    given.forEach((name, value) -> set(contexts, name, value));
    set(contexts, "vtdiag", CliJar.PATH.toString());
    set(contexts, "recordings", "\n" + recordings.toRealPath().resolve(recording) + "\n");
    Map<String, Object> runs = (Map<String, Object>) action.get("runs");
    assertEquals("composite", runs.get("using"));
    List<Map<String, Object>> steps = (List<Map<String, Object>>) runs.get("steps");
    assertEquals(1, steps.size());
    Ran ran = step(steps.getFirst(), contexts);
    ran.outputs().forEach((name, value) -> contexts.put("steps.gate.outputs." + name, value));
    Map<String, String> outputs = new HashMap<>();
    ((Map<String, Map<String, String>>) action.get("outputs"))
        .forEach(
            (name, output) -> {
              String value = evaluate(output.get("value"), contexts);
              if (!value.isEmpty()) {
                outputs.put(name, value);
              }
            });
    return new Ran(ran.code(), ran.log(), outputs, ran.summary());
  }

  private static void set(Map<String, String> contexts, String input, String value) {
    assertTrue(contexts.containsKey("inputs." + input), "no input " + input);
    contexts.put("inputs." + input, value);
  }

  /** What is not there is nothing, as for GitHub's runner. */
  private static String evaluate(String text, Map<String, String> contexts) {
    return EXPRESSION
        .matcher(text)
        .replaceAll(match -> Matcher.quoteReplacement(contexts.getOrDefault(match.group(1), "")));
  }

  @SuppressWarnings("unchecked")
  private Ran step(Map<String, Object> step, Map<String, String> contexts) throws Exception {
    assertEquals("bash", step.get("shell"));
    String script = (String) step.get("run");
    assertFalse(EXPRESSION.matcher(script).find(), "an input would be code");
    Path runner = Files.createTempDirectory(temporary.toRealPath(), "runner");
    Map<String, String> environment = new HashMap<>();
    for (String file : List.of("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")) {
      environment.put(file, Files.createFile(runner.resolve(file)).toString());
    }
    environment.put("JAVA_HOME", Jdk.JAVA_25.java().getParent().getParent().toString());
    ((Map<String, String>) step.get("env"))
        .forEach((name, value) -> environment.put(name, evaluate(value, contexts)));
    Path file = Files.writeString(runner.resolve("step.sh"), script);
    Forked ran =
        Forked.run(
            workspace,
            environment,
            List.of("bash", "--noprofile", "--norc", "-eo", "pipefail", file.toString()));
    return new Ran(
        ran.exitCode(),
        ran.out(),
        outputs(Files.readString(runner.resolve("GITHUB_OUTPUT"))),
        Files.readString(runner.resolve("GITHUB_STEP_SUMMARY")));
  }

  /** Lines of {@code name=value}, and values between lines that have the same word. */
  private static Map<String, String> outputs(String text) {
    Map<String, String> outputs = new HashMap<>();
    Matcher matcher =
        Pattern.compile("(?ms)^(\\w+)(?:=([^\n]*)|<<(\\S+)\n(.*?)\n\\3)$").matcher(text);
    while (matcher.find()) {
      outputs.put(matcher.group(1), matcher.group(2) != null ? matcher.group(2) : matcher.group(4));
    }
    return outputs;
  }

  @Test
  @SuppressWarnings("unchecked")
  void theExampleForGitLabIsWhole() throws Exception {
    String page = Files.readString(TOP.resolve("docs/builds.md"), StandardCharsets.UTF_8);
    Matcher example = Pattern.compile("(?s)## GitLab.*?```yaml\n(.*?)```").matcher(page);
    assertTrue(example.find());
    Map<String, Object> file = new Yaml().load(example.group(1));
    Map<String, Object> job = (Map<String, Object>) file.get("virtual-threads");
    Map<String, String> environment = new HashMap<>((Map<String, String>) job.get("variables"));
    copy(CliJar.PATH, "tools/vtdiag-cli.jar");
    copy(SOURCES.resolve(HOLDS + ".java"), "src/main/java/" + HOLDS + ".java");
    copy(CLASSES.resolve(HOLDS + ".class"), "target/classes/" + HOLDS + ".class");
    // Maven runs the application's tests; here one program stands for them.
    Path bin = Files.createDirectory(workspace.resolve("bin"));
    Path maven = bin.resolve("mvn");
    Files.writeString(
        maven,
        """
        #!/bin/sh
        for word; do
          case $word in
            -DargLine=*) exec "$JAVA21" "${word#-DargLine=}" -cp target/classes %s ;;
          esac
        done
        """
            .formatted(Holds.class.getName()));
    assertTrue(maven.toFile().setExecutable(true));
    String java25 = Jdk.JAVA_25.java().getParent().toString();
    environment.put("JAVA21", Jdk.JAVA_21.java().toString());
    environment.put("PATH", bin + ":" + java25 + ":" + System.getenv("PATH"));
    environment.put("XDG_CACHE_HOME", workspace.resolve("cache").toString());
    Path script =
        Files.writeString(
            workspace.resolve("job.sh"), String.join("\n", (List<String>) job.get("script")));
    Forked ran =
        Forked.run(workspace, environment, List.of("bash", "-eo", "pipefail", script.toString()));
    assertEquals(1, ran.exitCode(), ran.out() + ran.err());
    Map<String, Object> artifacts = (Map<String, Object>) job.get("artifacts");
    assertEquals("always", artifacts.get("when"));
    Map<String, String> reports = (Map<String, String>) artifacts.get("reports");
    BuildReports.junit(Files.readString(workspace.resolve(reports.get("junit"))));
    assertEquals(
        "critical",
        BuildReports.codeQuality(Files.readString(workspace.resolve(reports.get("codequality"))))
            .at("/0/severity")
            .asText());
  }
}
