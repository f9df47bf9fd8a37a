package io.github.vtdiag.cli;

import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UsualSourcesTest {
  private static final Owner APPLICATION = new Owner.Application("classes");
  private static final Owner LIBRARY =
      new Owner.Library(new Coordinates("org.lib", "lib", "1.0"), "lib.jar");

  @TempDir private Path here;

  private Path maven() throws IOException {
    for (String language : List.of("java", "kotlin", "scala", "groovy")) {
      Files.createDirectories(here.resolve("src/main").resolve(language));
    }
    return here;
  }

  private static Findings orders() {
    Frame orders = of("com.example.Orders$Line", "Orders.java");
    Pins pins = new Pins().owner(orders.type().name(), APPLICATION);
    return pins.pin(
            1,
            50,
            stack(frame("java.lang.VirtualThread", "park", 7, 582), orders),
            method(1, orders))
        .findings();
  }

  @Test
  void aFolderThatDoesNotExistIsNotNamed() throws IOException {
    assertEquals(List.of(), UsualSources.foldersOf(orders(), here));
    Files.createDirectories(here.resolve("src/com/example"));
    // Other sources.
    Files.createFile(here.resolve("src/com/example/Other.java"));
    assertEquals(List.of(), UsualSources.foldersOf(orders(), here));
    assertEquals(List.of(), UsualSources.foldersOf(new Pins().findings(), here));
  }

  @Test
  void sourcesCanBeDirectlyInSrc() throws IOException {
    Files.createDirectories(here.resolve("src/com/example"));
    Files.createFile(here.resolve("src/com/example/Orders.java"));
    assertEquals(List.of("src"), UsualSources.foldersOf(orders(), here));
    maven();
    assertEquals(List.of("src/main/java"), UsualSources.foldersOf(orders(), here));
  }

  private final Frame park = frame("java.lang.VirtualThread", "park", 7, 582);

  private static Frame of(String className, String file) {
    return frame(className, "run", 3, 10).withSource(file);
  }

  @ParameterizedTest
  @CsvSource({
    "Orders.java, src/main/java",
    "Orders.kt, src/main/kotlin",
    "Shop.kt, src/main/kotlin",
    "Orders.scala, src/main/scala",
    "Orders.groovy, src/main/groovy",
    ", src/main/java"
  })
  void theFolderIsThatOfTheLanguage(String file, String folder) throws IOException {
    Frame orders = of("com.example.Orders", file);
    Pins pins = new Pins().owner(orders.type().name(), APPLICATION);
    pins.pin(1, 50, stack(park, orders), method(1, orders));
    assertEquals(List.of(folder), UsualSources.foldersOf(pins.findings(), maven()));
  }

  /** Of several modules, that of the class, also beside the one from which vtdiag is started. */
  @Test
  void aModuleHasFoldersOfItsOwn() throws IOException {
    Path store = here.resolve("store");
    Path web = here.resolve("web");
    Files.createDirectories(store.resolve("src/main/java/com/example"));
    Files.createFile(store.resolve("src/main/java/com/example/Orders.java"));
    Files.createDirectories(web.resolve("src/main/java"));
    for (String built :
        List.of(
            "target/classes",
            "target/store-1.0.jar",
            "build/libs/store.jar",
            "build/classes/java/main")) {
      assertEquals(List.of("store/src/main/java"), folders("store/" + built, here));
      assertEquals(List.of("store/src/main/java"), folders(store.resolve(built).toString(), here));
      assertEquals(List.of("../store/src/main/java"), folders("../store/" + built, web));
      assertEquals(List.of("src/main/java"), folders(built, store));
    }
    // Its file is not there: that of the folder from which vtdiag is started, as far as it exists.
    assertEquals(List.of("src/main/java"), folders("../other/target/classes", web));
    assertEquals(List.of("src/main/java"), folders("../web/target/classes", web));
    assertEquals(List.of(), folders("web/target/classes", here));
    assertEquals(List.of(), folders("store/lib/store.jar", here));
  }

  private static List<String> folders(String location, Path here) {
    Frame orders = of("com.example.Orders", "Orders.java");
    Pins pins = new Pins().owner(orders.type().name(), new Owner.Application(location));
    Frame park = frame("java.lang.VirtualThread", "park", 7, 582);
    return UsualSources.foldersOf(
        pins.pin(1, 50, stack(park, orders), method(1, orders)).findings(), here);
  }

  @Test
  void aLibraryInKotlinIsNotTheUsers() throws IOException {
    Frame library = of("org.lib.Client", "Client.kt");
    Frame orders = of("com.example.Orders", "Orders.java");
    Pins pins = new Pins().owner(library.type().name(), LIBRARY);
    pins.owner(orders.type().name(), APPLICATION);
    pins.pin(1, 50, stack(park, library, orders), method(1, library));
    assertEquals(List.of("src/main/java"), UsualSources.foldersOf(pins.findings(), maven()));
  }

  @Test
  void twoLanguagesHaveTwoFolders() throws IOException {
    Frame main = of("com.example.Main", "Main.kt");
    Frame orders = of("com.example.Orders", "Orders.java");
    Pins pins = new Pins().owner(main.type().name(), APPLICATION);
    pins.owner(orders.type().name(), APPLICATION);
    pins.pin(1, 50, stack(park, orders), method(1, orders));
    pins.pin(1, 40, stack(park, main), method(1, main));
    assertEquals(
        List.of("src/main/java", "src/main/kotlin"),
        UsualSources.foldersOf(pins.findings(), maven()));
  }

  @Test
  void withoutPinsTheyAreJavas() throws IOException {
    assertEquals(List.of("src/main/java"), UsualSources.foldersOf(new Pins().findings(), maven()));
  }
}
