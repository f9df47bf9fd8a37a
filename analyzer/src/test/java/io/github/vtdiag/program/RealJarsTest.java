package io.github.vtdiag.program;

import static java.util.stream.Collectors.groupingBy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Coordinates.Evidence;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.owner.ZipBytes;
import io.github.vtdiag.program.RealJars.Layout;
import io.github.vtdiag.program.RealJars.RealJar;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What widely used jars are taken for, in a repository, beside an application and renamed. */
final class RealJarsTest {
  private static List<RealJar> jars;

  @TempDir private Path folder;

  @BeforeAll
  static void load() throws IOException {
    jars = RealJars.load();
  }

  /** What may be said of a class of a jar. */
  private enum Verdict {
    RIGHT,
    NO_GROUP,
    NAME,
    UNKNOWN,
    WRONG
  }

  private static Verdict verdict(RealJar jar, Owner owner) {
    return switch (owner) {
      // As docs/advice.md says: a jar that nothing calls a library.
      case Owner.Application application -> Verdict.UNKNOWN;
      case Owner.UnknownJar unknown -> Verdict.UNKNOWN;
      case Owner.Jdk jdk -> Verdict.WRONG;
      case Owner.Library(Coordinates told, String location) -> {
        boolean isVersion =
            told.version().equals(jar.version())
                || (told.evidence() == Evidence.MANIFEST && told.version().isEmpty());
        if (!isVersion) {
          yield Verdict.WRONG;
        }
        if (told.evidence() == Evidence.MANIFEST) {
          yield told.group().isEmpty() ? Verdict.NAME : Verdict.WRONG;
        }
        if (!told.artifact().equals(jar.artifact())) {
          yield Verdict.WRONG;
        }
        yield told.group().equals(jar.group())
            ? Verdict.RIGHT
            : told.group().isEmpty() ? Verdict.NO_GROUP : Verdict.WRONG;
      }
    };
  }

  @Test
  void thereAreSixtyJarsAtLeastAndManyWithoutAPom() throws IOException {
    assertTrue(jars.size() >= 60, () -> jars.size() + " jars");
    long withoutPom = 0;
    for (RealJar jar : jars) {
      Path file = write(jar, Layout.RENAMED);
      try (ZipBytes zip = ZipBytes.open(file)) {
        withoutPom +=
            zip.names().stream().anyMatch(name -> name.endsWith("/pom.properties")) ? 0 : 1;
      }
    }
    assertTrue(withoutPom > jars.size() / 3, withoutPom + " without a POM");
  }

  @ParameterizedTest
  @EnumSource(names = {"MAVEN", "GRADLE"})
  void inARepositoryEachIsKnownForSure(Layout layout) throws IOException {
    for (RealJar jar : jars) {
      String location = "/not/here/" + jar.path(layout);
      Function<String, Owner> owners = LoadedFrom.owners(location);
      for (String type : jar.classes()) {
        assertEquals(
            new Owner.Library(
                new Coordinates(
                    jar.group(), jar.artifact(), jar.version(), Evidence.REPOSITORY_PATH),
                location),
            owners.apply(type));
      }
      Path file = write(jar, layout);
      Coordinates own = library(LoadedFrom.owner(file.toString(), ownClass(jar)));
      assertEquals(jar.coordinates(), own.text());
      assertTrue(own.evidence().isSure(), jar.coordinates());
      Files.delete(file);
    }
  }

  @Test
  void elsewhereEachIsTakenForWhatTheListSays() throws IOException {
    Map<String, List<String>> expected =
        read("jars.tsv").lines().collect(groupingBy(line -> line.split("\t", -1)[0]));
    assertEquals(jars.size(), expected.size());
    for (RealJar jar : jars) {
      assertEquals(
          String.join("\n", expected.get(jar.coordinates())),
          String.join("\n", RealJars.lines(jar, folder)));
    }
  }

  @Test
  void inABootJarEachIsTakenForTheSameAsBeside() throws Exception {
    Path app = folder.resolve("app.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(app))) {
      for (RealJar jar : jars) {
        ZipEntry entry = new ZipEntry("BOOT-INF/lib/" + jar.file());
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(jar.bytes().length);
        CRC32 crc = new CRC32();
        crc.update(jar.bytes());
        entry.setCrc(crc.getValue());
        zip.putNextEntry(entry);
        zip.write(jar.bytes());
        zip.closeEntry();
      }
    }
    for (RealJar jar : jars) {
      Path beside = write(jar, Layout.PLAIN);
      String nested = "jar:nested:" + app + "/!BOOT-INF/lib/" + jar.file() + "!/";
      Function<String, Owner> ofBeside = LoadedFrom.owners(beside.toString());
      Function<String, Owner> ofNested = LoadedFrom.owners(nested);
      for (String type : jar.classes()) {
        assertEquals(library(ofBeside.apply(type)), library(ofNested.apply(type)));
      }
    }
    String classPath = app.toString();
    try (ClassPathBytes bytes = ClassPathBytes.open(List.of(classPath), 21)) {
      for (RealJar jar : jars) {
        assertTrue(
            bytes.find(ownClass(jar)).stream()
                .anyMatch(found -> verdict(jar, found.owner()) != Verdict.WRONG),
            jar.coordinates());
      }
    }
  }

  /** What is said of each class path's jars is in the documentation; none of it may be wrong. */
  @Test
  void theDocumentedFiguresAreThese() throws IOException {
    StringBuilder table = new StringBuilder();
    List<String> wrong = new ArrayList<>();
    for (Layout layout : List.of(Layout.MAVEN, Layout.GRADLE, Layout.PLAIN, Layout.RENAMED)) {
      Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
      for (RealJar jar : jars) {
        Path file = write(jar, layout);
        Owner owner = LoadedFrom.owner(file.toString(), ownClass(jar));
        Verdict verdict = verdict(jar, owner);
        counts.merge(verdict, 1, Integer::sum);
        if (verdict == Verdict.WRONG) {
          wrong.add(layout + " " + jar.coordinates() + " is " + owner);
        }
        Files.delete(file);
      }
      table.append("| %s |".formatted(described(layout)));
      for (Verdict verdict : Verdict.values()) {
        table.append(" %d |".formatted(counts.getOrDefault(verdict, 0)));
      }
      table.append('\n');
    }
    // Its POM does not have the end of the version, so nothing in the jar does.
    assertEquals(1, wrong.size(), () -> String.join("\n", wrong));
    assertTrue(
        wrong.getFirst().startsWith("RENAMED com.microsoft.sqlserver:mssql-jdbc 11.2.3.jre11"),
        wrong::toString);
    String page = Files.readString(Path.of("../docs/how-it-works.md"));
    assertTrue(page.contains(table), () -> "docs/how-it-works.md should say\n" + table);
  }

  private static String described(Layout layout) {
    return switch (layout) {
      case MAVEN -> "in a Maven repository";
      case GRADLE -> "in Gradle's cache";
      case PLAIN, BOOT -> "`lib/artifact-version.jar`, or in a Spring Boot jar";
      case RENAMED -> "renamed to `lib.jar`";
    };
  }

  /** The jars that the build itself uses, with all their classes. */
  @Test
  void strippedJarsAreTakenForTheSameAsWholeOnes() throws IOException {
    List<String> seen = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      for (RealJar jar : jars) {
        if (!entry.replace(File.separatorChar, '/').endsWith("/" + jar.path())) {
          continue;
        }
        seen.add(jar.artifact());
        RealJar whole = new RealJar(jar.path(), Files.readAllBytes(Path.of(entry)));
        for (Layout layout : List.of(Layout.MAVEN, Layout.PLAIN, Layout.RENAMED)) {
          String type = ownClass(jar);
          Coordinates stripped = library(LoadedFrom.owner(write(jar, layout).toString(), type));
          assertEquals(stripped, library(LoadedFrom.owner(write(whole, layout).toString(), type)));
        }
      }
    }
    assertFalse(seen.isEmpty());
  }

  /** A class that is not of a library that it bundles. */
  private String ownClass(RealJar jar) throws IOException {
    Path file = write(jar, Layout.MAVEN);
    Function<String, Owner> owners = LoadedFrom.owners(file.toString());
    for (String type : jar.classes()) {
      if (library(owners.apply(type)).text().equals(jar.coordinates())) {
        return type;
      }
    }
    throw new AssertionError(jar.coordinates() + " has no class of its own");
  }

  private Path write(RealJar jar, Layout layout) throws IOException {
    Path file = folder.resolve(jar.path(layout));
    Files.createDirectories(file.getParent());
    return Files.write(file, jar.bytes());
  }

  private static Coordinates library(Owner owner) {
    return switch (owner) {
      case Owner.Library(Coordinates told, String location) -> told;
      case Owner.Application application -> new Coordinates("", "application", "");
      case Owner.UnknownJar unknown -> new Coordinates("", "unknown", "");
      case Owner.Jdk jdk -> new Coordinates("", "JDK", "");
    };
  }

  private static String read(String resource) throws IOException {
    try (InputStream in = RealJarsTest.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
