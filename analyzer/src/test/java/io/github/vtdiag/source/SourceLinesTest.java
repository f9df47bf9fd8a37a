package io.github.vtdiag.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Pins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SourceLinesTest {
  @TempDir private Path temporary;
  private Path top;

  @BeforeEach
  void sources() throws IOException {
    top = temporary.toRealPath();
    write("app/src/shop/Stock.java", "package shop;\n\nclass Stock {}\n\nclass Shelf {}\n");
    write("app/src/shop/Till.kt", "package shop\n\nclass Till\n");
    write("lib/src/shop/Stock.java", "package shop;\n");
    write("lib/src/shop/Price.java", "package shop;\n\nclass Price {}");
  }

  private void write(String file, String text) throws IOException {
    Path path = top.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private SourceLines lines() throws IOException {
    return SourceLines.of(
        new SourceFolders(List.of(top.resolve("app/src"), top.resolve("lib/src"))),
        top.resolve("app"));
  }

  private Optional<String> spot(String className, int line) throws IOException {
    return lines().of(className, line).map(place -> place.path() + ":" + place.line());
  }

  /** Of a project the source folders of its modules are searched, and nothing that is built. */
  @Test
  void aProjectHasTheSourcesOfItsModules() throws IOException {
    write("shop/core/src/main/java/shop/Core.java", "package shop;\n\nclass Core {}\n");
    write("shop/web/src/main/kotlin/shop/Web.kt", "package shop\n\nclass Web\n");
    write("shop/web/src/test/java/shop/WebTest.java", "package shop;\n\nclass WebTest {}\n");
    write("shop/web/target/src/main/java/shop/Made.java", "package shop;\n\nclass Made {}\n");
    SourceFolders project = new SourceFolders(List.of(top.resolve("shop")));
    assertEquals(
        List.of(top.resolve("shop/core/src/main/java"), top.resolve("shop/web/src/main/kotlin")),
        project.roots());
    assertTrue(project.hasSourceOf("shop.Core"));
    assertFalse(project.hasSourceOf("shop.WebTest"));
    assertEquals(
        List.of(top.resolve("app/src")),
        new SourceFolders(List.of(top.resolve("app/src"))).roots());
  }

  @Test
  void whoHasNoSourcesGetsNoPlace() {
    assertEquals(Optional.empty(), SourceLines.NONE.of(Pins.frame("shop.Stock", "count", 1, 3)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "shop.",
        "shop.Other",
        "other.Stock",
        "Stock",
        "shop..Stock",
        "shop/../shop/Stock\u0000",
        "shop.\u0000",
        "shop.\ud800",
        "/etc.passwd",
        "..........etc.passwd"
      })
  void aClassThatIsNotThereHasNoPlace(String className) throws IOException {
    assertEquals(Optional.empty(), spot(className, 1));
  }

  @Test
  void aNameThatNoFileCanHaveHasNoPlace() throws IOException {
    assertEquals(Optional.empty(), spot("shop." + "x".repeat(10_000), 1));
  }

  @ParameterizedTest
  @CsvSource({
    // Edited since, or never known.
    "shop.Stock, 6, src/shop/Stock.java:0",
    "shop.Stock, -1, src/shop/Stock.java:0",
    "shop.Stock, 5, src/shop/Stock.java:5",
    "shop.Stock$1, 3, src/shop/Stock.java:3",
    "shop.Stock$$Lambda, 3, src/shop/Stock.java:3",
    "shop.Shelf, 5, src/shop/Stock.java:5",
    "shop.Shelf$Row, 5, src/shop/Stock.java:5",
    "shop.Till, 3, src/shop/Till.kt:3",
    "shop.TillKt, 3, src/shop/Till.kt:3",
    "shop.Till$Companion, 3, src/shop/Till.kt:3"
  })
  void aClassIsInItsFile(String className, int line, String place) throws IOException {
    assertEquals(Optional.of(place), spot(className, line));
  }

  @Test
  void outsideTheCurrentFolderAPathIsWhole() throws IOException {
    assertEquals(Optional.of(top.resolve("lib/src/shop/Price.java") + ":3"), spot("shop.Price", 3));
  }

  @Test
  void inARepositoryPathsStartAtItsTop() throws IOException {
    Files.createDirectory(top.resolve(".git"));
    assertEquals(Optional.of("lib/src/shop/Price.java:3"), spot("shop.Price", 3));
    // A linked work tree has a file there.
    Files.delete(top.resolve(".git"));
    Files.writeString(top.resolve(".git"), "gitdir: elsewhere\n");
    assertEquals(Optional.of("app/src/shop/Stock.java:3"), spot("shop.Stock", 3));
  }
}
