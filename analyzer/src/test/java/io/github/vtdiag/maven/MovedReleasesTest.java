package io.github.vtdiag.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.upgrade.Upgrade;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Versions that are somewhere else than their library, or earlier than their number says. */
final class MovedReleasesTest extends ServedReleases {
  @Test
  void aLibraryThatMovedIsFollowed() {
    server.put("com.example", "old-db", Map.of("1.0", taking, "1.5", taking));
    server.put(
        "com/example/old-db/1.5/old-db-1.5.pom",
        RepositoryServer.pom(
            "com.example",
            "old-db",
            "1.5",
            "<distributionManagement><relocation><artifactId>db</artifactId></relocation>"
                + "</distributionManagement>"));
    Upgrade upgrade = upgrade(new Coordinates("com.example", "old-db", "1.0"), false);
    assertEquals("com.example:db", upgrade.takenFrom());
    assertEquals(Optional.of("1.7"), upgrade.firstFree());
    assertEquals(List.of("com.example:old-db has moved to com.example:db"), upgrade.notes());
  }

  /** The list of versions is as commons-dbcp's: to Maven the date is the newest. */
  @Test
  void aDateIsNotTakenForTheNewest() {
    server.put("com.example", "db", Map.of("1.2", taking, "1.4", free, "20030825.184428", free));
    Upgrade upgrade = upgrade("1.2");
    assertEquals(Optional.of("1.4"), upgrade.newest());
    assertEquals(Optional.of("1.4"), upgrade.firstFree());
    said(upgrade, "20030825.184428 is a date, and left out", "came later");
    assertTrue(server.asked.stream().noneMatch(path -> path.contains("2003")));
  }

  @Test
  void theDaysOfTheJarsSayWhatCameFirst() {
    server.put(
        "com.example",
        "db",
        Map.of(
            "1.9",
            RepositoryServer.jar(takingClasses, LocalDate.of(2020, 4, 27)),
            "2.0",
            RepositoryServer.jar(freeClasses, LocalDate.of(2018, 4, 19)),
            "2.1",
            RepositoryServer.jar(freeClasses, LocalDate.of(2021, 1, 1))));
    Upgrade upgrade = upgrade("1.9");
    assertEquals(Optional.of("2.1"), upgrade.firstFree());
    said(upgrade, "com.example:db 2.0 is older than 1.9 (built on 2020-04-27)", "and left out");
  }

  /** As okhttp 5: an empty jar, and Gradle's metadata say where the classes are. */
  @Test
  void gradlesMetadataAreFollowedToTheClassesForAJvm() {
    server.put("com.example", "db", Map.of("1.0", taking, "2.0", empty(), "2.1", empty()));
    server.put("com.example", "db-jvm", Map.of("2.0", taking, "2.1", free));
    gradle("db", "2.0");
    gradle("db", "2.1");
    Upgrade upgrade = upgrade("1.0");
    assertEquals(Optional.of("2.1"), upgrade.firstFree());
    assertEquals("com.example:db", upgrade.takenFrom());
    assertEquals("com.example:db-jvm", upgrade.check("2.1").orElseThrow().library());
    assertEquals(
        List.of("the classes of com.example:db 2.1 are in com.example:db-jvm"), upgrade.notes());
  }

  /** An empty jar is fetched once, and never more than ten jars. */
  @Test
  void manyVersionsInAnotherModuleAreFoundWithFewJars() {
    Map<String, byte[]> stubs = new LinkedHashMap<>();
    Map<String, byte[]> jars = new LinkedHashMap<>();
    stubs.put("1.0", taking);
    for (int i = 0; i < 300; i++) {
      stubs.put("2." + i, empty());
      jars.put("2." + i, i < 77 ? taking : free);
    }
    server.put("com.example", "db", stubs);
    server.put("com.example", "db-jvm", jars);
    stubs.keySet().stream().skip(1).forEach(version -> gradle("db", version));
    Upgrade upgrade = upgrade("1.0");
    assertTrue(upgrade.firstFree().isPresent());
    assertTrue(upgrade.checks().size() >= 8, upgrade::toString);
    assertTrue(server.jarsAsked() <= 10, () -> server.jarsAsked() + " jars");
    assertEquals(server.jarsAsked(), upgrade.downloads());
  }

  @Test
  void metadataThatNameNoOtherModuleLeaveItEmpty() {
    server.put("com.example", "db", Map.of("1.0", taking, "1.5", free, "2.1", empty()));
    Upgrade upgrade = upgrade("1.0");
    assertEquals(Optional.of("1.5"), upgrade.firstFree());
    said(upgrade, "com.example:db 2.1 has no classes", "and is left out");
    marked("db", "2.1");
    server.put(
        FOLDER + "2.1/db-2.1.module",
        RepositoryServer.bytes(
            "{\"formatVersion\":\"1.1\",\"variants\":[{\"name\":\"a\",\"files\":[{\"url\":\"x\"}]},"
                + "{\"attributes\":{\"org.gradle.category\":\"documentation\","
                + "\"org.jetbrains.kotlin.platform.type\":\"jvm\"},"
                + at("db-javadoc", "2.1")
                + "}]}"));
    said(upgrade("1.0"), "com.example:db 2.1 has no classes", "and is left out");
  }

  @Test
  void metadataThatCannotBeReadAreSaid() {
    server.put("com.example", "db", Map.of("1.0", taking, "2.1", empty()));
    marked("db", "2.1");
    server.put(FOLDER + "2.1/db-2.1.module", RepositoryServer.bytes("<html>Sign in</html>"));
    Upgrade upgrade = upgrade("1.0");
    assertEquals(List.of(), upgrade.checks());
    assertEquals(2, upgrade.notes().size(), upgrade.notes()::toString);
    assertTrue(
        upgrade.notes().getFirst().endsWith("db-2.1.module is no metadata of Gradle"),
        upgrade.notes()::toString);
  }

  /** A POM of a version in the middle may name another library, with or without a jar. */
  @Test
  void theRelocationOfAnyVersionIsFollowed() {
    server.put("com.example", "db", Map.of("1.0", taking, "1.5", taking, "1.6", free));
    server.put("com.example", "db-core", Map.of("1.5", free));
    server.files.remove(jar("1.5"));
    server.put(
        FOLDER + "1.5/db-1.5.pom",
        RepositoryServer.pom(
            "com.example",
            "db",
            "1.5",
            "<distributionManagement><relocation><artifactId>db-core</artifactId></relocation>"
                + "</distributionManagement>"));
    Upgrade upgrade = upgrade("1.0");
    assertEquals(Optional.of("1.5"), upgrade.firstFree());
    assertEquals("com.example:db-core", upgrade.check("1.5").orElseThrow().library());
    assertEquals("com.example:db", upgrade.check("1.6").orElseThrow().library());
  }

  @Test
  void aRelocationToItselfEnds() {
    server.put("com.example", "db", Map.of("1.0", taking, "1.5", empty()));
    server.put(
        FOLDER + "1.5/db-1.5.pom",
        RepositoryServer.pom(
            "com.example",
            "db",
            "1.5",
            "<distributionManagement><relocation><artifactId>db</artifactId></relocation>"
                + "</distributionManagement>"));
    said(upgrade("1.0"), "com.example:db 1.5 has no classes", "and is left out");
  }

  private static byte[] empty() {
    return RepositoryServer.jar(Map.of());
  }

  private void marked(String artifact, String version) {
    server.put(
        "com/example/" + artifact + "/" + version + "/" + artifact + "-" + version + ".pom",
        RepositoryServer.pom(
            "com.example", artifact, version, "<!-- published-with-gradle-metadata -->"));
  }

  private static String at(String module, String version) {
    return "\"available-at\":{\"url\":\"../x.module\",\"group\":\"com.example\",\"module\":\""
        + module
        + "\",\"version\":\""
        + version
        + "\"}";
  }

  /** For Android, then for the JVM: to compile with, its sources, and to run with. */
  private void gradle(String artifact, String version) {
    marked(artifact, version);
    String android =
        "\"org.gradle.jvm.environment\":\"android\",\"org.gradle.usage\":\"java-runtime\"";
    String jvm = "\"org.gradle.jvm.environment\":\"standard-jvm\",\"org.gradle.usage\":";
    server.put(
        "com/example/" + artifact + "/" + version + "/" + artifact + "-" + version + ".module",
        RepositoryServer.bytes(
            "{\"component\":{\"attributes\":{\"org.gradle.status\":\"release\"}},\"variants\":["
                + "{\"attributes\":{"
                + android
                + "},"
                + at(artifact + "-android", version)
                + "},{\"attributes\":{\"org.gradle.category\":\"documentation\","
                + jvm
                + "\"java-runtime\"},"
                + at(artifact + "-sources", version)
                + "},{\"attributes\":{"
                + jvm
                + "\"java-api\"},\"dependencies\":[{\"group\":\"x\"}]},{\"attributes\":{"
                + jvm
                + "\"java-runtime\",\"org.example.level\":17},"
                + at(artifact + "-jvm", version)
                + "}]}"));
  }
}
