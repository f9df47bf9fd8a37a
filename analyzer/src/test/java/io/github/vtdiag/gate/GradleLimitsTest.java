package io.github.vtdiag.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The limits that the Gradle plugin's block takes; only a release compiles that plugin. */
final class GradleLimitsTest {
  private static final Path LIMITS =
      Jdks.projectFolder()
          .resolve("analyzer/gradle-plugin/src/main/java/io/github/vtdiag/gradleplugin")
          .resolve("GateLimits.java");

  @Test
  void thePluginHasTheLimitsOfTheGate() throws IOException {
    TreeSet<String> plugin =
        Pattern.compile("Property<String> get(\\w+)\\(\\);")
            .matcher(Files.readString(LIMITS))
            .results()
            .map(found -> found.group(1).replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
            .map(name -> "-" + name)
            .collect(Collectors.toCollection(TreeSet::new));
    TreeSet<String> gate =
        Measures.ALL.stream().map(Measure::option).collect(Collectors.toCollection(TreeSet::new));
    assertEquals(gate, plugin);
  }
}
