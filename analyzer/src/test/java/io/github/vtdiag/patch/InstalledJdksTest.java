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
    Path javac = home.resolve("bin").resolve("javac");
    Files.createDirectories(javac.getParent());
    Files.writeString(home.resolve("release"), release);
    if (hasJavac) {
      Files.createFile(javac);
      assertTrue(javac.toFile().setExecutable(true));
    }
    return home;
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
