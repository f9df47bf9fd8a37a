package io.github.vtdiag.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.upgrade.MavenVersion;
import io.github.vtdiag.upgrade.Upgrade;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sonatype.plexus.components.cipher.DefaultPlexusCipher;
import org.sonatype.plexus.components.cipher.PlexusCipherException;

/** Versions from a repository on loopback. */
final class MavenReleasesTest extends ServedReleases {
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
