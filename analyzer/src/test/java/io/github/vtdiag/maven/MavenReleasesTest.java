package io.github.vtdiag.maven;

import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.pipeline.LibraryVersions;
import io.github.vtdiag.program.Coordinates;
import io.github.vtdiag.program.Owner;
import io.github.vtdiag.upgrade.Libraries;
import io.github.vtdiag.upgrade.MavenVersion;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sonatype.plexus.components.cipher.DefaultPlexusCipher;
import org.sonatype.plexus.components.cipher.PlexusCipherException;

/** Versions from a repository on loopback, by settings in a home folder of the test's own. */
final class MavenReleasesTest {
  private static final String PARK = "java.util.concurrent.locks.LockSupport.park();";
  private static final String FOLDER = "com/example/db/";

  @TempDir Path folder;
  private Path home;
  private RepositoryServer server;
  private byte[] taking;
  private byte[] free;

  @BeforeEach
  void serve() throws IOException {
    home = Files.createDirectories(folder.resolve("home"));
    server = new RepositoryServer();
    taking =
        RepositoryServer.jar(
            Libraries.compile(
                folder, "class Session { synchronized void query() { " + PARK + " } }"));
    free =
        RepositoryServer.jar(
            Libraries.compile(folder, "class Session { void query() { " + PARK + " } }"));
    server.put("com.example", "db", versions());
    settings(mirror(server.url()));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** 1.0 to 1.12 and 2.0 to 2.3; free since 1.7, but for 2.1. */
  private Map<String, byte[]> versions() {
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

  private static String mirror(String url) {
    return "<mirrors><mirror><id>ours</id><mirrorOf>*</mirrorOf><url>"
        + url
        + "</url></mirror></mirrors>";
  }

  private void settings(String content) throws IOException {
    Path file = home.resolve(".m2/settings.xml");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "<settings>" + content + "</settings>");
  }

  private Upgrade upgrade(Coordinates library, boolean offline) {
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

  private Upgrade upgrade(String version) {
    return upgrade(new Coordinates("com.example", "db", version), false);
  }

  private void said(Upgrade upgrade, String start, String end) {
    assertEquals(1, upgrade.notes().size(), upgrade.notes()::toString);
    String note = upgrade.notes().getFirst();
    assertTrue(note.startsWith(start) && note.endsWith(end), note);
    assertEquals(1, note.lines().count(), note);
  }

  private static String jar(String version) {
    return FOLDER + version + "/db-" + version + ".jar";
  }

  // What cannot be had is one sentence.

  @Test
  void aServerThatIsNotThere() {
    server.close();
    Upgrade upgrade = upgrade("1.0");
    assertEquals(List.of(), upgrade.checks());
    said(
        upgrade,
        "the versions of com.example:db are not known: ours (http://127.0.0.1:",
        "name newer jars with --candidate");
    assertTrue(upgrade.notes().getFirst().contains("cannot be reached"), upgrade::toString);
  }

  @Test
  void aPageInPlaceOfTheListOfVersions() {
    server.put(FOLDER + "maven-metadata.xml", RepositoryServer.bytes("<html>Sign in<br></html>"));
    said(
        upgrade("1.0"),
        "the versions of com.example:db are not known: a repository answered with something else",
        "--candidate");
  }

  @ParameterizedTest
  @CsvSource({"500,answered 500", "403,answered 403: it wants other credentials"})
  void aListThatIsRefused(int status, String said) {
    server.statuses.put(FOLDER + "maven-metadata.xml", status);
    Upgrade upgrade = upgrade("1.0");
    said(upgrade, "the versions of com.example:db are not known: ours", "--candidate");
    assertTrue(upgrade.notes().getFirst().contains(said), upgrade::toString);
  }

  @Test
  void aLibraryThatNoRepositoryHas() {
    said(
        upgrade(new Coordinates("com.example", "unheard-of", "1.0"), false),
        "the versions of com.example:unheard-of are not known: no repository has it (ours)",
        "--candidate");
  }

  @Test
  void aPageInPlaceOfAJarIsLeftOut() {
    server.put(jar("2.3"), RepositoryServer.bytes("<html>Sign in</html>"));
    Upgrade upgrade = upgrade("1.0");
    said(upgrade, "com.example:db 2.3 is no jar as its repository has it; delete ", "ask again");
    assertEquals(Optional.of("2.2"), upgrade.newest());
    assertEquals(Optional.of("1.7"), upgrade.firstFree());
  }

  @Test
  void aJarOfAnotherChecksumIsLeftOutAndNotKept() {
    server.files.put(jar("2.3"), taking);
    server.files.put(jar("2.3") + ".sha1", RepositoryServer.bytes("0".repeat(40)));
    Upgrade upgrade = upgrade("1.0");
    said(upgrade, "com.example:db 2.3 could not be had: ours", "than its checksum says");
    assertFalse(Files.exists(home.resolve(".m2/repository/" + jar("2.3"))));
    assertEquals(Optional.of("1.7"), upgrade.firstFree());
  }

  @Test
  void aJarThatIsMissingIsLeftOut() {
    server.files.remove(jar("2.3"));
    said(upgrade("1.0"), "com.example:db 2.3 could not be had: ours", "does not have it");
  }

  @Test
  void credentialsThatAreMissing() {
    server.credentials = "ada:secret";
    Upgrade upgrade = upgrade("1.0");
    assertTrue(
        upgrade.notes().getFirst().contains("answered 401: it wants other credentials"),
        upgrade::toString);
    assertFalse(upgrade.notes().getFirst().contains("secret"));
  }

  @Test
  void settingsThatCannotBeRead() throws IOException {
    settings("<mirrors>");
    said(upgrade("1.0"), home.resolve(".m2/settings.xml").toString(), "leave out --upgrades");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|1.0|the jar of db 1.0 does not tell its group id",
        "com.example|''|the jar of com.example:db does not tell its version",
        "com.example|[1.0,2.0)|the jar of com.example:db tells no single version ([1.0,2.0))"
      })
  void aLibraryThatIsNotKnownWellEnough(String group, String version, String said) {
    said(upgrade(new Coordinates(group, "db", version), false), said, "with --candidate");
    assertEquals(List.of(), List.copyOf(server.asked));
  }

  @Test
  void offlineNothingIsAsked() {
    Upgrade upgrade = upgrade(new Coordinates("com.example", "db", "1.0"), true);
    assertTrue(upgrade.notes().getFirst().contains("offline"), upgrade::toString);
    assertEquals(List.of(), List.copyOf(server.asked));
  }

  // What can.

  @Test
  void theFirstFreeVersionIsFetchedOnce() {
    Upgrade upgrade = upgrade("1.0");
    assertEquals(Optional.of("1.7"), upgrade.firstFree());
    assertEquals(Optional.of("2.3"), upgrade.newest());
    assertEquals(Optional.of("1.12"), upgrade.newestOfMajor());
    assertEquals(0, upgrade.unread());
    assertEquals(List.of(), upgrade.notes());
    assertEquals(server.jarsAsked(), upgrade.downloads());
    // The one that ran is among them: it is nowhere else here.
    assertTrue(upgrade.downloads() <= 7, upgrade::toString);
    assertTrue(
        upgrade.checks().stream().noneMatch(check -> MavenVersion.isEarly(check.version())),
        upgrade::toString);
    server.asked.clear();
    Upgrade again = upgrade("1.0");
    assertEquals(upgrade.checks(), again.checks());
    assertEquals(0, again.downloads());
    assertEquals(0, server.jarsAsked());
    server.asked.clear();
    Upgrade offline = upgrade(new Coordinates("com.example", "db", "1.0"), true);
    assertEquals(Optional.of("1.7"), offline.firstFree());
    assertEquals(List.of(), List.copyOf(server.asked));
  }

  @Test
  void aSnapshotIsCalledOne() {
    Upgrade upgrade = upgrade("1.5-SNAPSHOT");
    assertEquals(
        List.of(
            "com.example:db 1.5-SNAPSHOT is a snapshot: what ran may be another build of it than"
                + " the repository has"),
        upgrade.notes());
  }

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

  @Test
  void credentialsAreSentToTheirServerOnly() throws IOException {
    server.credentials = "ada:secret";
    settings(mirror(server.url()) + server("secret"));
    assertEquals(Optional.of("1.7"), upgrade("1.0").firstFree());
  }

  @Test
  void encryptedPasswordsAreRead() throws IOException, PlexusCipherException {
    server.credentials = "ada:secret";
    DefaultPlexusCipher cipher = new DefaultPlexusCipher();
    settings(mirror(server.url()) + server(cipher.encryptAndDecorate("secret", "master")));
    Files.writeString(
        home.resolve(".m2/settings-security.xml"),
        "<settingsSecurity><master>"
            + cipher.encryptAndDecorate("master", "settings.security")
            + "</master></settingsSecurity>");
    assertEquals(Optional.of("1.7"), upgrade("1.0").firstFree());
  }

  private static String server(String password) {
    return "<servers><server><id>ours</id><username>ada</username><password>"
        + password
        + "</password></server></servers>";
  }

  @Test
  void aRepositoryOfAProfileCanBeAFolder() throws IOException {
    Path files = folder.resolve("files");
    server.write(files);
    settings(
        "<localRepository>"
            + folder.resolve("kept")
            + "</localRepository><profiles><profile><id>p</id><repositories><repository><id>central"
            + "</id><url>"
            + files.toUri()
            + "</url></repository></repositories></profile></profiles><activeProfiles>"
            + "<activeProfile>p</activeProfile></activeProfiles>");
    assertEquals(Optional.of("1.7"), upgrade("1.0").firstFree());
    assertEquals(List.of(), List.copyOf(server.asked));
    assertTrue(Files.exists(folder.resolve("kept/" + jar("2.3"))));
  }

  @Test
  void mavensOptionsSayWhereTheLocalRepositoryIs() throws DataException {
    assertEquals(
        home.resolve(".m2/repository"), MavenSettings.read(home, Map.of()).localRepository());
    assertEquals(
        Path.of("/y"),
        MavenSettings.read(home, Map.of("MAVEN_OPTS", "-Xmx1g -Dmaven.repo.local=/y"))
            .localRepository());
  }
}
