package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.WarmCommandLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The small programs of {@code promises/}: of each, the locks move that should, the others stay for
 * the reason that is told, and the patched program prints what it printed before. All are compiled
 * in this JVM, patched by one JVM of the built command line and run by one for each JDK.
 */
@Order(1)
final class PatchPromisesIT {
  private static final Path RESOURCES =
      Path.of("src/test/resources/io/github/vtdiag/cli/promises").toAbsolutePath();
  private static final Path LIBRARIES = Path.of("target/readers").toAbsolutePath();

  @TempDir private Path temporary;

  @TestFactory
  Stream<DynamicTest> programs() throws Exception {
    List<DynamicTest> tests = new ArrayList<>();
    // Where each program that was patched is, before and after.
    Map<String, List<List<String>>> toRun = new LinkedHashMap<>();
    for (PromisedProgram program : read()) {
      Path folder = Files.createDirectories(temporary.toRealPath().resolve(program.name()));
      for (Map.Entry<String, String> file : program.files().entrySet()) {
        write(folder.resolve("src").resolve(file.getKey()), file.getValue());
      }
      compile(program, folder.resolve("src"), folder.resolve("classes"));
      JsonNode json = patch(program, folder);
      tests.add(dynamicTest(program.name() + ": patch", () -> isAsPromised(program, json)));
      if (!json.path("files").isEmpty()) {
        apply(folder, json);
        compile(program, folder.resolve("patched"), folder.resolve("after"));
        toRun.put(
            program.name(),
            List.of(
                classPath(program, folder.resolve("classes")),
                classPath(program, folder.resolve("after"))));
      }
    }
    for (Jdk jdk : Jdk.values()) {
      run(jdk, toRun).forEach((name, answers) -> tests.add(same(name + " on " + jdk, answers)));
    }
    return tests.stream();
  }

  private static List<PromisedProgram> read() throws IOException {
    List<PromisedProgram> programs = new ArrayList<>();
    try (Stream<Path> files = Files.list(RESOURCES)) {
      for (Path file : files.sorted().toList()) {
        String topic = file.getFileName().toString().replace(".txt", "");
        programs.addAll(PromisedProgram.read(topic, Files.readString(file)));
      }
    }
    String wanted = System.getProperty("vtdiag.promise", "");
    return programs.stream().filter(each -> each.name().contains(wanted)).toList();
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static List<String> libraries(PromisedProgram program) throws IOException {
    List<String> found = new ArrayList<>();
    for (String library : program.libs()) {
      try (Stream<Path> jars = Files.list(LIBRARIES)) {
        jars.map(Path::toString)
            .filter(jar -> Path.of(jar).getFileName().toString().startsWith(library))
            .forEach(found::add);
      }
    }
    assertTrue(found.size() >= program.libs().size(), () -> program.name() + ": " + found);
    return found;
  }

  private static List<String> classPath(PromisedProgram program, Path classes) throws IOException {
    List<String> path = new ArrayList<>(List.of(classes.toString()));
    path.addAll(libraries(program));
    return path;
  }

  private static void compile(PromisedProgram program, Path sources, Path classes)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("-source", "21", "-target", "21", "-g", "-nowarn", "-Xlint:none"));
    List<String> libraries = libraries(program);
    arguments.addAll(List.of("-d", classes.toString(), "-cp", String.join(":", libraries)));
    if (!program.libs().contains("lombok")) {
      arguments.add("-proc:none");
    } else {
      arguments.addAll(List.of("-proc:full", "-processorpath", String.join(":", libraries)));
    }
    try (Stream<Path> files = Files.walk(sources)) {
      files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
    }
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    String[] all = arguments.toArray(String[]::new);
    int code = ToolProvider.getSystemJavaCompiler().run(null, messages, messages, all);
    assertEquals(0, code, () -> program.name() + ": " + messages.toString(UTF_8));
  }

  /** The patch is not verified by the command: this test compiles and runs what comes of it. */
  private static JsonNode patch(PromisedProgram program, Path folder) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("patch", "--all", "--no-verify", "--format", "json"));
    arguments.add("--classpath");
    arguments.add(String.join(":", classPath(program, folder.resolve("classes"))));
    arguments.addAll(List.of("--sources", folder.resolve("src").toString()));
    Forked ran = WarmCommandLine.run(Jdk.JAVA_25, arguments.toArray(String[]::new));
    assertEquals(0, ran.exitCode(), () -> program.name() + ": " + ran.err());
    for (String words : program.says()) {
      assertTrue(ran.err().contains(words), () -> program.name() + ": " + ran.err());
    }
    return new ObjectMapper().readTree(ran.out());
  }

  private static void isAsPromised(PromisedProgram program, JsonNode json) {
    List<String> missing = new ArrayList<>(program.stays());
    for (JsonNode declined : json.path("declined")) {
      String reason = declined.path("rung").asText() + " " + declined.path("reason").asText();
      List<String> fitting =
          missing.stream()
              .filter(each -> reason.startsWith(each.split(" ", 2)[0] + " "))
              .filter(each -> reason.contains(each.substring(each.indexOf(' ') + 1)))
              .toList();
      assertTrue(!fitting.isEmpty(), () -> "not expected: " + reason + "\n" + json.path("diff"));
      missing.remove(fitting.getFirst());
    }
    assertEquals(List.of(), missing, () -> json.path("declined").toPrettyString());
    assertEquals(program.moves(), json.path("locks").size(), json::toPrettyString);
  }

  private static void apply(Path folder, JsonNode json) throws Exception {
    Path copy = folder.resolve("patched");
    try (Stream<Path> files = Files.walk(folder.resolve("src"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = copy.resolve(folder.resolve("src").relativize(file));
        Files.createDirectories(to.getParent());
        Files.copy(file, to);
      }
    }
    Path diff = Files.writeString(folder.resolve("locks.patch"), json.path("diff").asText());
    Forked applied = Forked.run(copy, Map.of(), List.of("git", "apply", diff.toString()));
    assertEquals("", applied.err());
    assertEquals(0, applied.exitCode());
  }

  /** What all of them answer, before and after. */
  private Map<String, List<String>> run(Jdk jdk, Map<String, List<List<String>>> toRun)
      throws Exception {
    Path folder = Files.createDirectories(temporary.toRealPath().resolve("ran-" + jdk));
    List<String> lines = new ArrayList<>();
    Map<String, List<Path>> answers = new LinkedHashMap<>();
    for (Map.Entry<String, List<List<String>>> program : toRun.entrySet()) {
      List<Path> files = new ArrayList<>();
      for (List<String> classPath : program.getValue()) {
        files.add(folder.resolve(lines.size() + ".txt"));
        lines.add(files.getLast() + "\t" + String.join("\t", classPath));
      }
      answers.put(program.getKey(), files);
    }
    Path list = Files.write(folder.resolve("programs"), lines);
    Forked ran =
        Forked.java(
            jdk,
            folder,
            Forked.QUICK,
            "-XX:+UseSerialGC",
            "-cp",
            Path.of("target/test-classes").toAbsolutePath().toString(),
            ManyPrograms.class.getName(),
            list.toString());
    assertEquals(0, ran.exitCode(), ran.out() + ran.err());
    Map<String, List<String>> read = new LinkedHashMap<>();
    for (Map.Entry<String, List<Path>> each : answers.entrySet()) {
      List<String> texts = new ArrayList<>();
      for (Path file : each.getValue()) {
        texts.add(Files.readString(file));
      }
      read.put(each.getKey(), texts);
    }
    return read;
  }

  private static DynamicTest same(String name, List<String> answers) {
    return dynamicTest(
        name,
        () -> {
          assertEquals(answers.getFirst(), answers.getLast());
          assertTrue(answers.getFirst().endsWith("ended"), answers::toString);
        });
  }
}
