package io.github.vtdiag.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The release is what Central takes, and says what is in it. */
final class BundleIT {
  private static final Pattern COMPONENT =
      Pattern.compile("\"purl\" : \"pkg:maven/([^@\"]+)@([^?\"]+)");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<name>vtdiag core</name>||no <name>",
        "<description>.*?</description>||no <description>",
        "<licenses>.*</licenses>||no <licenses/license/name>",
        "<developers>.*</developers>||no <developers/developer/name>",
        "<scm.*</scm>||no <scm/connection>",
        "vtdiag-core<|vtdiag<|another artifactId",
        "<version>[^<]*</version>|<version>1-SNAPSHOT</version>|a snapshot",
        "<modelVersion>|<parent/><modelVersion>|a parent, which is not published"
      })
  void aPomThatLacksWhatCentralWantsIsAProblem(String pattern, String replacement, String problem)
      throws IOException {
    Path pom = copy().resolve("vtdiag-core-" + Released.VERSION + ".pom");
    Files.writeString(
        pom,
        Pattern.compile(pattern, Pattern.DOTALL)
            .matcher(Files.readString(pom))
            .replaceFirst(replacement == null ? "" : replacement));
    assertTrue(
        CentralRules.problems(folder).stream().anyMatch(found -> found.endsWith(problem)),
        () -> problem + " is not among " + problems());
  }

  @ParameterizedTest
  @ValueSource(strings = {".jar", "-sources.jar", "-javadoc.jar", ".pom.sha1", ".jar.md5"})
  void aFileThatIsMissingIsAProblem(String rest) throws IOException {
    Files.delete(copy().resolve("vtdiag-core-" + Released.VERSION + rest));
    assertEquals(1, CentralRules.problems(folder).size(), () -> problems().toString());
  }

  @Test
  void aFileThatWasChangedOrIsNotSignedIsAProblem() throws IOException {
    Path jar = copy().resolve("vtdiag-core-" + Released.VERSION + ".jar");
    Files.writeString(Path.of(jar + ".sha1"), "0".repeat(40));
    assertEquals(List.of(jar.getFileName() + ": another .sha1"), CentralRules.problems(folder));
    Files.writeString(Path.of(jar + ".asc"), "signed");
    Files.deleteIfExists(jar.resolveSibling("vtdiag-core-" + Released.VERSION + ".pom.asc"));
    assertTrue(problems().contains("vtdiag-core-" + Released.VERSION + ".pom: no signature"));
  }

  @Test
  void nothingIsAProblem() throws IOException {
    assertEquals(List.of("no component in " + folder), CentralRules.problems(folder));
  }

  @Test
  void centralTakesTheRelease() throws IOException {
    assertEquals(List.of(), CentralRules.problems(Released.REPOSITORY));
    try (Stream<Path> files = Files.list(Released.REPOSITORY.resolve("io/github/vtdiag"))) {
      assertEquals(
          new TreeSet<>(
              List.of(
                  "io.github.vtdiag.gradle.plugin",
                  "vtdiag-agent",
                  "vtdiag-bom",
                  "vtdiag-cli",
                  "vtdiag-core",
                  "vtdiag-fleet",
                  "vtdiag-gradle-plugin",
                  "vtdiag-junit",
                  "vtdiag-maven-plugin",
                  "vtdiag-openrewrite")),
          new TreeSet<>(files.map(file -> file.getFileName().toString()).toList()));
    }
    String bom = Files.readString(Released.file("vtdiag-bom", ".pom"));
    for (String name :
        List.of(
            "agent",
            "cli",
            "core",
            "fleet",
            "gradle-plugin",
            "junit",
            "maven-plugin",
            "openrewrite")) {
      assertTrue(bom.contains("<artifactId>vtdiag-" + name + "</artifactId>"), bom);
    }
  }

  /** What the bill of materials lists is what the notices name. */
  @ParameterizedTest
  @ValueSource(strings = {"vtdiag-agent", "vtdiag-cli", "vtdiag-fleet"})
  void theNoticesNameWhatIsShaded(String artifact) throws IOException {
    String sbom = Files.readString(Released.file(artifact, "-cyclonedx.json"));
    assertTrue(sbom.contains("\"bomFormat\" : \"CycloneDX\""), sbom);
    String notices = entry(Released.file(artifact, ".jar"), "META-INF/THIRD-PARTY.txt");
    // Left out of the jar: analyzer/pom.xml says why.
    Pattern absent =
        Pattern.compile(
            "io.github.vtdiag/.*|org.eclipse.sisu/.*|com.google.errorprone/.*|.*/commons-rng-sampling");
    TreeSet<String> listed = new TreeSet<>();
    Matcher matcher = COMPONENT.matcher(sbom);
    while (matcher.find()) {
      if (!absent.matcher(matcher.group(1)).matches()) {
        listed.add(matcher.group(1).replace('/', ':') + ":" + matcher.group(2));
      }
    }
    assertTrue(listed.contains("org.ow2.asm:asm:" + version(listed, "org.ow2.asm:asm:")), sbom);
    TreeSet<String> named = new TreeSet<>();
    Matcher line = Pattern.compile("\\(([^ ()]+:[^ ()]+:[^ ()]+) - ").matcher(notices);
    while (line.find()) {
      named.add(line.group(1));
    }
    assertEquals(listed, named);
  }

  private static String version(Set<String> listed, String of) {
    return listed.stream()
        .filter(name -> name.startsWith(of))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + of + " in " + listed))
        .substring(of.length());
  }

  private static String entry(Path jar, String name) throws IOException {
    try (JarFile file = new JarFile(jar.toFile());
        InputStream in = file.getInputStream(file.getEntry(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private List<String> problems() {
    try {
      return CentralRules.problems(folder);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A repository of one component. */
  private Path copy() throws IOException {
    Path from = Released.file("vtdiag-core", ".pom").getParent();
    Path to = folder.resolve(Released.REPOSITORY.relativize(from).toString());
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return to;
  }
}
