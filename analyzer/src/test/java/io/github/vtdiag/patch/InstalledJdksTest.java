package io.github.vtdiag.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstalledJdksTest {
  @TempDir private Path folder;

  private Path home(String name, String release, boolean hasJavac) throws IOException {
    Path home = folder.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), release);
    if (hasJavac) {
      program(home, "javac");
    }
    return home;
  }

  private static Path program(Path home, String name) throws IOException {
    Path file = Files.createFile(home.resolve("bin").resolve(name));
    assertTrue(file.toFile().setExecutable(true));
    return home;
  }

  @Test
  void noOtherReleaseRunsWhatWasRecorded() throws IOException {
    List<Path> homes =
        List.of(
            folder.resolve("nowhere"),
            home("compiler", "JAVA_VERSION=\"21.0.8\"", true),
            program(home("old", "JAVA_VERSION=\"17.0.2\"", false), "java"),
            program(home("new", "JAVA_VERSION=\"25.0.3\"", false), "java"),
            program(home("odd", "JAVA_VERSION=\"\"", false), "java"));
    assertEquals(Optional.empty(), InstalledJdks.like(homes, "21.0.8+9-LTS"));
    assertEquals(Optional.empty(), InstalledJdks.like(homes, ""));
    assertEquals(Optional.of(homes.get(2)), InstalledJdks.like(homes, "17.0.10+7"));
  }

  @Test
  void theRecordedVersionGoesBeforeOthersOfItsRelease() throws IOException {
    Path other = program(home("other", "JAVA_VERSION=\"21.0.2\"", true), "java");
    Path same = program(home("same", "JAVA_VERSION=\"21.0.8\"", false), "java");
    assertEquals(Optional.of(same), InstalledJdks.like(List.of(other, same), "21.0.8+9-LTS"));
    assertEquals(Optional.of(other), InstalledJdks.like(List.of(other, same), "21+35"));
  }

  @Test
  void whatCannotCompileIsPassedOver() throws IOException {
    List<Path> homes =
        List.of(
            folder.resolve("nowhere"),
            home("runtime", "JAVA_VERSION=\"25\"", false),
            home("old", "JAVA_VERSION=\"17.0.2\"", true),
            home("unnamed", "IMPLEMENTOR=\"nobody\"", true),
            home("odd", "JAVA_VERSION=\"twenty-five\"", true));
    assertEquals(Optional.empty(), InstalledJdks.find(homes, 21));
    assertEquals(Optional.of(homes.get(2)), InstalledJdks.find(homes, 17));
  }

  @Test
  void thoseThatRunAVersionFromTheOldestOn() throws IOException {
    List<Path> homes = new ArrayList<>();
    for (String version : List.of("28-ea", "17.0.2", "21.0.8", "25.0.3", "21.0.9")) {
      Path home = home(version, "JAVA_VERSION=\"" + version + "\"", true);
      Path java = Files.createFile(home.resolve("bin").resolve("java"));
      assertTrue(java.toFile().setExecutable(true));
      homes.add(home);
    }
    homes.add(home("compilerOnly", "JAVA_VERSION=\"22\"", true));
    assertEquals(
        List.of("21.0.8", "25.0.3", "28-ea"),
        InstalledJdks.running(homes, 21).stream()
            .map(home -> home.getFileName().toString())
            .toList());
    assertEquals(List.of(), InstalledJdks.running(homes, 29));
  }

  @Test
  void theFirstThatKnowsTheVersionIsTaken() throws IOException {
    Path old = home("old", "JAVA_VERSION=\"17.0.2\"", true);
    Path first = home("first", "JAVA_VERSION=\"21.0.8\"", true);
    Path early = home("early", "JAVA_VERSION=\"28-ea\"", true);
    assertEquals(Optional.of(first), InstalledJdks.find(List.of(old, first, early), 21));
    assertEquals(Optional.of(early), InstalledJdks.find(List.of(old, first, early), 28));
  }
}
