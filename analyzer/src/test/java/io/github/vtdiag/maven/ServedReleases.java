package io.github.vtdiag.maven;

import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pipeline.LibraryVersions;
import io.github.vtdiag.upgrade.Libraries;
import io.github.vtdiag.upgrade.Upgrade;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A library's versions in a repository on loopback, and settings in a home folder of the test's
 * own.
 */
abstract class ServedReleases {
  static final String PARK = "java.util.concurrent.locks.LockSupport.park();";
  static final String FOLDER = "com/example/db/";

  @TempDir Path folder;
  Path home;
  RepositoryServer server;
  Map<String, byte[]> takingClasses;
  Map<String, byte[]> freeClasses;
  byte[] taking;
  byte[] free;

  @BeforeEach
  void serve() throws IOException {
    home = Files.createDirectories(folder.resolve("home"));
    server = new RepositoryServer();
    takingClasses =
        Libraries.compile(folder, "class Session { synchronized void query() { " + PARK + " } }");
    freeClasses = Libraries.compile(folder, "class Session { void query() { " + PARK + " } }");
    taking = RepositoryServer.jar(takingClasses);
    free = RepositoryServer.jar(freeClasses);
    server.put("com.example", "db", versions());
    settings(mirror(server.url()));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** 1.0 to 1.12 and 2.0 to 2.3; free since 1.7, but for 2.1. */
  Map<String, byte[]> versions() {
    Map<String, byte[]> all = new LinkedHashMap<>();
    for (int i = 0; i <= 12; i++) {
      all.put("1." + i, i < 7 ? taking : free);
    }
    for (int i = 0; i <= 3; i++) {
      all.put("2." + i, i == 1 ? taking : free);
    }
    all.put("2.4-SNAPSHOT", taking);
    all.put("2.4-rc1", taking);
    return all;
  }

  static String mirror(String url) {
    return "<mirrors><mirror><id>ours</id><mirrorOf>*</mirrorOf><url>"
        + url
        + "</url></mirror></mirrors>";
  }

  void settings(String content) throws IOException {
    Path file = home.resolve(".m2/settings.xml");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "<settings>" + content + "</settings>");
  }

  Upgrade upgrade(Coordinates library, boolean offline) {
    Frame park = frame("java.lang.VirtualThread", "park", 7, 582);
    Frame session = frame("com.example.db.Session", "query", 0, 10);
    Pins pins =
        new Pins()
            .owner(session.type().name(), new Owner.Library(library, "gone/db.jar"))
            .pin(1, 50, stack(park, session), method(1, session));
    List<String> problems = new ArrayList<>();
    List<Upgrade> all =
        new LibraryVersions(
                pins.findings(), List.of(), KnownFixes.load(), problems::add, note -> {})
            .read(
                List.of(),
                Optional.of(of -> MavenRepositories.open(home, Map.of(), offline, 21).of(of)));
    assertEquals(List.of(), problems);
    assertEquals(1, all.size());
    return all.getFirst();
  }

  Upgrade upgrade(String version) {
    return upgrade(new Coordinates("com.example", "db", version), false);
  }

  void said(Upgrade upgrade, String start, String end) {
    assertEquals(1, upgrade.notes().size(), upgrade.notes()::toString);
    String note = upgrade.notes().getFirst();
    assertTrue(note.startsWith(start) && note.endsWith(end), note);
    assertEquals(1, note.lines().count(), note);
  }

  static String jar(String version) {
    return FOLDER + version + "/db-" + version + ".jar";
  }
}
