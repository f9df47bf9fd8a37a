package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the JDK locks is asked of those that run the classes, not of the one that runs vtdiag. */
class PatchForJdksIT {
  /** InputStream.mark and reset are synchronized up to Java 17. */
  private static final String TAPE =
      """
      package tape;

      class Tape extends java.io.InputStream {
        private int next;

        @Override
        public synchronized int read() {
          return next++;
        }
      }
      """;

  @TempDir private Path temporary;

  private Forked patch(Jdk jdk, int release, String... more) throws Exception {
    return patch(TAPE, jdk, release, more);
  }

  private Forked patch(String source, Jdk jdk, int release, String... more) throws Exception {
    Path folder = temporary.toRealPath();
    Path file = folder.resolve("src/tape/Tape.java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, source);
    String[] compile = {
      "--release",
      "" + release,
      "-g",
      "-nowarn",
      "-Xlint:-options",
      "-d",
      "" + folder.resolve("classes"),
      "" + file
    };
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, compile));
    List<String> arguments =
        new ArrayList<>(List.of("patch", "--all", "--classpath", "classes", "--sources", "src"));
    arguments.addAll(List.of(more));
    return CliJar.run(jdk, folder, arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @EitherJdk
  void theOldestThatCanRunTheClassesCounts(Jdk jdk) throws Exception {
    Forked old = patch(jdk, 8);
    assertEquals("", old.out());
    assertTrue(old.err().contains("java.io.InputStream"), old.err());
    assertTrue(
        old.err()
            .contains(
                "These classes can run on Java 8 and later. Objects that one of these JDKs locks"
                    + " keep their monitors (known for Java 11 and later); name the JDK that runs"
                    + " the classes with --jdk"),
        old.err());
    assertEquals("", patch(jdk, 17).out());
    assertTrue(patch(jdk, 21).err().contains("patched 1 lock"));
  }

  /** Its mark and reset were synchronized up to Java 17. */
  @ParameterizedTest
  @EnumSource
  void jsonTellsTheOldestThatCounts(Jdk jdk) throws Exception {
    String source =
        TAPE.replace("InputStream {", "FilterInputStream {\n  Tape() { super(null); }\n");
    JsonNode old = json(patch(source, jdk, 8, "--json"));
    assertEquals(8, old.path("oldestJdk").asInt());
    assertEquals("JDK_LOCKS", old.at("/declined/0/rung").asText(), old::toPrettyString);
    assertTrue(old.at("/declined/0/reason").asText().contains("FilterInputStream"));
    assertEquals(21, json(patch(source, jdk, 8, "--json", "--jdk", "21")).at("/oldestJdk").asInt());
    JsonNode one = json(patch(source, jdk, 8, "--json", "--jdk", Jdk.JAVA_25.home().toString()));
    assertTrue(one.path("oldestJdk").isNull(), one::toPrettyString);
    assertEquals(1, one.path("locks").size());
  }

  private static JsonNode json(Forked ran) throws Exception {
    return new ObjectMapper().readTree(ran.out());
  }

  @ParameterizedTest
  @EnumSource
  void theUserSaysWhichRuns(Jdk jdk) throws Exception {
    assertTrue(patch(jdk, 8, "--jdk", "21").err().startsWith("vtdiag: patched 1 lock"));
    assertTrue(patch(jdk, 8, "--jdk", Jdk.JAVA_25.home().toString()).err().contains("patched 1"));
    assertEquals("", patch(jdk, 21, "--jdk", "17").out());
    Forked wrong = patch(jdk, 8, "--jdk", "nowhere");
    assertEquals("vtdiag: nowhere is not the home of a JDK 9 or later; check --jdk\n", wrong.err());
    assertEquals(3, wrong.exitCode());
  }
}
