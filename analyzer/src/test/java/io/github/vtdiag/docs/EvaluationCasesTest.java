package io.github.vtdiag.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Javac;
import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The cases of the evaluation have the lines that their script reads, and each truth has its
 * source. The script, {@code docs/benchmarks/evaluation.py}, runs them.
 */
class EvaluationCasesTest {
  private static final Path CASES = Jdks.projectFolder().resolve("docs/evaluation/cases");
  private static final Pattern LINE = Pattern.compile("(?m)^/// (\\w+): (.*\\S)$");
  private static final Map<String, Set<String>> OF_KIND =
      Map.of(
          "pin", Set.of("holder", "advice", "proof"),
          "stands still", Set.of("names"),
          "healthy", Set.of("advice"));
  private static final Set<String> ALWAYS = Set.of("story", "java", "kind", "truth");

  /** Ways are separated by bars; what has to be done together is joined by a plus. */
  private static final Pattern ADVICE =
      Pattern.compile("(rewrite|pattern|upgrade|java|none)( [^|+]+)?");

  private static final Pattern RUN =
      Pattern.compile("run (Fixed|on Java (21|25)|with \\S+:\\S+:\\S+)\\b");

  static List<Path> cases() throws IOException {
    try (Stream<Path> files = Files.list(CASES)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theCaseSaysItsTruth(Path file) throws IOException {
    String source = Files.readString(file);
    String name = file.getFileName().toString().replace(".java", "");
    assertEquals("", problem(name, source));
  }

  /** Those for Java 21; what Java 25 added does not compile on every JDK that builds this. */
  @Test
  void theyCompile(@TempDir Path folder) throws IOException {
    List<Path> sources =
        cases().stream()
            .filter(file -> told(read(file)).get("java").contains("21"))
            .filter(file -> !told(read(file)).containsKey("needs"))
            .collect(Collectors.toCollection(ArrayList::new));
    sources.add(CASES.resolveSibling("Case.java"));
    Javac.compile(folder, sources);
    assertTrue(Files.exists(folder.resolve("Case.class")));
  }

  @Test
  void thereAreCasesOfEachKind() throws IOException {
    Set<String> kinds =
        cases().stream().map(file -> told(read(file)).get("kind")).collect(Collectors.toSet());
    assertEquals(OF_KIND.keySet(), kinds);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kind: pin|kind: slow|no kind of case: slow",
        "holder: Foo.bar|names: x|it lacks [holder]",
        "java: 21|java: 17|no Java that is known: 17",
        "truth: bytecode|who: me|it lacks [truth]",
        "advice: rewrite|advice: pray|no advice that is known: pray Foo",
        "proof: run Fixed|proof: run Mended|no proof that can be run: run Mended",
        "class Fixed|class Faster|it has no class Fixed",
        "Foo.bar|Other.bar|the holder is in no class of the case: Other.bar",
      })
  void aCaseWithoutItsTruthIsFound(String right, String wrong, String problem) {
    String source =
        """
        /// story: x
        /// java: 21
        /// kind: pin
        /// holder: Foo.bar
        /// truth: bytecode
        /// advice: rewrite Foo + pattern queue | java
        /// proof: run Fixed
        /// proof: JEP 491
        class Foo {
          void bar() {}
          static class Fixed {}
        }
        """;
    assertEquals("", problem("Foo", source));
    assertTrue(source.contains(right));
    assertEquals(problem, problem("Foo", source.replaceFirst(Pattern.quote(right), wrong)));
    assertFalse(problem("Bar", source).isEmpty());
  }

  /** What is wrong with a case, or nothing. */
  private static String problem(String name, String source) {
    Map<String, String> told = told(source);
    String kind = told.getOrDefault("kind", "none");
    if (!OF_KIND.containsKey(kind)) {
      return "no kind of case: " + kind;
    }
    List<String> missing =
        Stream.concat(ALWAYS.stream(), OF_KIND.get(kind).stream())
            .filter(line -> !told.containsKey(line))
            .sorted()
            .toList();
    if (!missing.isEmpty()) {
      return "it lacks " + missing;
    }
    for (String java : told.get("java").split(" ", -1)) {
      if (!Set.of("21", "25").contains(java)) {
        return "no Java that is known: " + java;
      }
    }
    for (String way : told.getOrDefault("advice", "none").split(" [|+] ", -1)) {
      if (!ADVICE.matcher(way).matches()) {
        return "no advice that is known: " + way;
      }
    }
    for (String proof : told.getOrDefault("proof", "none").split("\n", -1)) {
      if (proof.startsWith("run ") && !RUN.matcher(proof).lookingAt()) {
        return "no proof that can be run: " + proof;
      }
      if (proof.startsWith("run Fixed") && !source.contains("static class Fixed {")) {
        return "it has no class Fixed";
      }
    }
    for (String holder : told.getOrDefault("holder", name + ".x").split(" ", -1)) {
      boolean own = holder.startsWith(name + ".") || holder.startsWith(name + "$");
      if (!own && !holder.startsWith("java.") && !told.containsKey("needs")) {
        return "the holder is in no class of the case: " + holder;
      }
    }
    return source.contains("class " + name + " {") ? "" : "the class is not named " + name;
  }

  private static Map<String, String> told(String source) {
    return LINE.matcher(source)
        .results()
        .collect(
            Collectors.toMap(line -> line.group(1), line -> line.group(2), (a, b) -> a + "\n" + b));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
