package io.github.vtdiag.pipeline;

import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.advice.Advised;
import io.github.vtdiag.advice.Advisor;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.advice.Recommendation.UpgradeJdk;
import io.github.vtdiag.advice.Recommendation.UpgradeLibrary;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.maven.LocalJars;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.testing.Jdks;
import io.github.vtdiag.upgrade.Upgrade;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MySQL's real driver in local repositories: its line of the known fixes names three classes. */
final class ListedVersionsTest {
  private static final String NAME = "mysql-connector-j";
  private static final String ROWS = "com.mysql.cj.jdbc.result.ResultSetImpl";

  @TempDir Path folder;

  /** Puts a jar where Maven does. */
  private Path install(String version) throws IOException {
    return copy(version, folder.resolve("com/mysql/" + NAME + "/" + version));
  }

  private static Path copy(String version, Path into) throws IOException {
    String name = NAME + "-" + version + ".jar";
    Path jar = Jdks.projectFolder().resolve("analyzer/target/listed").resolve(name);
    Files.createDirectories(into);
    return Files.copy(jar, into.resolve(name));
  }

  private static Findings findings(String version, String type, String location) {
    Frame park = Pins.frame("java.lang.VirtualThread", "park", 7, 582);
    Frame held = Pins.frame(type, "next", 0, 10);
    return new Pins()
        .owner(type, new Owner.Library(new Coordinates("com.mysql", NAME, version), location))
        .pin(1, 50, stack(park, held), method(1, held))
        .findings();
  }

  private List<Upgrade> read(Findings findings) {
    return new LibraryVersions(findings, List.of(), KnownFixes.load(), problem -> {}, note -> {})
        .readListed(new LocalJars(List.of(folder)));
  }

  private static Advised advise(Findings findings, List<Upgrade> read) {
    return Advisor.advise(
            findings, KnownFixes.load().withRead(read), Advisor::unknown, type -> false)
        .advised()
        .getFirst();
  }

  @Test
  void aVersionThatIsNotAtHandIsNotRead() throws Exception {
    install("8.4.0");
    Files.createDirectories(folder.resolve("com/mysql/" + NAME + "/9.0.0")); // only its POM
    Findings findings = findings("8.4.0", ROWS, "gone.jar");
    assertEquals(List.of(), read(findings));
    Advised advised = advise(findings, List.of());
    assertInstanceOf(UpgradeJdk.class, advised.recommendation());
    assertTrue(advised.reason().endsWith("is among them: --upgrades"), advised::reason);
  }

  @ParameterizedTest
  @CsvSource({
    "8.4.0,com.mysql.cj.jdbc.StatementImpl", // the line tells
    "9.0.0,com.mysql.cj.jdbc.result.ResultSetImpl" // no later version is listed
  })
  void whatTheListTellsIsNotRead(String version, String type) throws Exception {
    install("9.0.0");
    assertEquals(List.of(), read(findings(version, type, "gone.jar")));
  }

  @Test
  void aJarThatIsNoneIsPassedOver() throws Exception {
    Files.writeString(install("9.0.0"), "no jar");
    assertEquals(List.of(), read(findings("8.4.0", ROWS, "gone.jar")));
  }

  private void assertUpgraded(Findings findings) {
    List<Upgrade> read = read(findings);
    assertEquals(1, read.size());
    assertEquals(0, read.getFirst().downloads());
    Advised advised = advise(findings, read);
    UpgradeLibrary upgrade =
        assertInstanceOf(UpgradeLibrary.class, advised.recommendation(), advised::reason);
    assertEquals("9.0.0", upgrade.to());
    assertEquals(advised.finding().total(), advised.effect().ofFinding().upTo());
    assertTrue(
        advised
            .reason()
            .endsWith(
                "in 9.0.0 the monitor on these stacks is not taken any more (read from its classes,"
                    + " not run)"),
        advised::reason);
  }

  @Test
  void theListedVersionInTheUsersRepositoryIsRead() throws Exception {
    install("9.0.0");
    assertUpgraded(findings("8.4.0", ROWS, "gone.jar"));
  }

  @Test
  void soIsTheOneBesideTheJarThatRanInGradlesCache() throws Exception {
    Path cache = folder.resolve("files-2.1/com.mysql").resolve(NAME);
    copy("9.0.0", cache.resolve("9.0.0/0a1b2c"));
    Path ran = copy("8.4.0", cache.resolve("8.4.0/3d4e5f"));
    assertUpgraded(findings("8.4.0", ROWS, ran.toString()));
  }

  @Test
  void soIsTheOneBesideTheJarThatRanInAnotherRepository() throws Exception {
    Path other = folder.resolve("other/com/mysql").resolve(NAME);
    copy("9.0.0", other.resolve("9.0.0"));
    Path ran = copy("8.4.0", other.resolve("8.4.0"));
    assertUpgraded(findings("8.4.0", ROWS, ran.toString()));
  }
}
