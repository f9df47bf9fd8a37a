package io.github.vtdiag.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The files that only GitHub and Maven's wrapper read. */
class RepositoryFilesTest {
  private static final Path TOP = Jdks.projectFolder();

  @Test
  void everyFileOfGithubsIsYaml() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(TOP.resolve(".github"))) {
      files = all.filter(file -> file.toString().endsWith(".yml")).toList();
    }
    assertTrue(files.size() >= 6, files.toString());
    for (Path file : files) {
      try (Reader in = Files.newBufferedReader(file)) {
        assertInstanceOf(Map.class, new Yaml().load(in), file.toString());
      }
    }
  }

  /** A step runs a script only by a name that is there. */
  @Test
  void theWorkflowsRunScriptsThatExist() throws IOException {
    try (Stream<Path> all = Files.list(TOP.resolve(".github/workflows"))) {
      for (Path file : all.toList()) {
        for (String line : Files.readAllLines(file)) {
          if (line.strip().startsWith("- run: ")) {
            String script = line.strip().substring("- run: ".length()).split(" ", -1)[0];
            assertTrue(Files.isExecutable(TOP.resolve(script)), file + ": " + line);
          }
        }
      }
    }
  }

  @Test
  void whoReportsAFaultIsAskedWithWhatItHappened() throws IOException {
    String template = Files.readString(TOP.resolve(".github/ISSUE_TEMPLATE/bug.yml"));
    for (String asked : List.of("vtdiag --version", "vtdiag analyze RECORDING -v", "jfr summary")) {
      assertTrue(template.contains(asked), asked);
    }
  }

  @Test
  void theWrapperChecksWhatItFetches() throws IOException {
    Properties properties = new Properties();
    try (InputStream in =
        Files.newInputStream(TOP.resolve(".mvn/wrapper/maven-wrapper.properties"))) {
      properties.load(in);
    }
    assertEquals("only-script", properties.getProperty("distributionType"));
    assertTrue(properties.getProperty("distributionSha256Sum", "").matches("[0-9a-f]{64}"));
    assertTrue(
        properties.getProperty("distributionUrl").startsWith("https://repo.maven.apache.org/"));
    assertTrue(Files.isExecutable(TOP.resolve("mvnw")));
  }
}
