package io.github.vtdiag.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.maven.LocalJars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LombokTest {
  private static final String PLAIN = "package shop; class Orders { synchronized void add() {} }";
  private static final String USING =
      "package shop;\nimport lombok.Synchronized;\nclass Orders { @Synchronized void add() {} }";

  @TempDir private Path repository;

  private Processors found(List<String> given, String source) {
    return Lombok.orItself(
        new Processors(given), List.of(source.getBytes(UTF_8)), new LocalJars(List.of(repository)));
  }

  private Path jar(String version) throws IOException {
    Path folder =
        Files.createDirectories(repository.resolve("org/projectlombok/lombok").resolve(version));
    return Files.createFile(folder.resolve("lombok-" + version + ".jar"));
  }

  @Test
  void nothingIsAddedThatNoSourceUsesOrThatTheBuildHas() throws IOException {
    assertEquals(List.of(), found(List.of(), USING).path());
    jar("1.18.30");
    assertEquals(List.of(), found(List.of(), PLAIN).path());
    assertEquals(List.of("own.jar"), found(List.of("own.jar"), USING).path());
  }

  /** No program carries it: the printed patch command found that its sources do not compile. */
  @Test
  void theNewestOfTheLocalRepositoryCompilesSourcesThatUseIt() throws IOException {
    jar("1.18.8");
    Path newest = jar("1.18.30");
    assertEquals(List.of(newest.toString()), found(List.of(), USING).path());
    assertEquals(
        List.of(newest.toString()), found(List.of(), "@lombok.Data class Order {}").path());
  }

  @Test
  void aMonitorThatItMadeIsReplacedByItsOwnLock() {
    assertEquals(Optional.empty(), Lombok.monitor(PLAIN));
    assertEquals(Optional.empty(), Lombok.monitor("import lombok.Data; @Data class Order {}"));
    assertTrue(Lombok.monitor(USING).orElseThrow().contains("write @Locked in its place"));
  }
}
