package io.github.vtdiag.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Coordinates.Evidence;
import io.github.vtdiag.owner.Owner;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassPathBytesTest {
  private static final String A = "com.example.A";
  private static final String A_FILE = "com/example/A.class";
  private static final byte[] BYTES = bytes("the class");

  @TempDir private Path folder;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] zip(boolean stored, Map<String, byte[]> entries) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> each : entries.entrySet()) {
        ZipEntry entry = new ZipEntry(each.getKey());
        if (stored) {
          CRC32 crc = new CRC32();
          crc.update(each.getValue());
          entry.setMethod(ZipEntry.STORED);
          entry.setSize(each.getValue().length);
          entry.setCrc(crc.getValue());
        }
        zip.putNextEntry(entry);
        zip.write(each.getValue());
        zip.closeEntry();
      }
    }
    return out.toByteArray();
  }

  private static Map<String, byte[]> entries(Object... namesAndContents) {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    for (int i = 0; i < namesAndContents.length; i += 2) {
      Object content = namesAndContents[i + 1];
      entries.put(
          (String) namesAndContents[i],
          content instanceof String text ? bytes(text) : (byte[]) content);
    }
    return entries;
  }

  private Path write(String name, byte[] content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content);
  }

  private static List<ClassBytes> find(String className, String... classPath) throws DataException {
    try (ClassPathBytes bytes = ClassPathBytes.open(List.of(classPath), 21)) {
      return bytes.find(className);
    }
  }

  private static String refusal(String... classPath) {
    return assertThrows(DataException.class, () -> find(A, classPath)).getMessage();
  }

  @Test
  void aMissingEntryIsNamed() {
    assertEquals("nowhere.jar does not exist; check --classpath", refusal("nowhere.jar"));
    String lib = folder.resolve("none") + File.separator;
    assertTrue(refusal(lib + "*").endsWith("is not a readable directory; check --classpath"));
  }

  @Test
  void whatIsNoJarIsNamed() throws IOException {
    for (byte[] content : List.of(new byte[0], bytes("this is no jar at all, only text"))) {
      Path jar = write("bad.jar", content);
      assertTrue(refusal(jar.toString()).startsWith(jar + " is not a readable jar"));
    }
  }

  @Test
  void noDamageGoesUnnoticedOrCrashes() throws Exception {
    byte[] whole = zip(false, entries(A_FILE, BYTES, "b", "b"));
    for (int length = 0; length < whole.length; length++) {
      Path jar = write("cut.jar", Arrays.copyOf(whole, length));
      assertTrue(refusal(jar.toString()).startsWith(jar + " is not a readable jar"));
    }
    for (int at = 0; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= (byte) 0xFF;
      Path jar = write("damaged.jar", damaged);
      try {
        find(A, jar.toString());
      } catch (DataException e) {
        assertTrue(e.getMessage().startsWith(jar.toString()), e.getMessage());
      }
    }
  }

  @Test
  void aDamagedNestedJarIsNamed() throws IOException {
    Path jar = write("app.jar", zip(true, entries("BOOT-INF/lib/x-1.0.jar", "no jar")));
    assertTrue(
        refusal(jar.toString()).startsWith(jar + "!/BOOT-INF/lib/x-1.0.jar is not a readable jar"));
  }

  @Test
  void classesThatAreNotThereAreNotFound() throws Exception {
    Path jar = write("a.jar", zip(false, entries(A_FILE, BYTES)));
    assertEquals(List.of(), find("com.example.B", jar.toString(), folder.toString()));
  }

  @Test
  void everyClassOnceInTheDefinitionThatIsLoaded() throws Exception {
    write("classes/" + A_FILE, bytes("A, first"));
    write("classes/module-info.class", BYTES);
    write("classes/notes.txt", BYTES);
    Path jar =
        write(
            "lib/x-1.jar",
            zip(
                false,
                entries(
                    "META-INF/MANIFEST.MF",
                    "Manifest-Version: 1.0\nMulti-Release: true\n",
                    A_FILE,
                    "A, hidden",
                    "com/example/B.class",
                    "B, old",
                    "META-INF/versions/21/com/example/B.class",
                    "B, of 21",
                    "META-INF/versions/17/com/example/C.class",
                    "C, of 17",
                    "META-INF/versions/25/com/example/D.class",
                    "D, of 25")));
    try (ClassPathBytes classPath =
        ClassPathBytes.open(List.of(folder.resolve("classes").toString(), jar.toString()), 21)) {
      assertEquals(
          List.of("A, first", "B, of 21", "C, of 17"),
          classPath.all().stream()
              .map(found -> new String(found.bytes(), StandardCharsets.UTF_8))
              .toList());
    }
  }

  @Test
  void directoriesJarsAndWildcardsInTheirOrder() throws Exception {
    write("classes/" + A_FILE, bytes("from the directory"));
    write("lib/y-2.jar", zip(false, entries(A_FILE, "from y")));
    write("lib/x-1.jar", zip(true, entries(A_FILE, "from x")));
    write("lib/notes.txt", bytes("no jar"));
    List<ClassBytes> found =
        find(
            A,
            folder.resolve("classes")
                + File.pathSeparator
                + folder.resolve("lib")
                + File.separator
                + "*");
    assertEquals(
        List.of("from the directory", "from x", "from y"),
        found.stream().map(each -> new String(each.bytes(), StandardCharsets.UTF_8)).toList());
    assertInstanceOf(Owner.Application.class, found.getFirst().owner());
  }

  /** As the JVM does: what is not there is skipped, and a circle ends. */
  @Test
  void aJarBringsTheFilesAlongThatItsManifestNames() throws Exception {
    Path app =
        TestJar.in(
            folder,
            "app.jar",
            "Class-Path: lib/a%20b.jar lib/missing.jar https://example.org/x.jar classes/ ::",
            "com.example.Main");
    TestJar.in(folder, "lib/a b.jar", "Class-Path: c.jar ../app.jar", A);
    TestJar.in(folder, "lib/c.jar", "com.example.C");
    write("classes/com/example/D.class", BYTES);
    try (ClassPathBytes classPath = ClassPathBytes.open(List.of(app.toString()), 21)) {
      List<String> names = classPath.sources().stream().map(ClassSource::name).toList();
      assertEquals(List.of("com.example.Main", A, "com.example.C", "com.example.D"), names);
    }
  }

  @Test
  void aSpringBootJarIsLookedIntoStoredOrNot() throws Exception {
    byte[] library =
        zip(
            false,
            entries(
                "META-INF/maven/org.lib/x/pom.properties",
                "groupId=org.lib\nartifactId=x\nversion=1.2\n",
                "org/lib/X.class",
                "x"));
    for (boolean stored : new boolean[] {true, false}) {
      Path jar =
          write(
              "app.jar",
              zip(
                  stored,
                  entries("BOOT-INF/classes/" + A_FILE, BYTES, "BOOT-INF/lib/x-1.2.jar", library)));
      ClassBytes application = find(A, jar.toString()).getFirst();
      assertArrayEquals(BYTES, application.bytes());
      assertEquals(new Owner.Application(jar + "!/BOOT-INF/classes"), application.owner());
      ClassBytes nested = find("org.lib.X", jar.toString()).getFirst();
      assertArrayEquals(bytes("x"), nested.bytes());
      assertEquals(
          new Owner.Library(new Coordinates("org.lib", "x", "1.2"), nested.location()),
          nested.owner());
      assertEquals(jar + "!/BOOT-INF/lib/x-1.2.jar", nested.location());
    }
  }

  @Test
  void aScriptInFrontOfAJarDoesNoHarm() throws Exception {
    byte[] jar = zip(false, entries(A_FILE, BYTES));
    byte[] script = bytes("#!/bin/sh\nexec java -jar $0\n");
    byte[] both = Arrays.copyOf(script, script.length + jar.length);
    System.arraycopy(jar, 0, both, script.length, jar.length);
    assertArrayEquals(BYTES, find(A, write("run.jar", both).toString()).getFirst().bytes());
  }

  @Test
  void aWarIsLookedInto() throws Exception {
    byte[] library = zip(false, entries("org/lib/X.class", "x"));
    Path war =
        write(
            "app.war",
            zip(
                false,
                entries("WEB-INF/classes/" + A_FILE, BYTES, "WEB-INF/lib/x-1.2.jar", library)));
    assertEquals(1, find(A, war.toString()).size());
    assertEquals(
        new Owner.Library(
            new Coordinates("", "x", "1.2", Evidence.FILE_NAME), war + "!/WEB-INF/lib/x-1.2.jar"),
        find("org.lib.X", war.toString()).getFirst().owner());
  }

  @Test
  void moreThanSixtyFiveThousandEntries() throws Exception {
    Map<String, byte[]> many = new LinkedHashMap<>();
    for (int i = 0; i < 66_000; i++) {
      many.put("e" + i, new byte[0]);
    }
    many.put(A_FILE, BYTES);
    Path jar = write("many.jar", zip(true, many));
    assertArrayEquals(BYTES, find(A, jar.toString()).getFirst().bytes());
  }

  @Test
  void aMultiReleaseJarGivesWhatTheJdkLoaded() throws Exception {
    String manifest = "Manifest-Version: 1.0\nMulti-Release: true\n\n";
    Path jar =
        write(
            "mr.jar",
            zip(
                false,
                entries(
                    "META-INF/MANIFEST.MF",
                    manifest,
                    A_FILE,
                    "base",
                    "META-INF/versions/17/" + A_FILE,
                    "seventeen",
                    "META-INF/versions/25/" + A_FILE,
                    "twenty-five")));
    assertArrayEquals(bytes("seventeen"), find(A, jar.toString()).getFirst().bytes());
  }

  @Test
  void coordinatesFromTheManifestAndTheName() throws Exception {
    String manifest =
        """
        Manifest-Version: 1.0
        Implementation-Vendor-Id: org.postgresql
        Bundle-SymbolicName: org.postgresql.jdbc
        Bundle-Version: 42.5.4
        Export-Package: org.postgresql;version="42.5.4"

        """;
    byte[] jar = zip(false, entries("META-INF/MANIFEST.MF", manifest, A_FILE, BYTES));
    Path named = write("postgresql-42.5.4.jar", jar);
    assertEquals(
        new Owner.Library(
            new Coordinates(
                "org.postgresql",
                "postgresql",
                "42.5.4",
                Evidence.NAME_AND_MANIFEST,
                List.of("org.postgresql.jdbc")),
            named.toString()),
        find(A, named.toString()).getFirst().owner());
    Path renamed = write("driver.jar", jar);
    assertEquals(
        new Owner.Library(
            new Coordinates(
                "",
                "org.postgresql.jdbc",
                "42.5.4",
                Evidence.MANIFEST,
                List.of("org.postgresql.jdbc")),
            renamed.toString()),
        find(A, renamed.toString()).getFirst().owner());
  }

  @Test
  void aJarWithoutCoordinatesIsTheApplication() throws Exception {
    Path jar = write("app.jar", zip(false, entries(A_FILE, BYTES)));
    assertEquals(new Owner.Application(jar.toString()), find(A, jar.toString()).getFirst().owner());
  }

  @Test
  void whatIsWrongInAJarsOwnWordsIsNotBelieved() throws Exception {
    String id = "groupId=org.lib\nartifactId=x\nversion=1\n";
    String pom = "META-INF/maven/org.lib/x/pom.properties";
    String manifest = "META-INF/MANIFEST.MF";
    List<Map<String, byte[]>> hostile =
        List.of(
            entries(pom, "groupId=\\u00", A_FILE, BYTES),
            entries(pom, id.replace("x", "\\u001b[31mx"), A_FILE, BYTES),
            entries(pom, id.replace("x", "x\\nfixed"), A_FILE, BYTES),
            entries(pom, "", A_FILE, BYTES),
            entries(pom, id + "#" + "x".repeat(5 << 20), A_FILE, BYTES),
            entries(manifest, "no manifest at all", A_FILE, BYTES),
            entries(manifest, "Manifest-Version: 1.0\nBundle-SymbolicName: a b\n\n", A_FILE, BYTES),
            entries(
                manifest,
                "Manifest-Version: 1.0\nBundle-SymbolicName: \u001b[31mx\n\n",
                A_FILE,
                BYTES),
            entries(
                manifest,
                "Manifest-Version: 1.0\n" + value("Bundle-SymbolicName", "x".repeat(1 << 20)),
                A_FILE,
                BYTES));
    for (Map<String, byte[]> each : hostile) {
      Path jar = write("app.jar", zip(false, each));
      assertEquals(
          new Owner.Application(jar.toString()), find(A, jar.toString()).getFirst().owner());
    }
  }

  /** An attribute in lines of 70 characters, as a manifest needs it. */
  private static String value(String name, String value) {
    return (name + ": " + value).replaceAll("(.{70})(?=.)", "$1\n ") + "\n\n";
  }

  @Test
  void theManifestsVersionIsThatOfTheBundleOnlyIfItExportsPackagesInIt() throws Exception {
    String manifest =
        "Manifest-Version: 1.0\nBundle-SymbolicName: com.ibm.db2.jcc\nBundle-Version: 1.4.0\n";
    byte[] silent = zip(false, entries("META-INF/MANIFEST.MF", manifest + "\n", A_FILE, BYTES));
    Path jar = write("lib.jar", silent);
    assertEquals("com.ibm.db2.jcc", library(jar).text());
    byte[] clear =
        zip(
            false,
            entries(
                "META-INF/MANIFEST.MF",
                manifest + "Export-Package: a;version=\"1.4.0\"\n\n",
                A_FILE,
                BYTES));
    assertEquals("com.ibm.db2.jcc 1.4.0", library(write("lib.jar", clear)).text());
    assertEquals(Evidence.MANIFEST, library(jar).evidence());
  }

  private static Coordinates library(Path jar) throws DataException {
    return assertInstanceOf(Owner.Library.class, find(A, jar.toString()).getFirst().owner())
        .coordinates();
  }

  @Test
  void aTitleAloneMakesNoLibrary() throws Exception {
    for (String title : List.of("myapp", "com.example.myapp", "My App")) {
      String manifest = "Manifest-Version: 1.0\nImplementation-Title: " + title + "\n\n";
      Path jar =
          write("app.jar", zip(false, entries("META-INF/MANIFEST.MF", manifest, A_FILE, BYTES)));
      assertEquals(
          new Owner.Application(jar.toString()), find(A, jar.toString()).getFirst().owner());
    }
  }

  @Test
  void aJarInARepositoryIsToldByItsPath() throws Exception {
    Path jar =
        write(
            ".m2/repository/com/h2database/h2/2.2.220/h2-2.2.220.jar",
            zip(false, entries("org/h2/A.class", BYTES)));
    assertEquals(
        new Owner.Library(
            new Coordinates("com.h2database", "h2", "2.2.220", Evidence.REPOSITORY_PATH),
            jar.toString()),
        find("org.h2.A", jar.toString()).getFirst().owner());
    String elsewhere = "/not/here/.m2/repository/com/h2database/h2/2.2.220/h2-2.2.220.jar";
    assertEquals(
        new Owner.Library(
            new Coordinates("com.h2database", "h2", "2.2.220", Evidence.REPOSITORY_PATH),
            elsewhere),
        LoadedFrom.owner("file:" + elsewhere, "org.h2.A"));
  }

  @Test
  void inAJarOfSeveralLibrariesThePackageTellsOrNothingDoes() throws Exception {
    Path jar =
        write(
            "all.jar",
            zip(
                false,
                entries(
                    "META-INF/maven/com.example/a/pom.properties",
                    "groupId=com.example\nartifactId=a\nversion=1\n",
                    "META-INF/maven/org.lib/x/pom.properties",
                    "groupId=org.lib\nartifactId=x\nversion=2\n",
                    A_FILE,
                    BYTES,
                    "net/else/E.class",
                    BYTES)));
    assertEquals(
        new Owner.Library(new Coordinates("com.example", "a", "1"), jar.toString()),
        find(A, jar.toString()).getFirst().owner());
    assertEquals(
        new Owner.UnknownJar(jar.toString()),
        find("net.else.E", jar.toString()).getFirst().owner());
  }

  @Test
  void recordedLocationsOfAnotherMachineGoByTheirName() {
    assertEquals(new Owner.UnknownJar(""), LoadedFrom.owner("", A));
    assertEquals(new Owner.Jdk(), LoadedFrom.owner("jrt:/java.base", A));
    assertEquals(
        new Owner.Application("/elsewhere/classes"),
        LoadedFrom.owner("file:/elsewhere/classes/", A));
    assertEquals(
        new Owner.Application("/elsewhere/app.jar!/BOOT-INF/classes"),
        LoadedFrom.owner("jar:nested:/elsewhere/app.jar/!BOOT-INF/classes/!/", A));
    assertEquals(
        new Owner.Library(
            new Coordinates("", "x", "1.2", Evidence.FILE_NAME),
            "/elsewhere/app.jar!/BOOT-INF/lib/x-1.2.jar"),
        LoadedFrom.owner("jar:nested:/elsewhere/app.jar/!BOOT-INF/lib/x-1.2.jar!/", A));
    assertEquals(
        new Owner.UnknownJar("/elsewhere/app.jar"), LoadedFrom.owner("file:/elsewhere/app.jar", A));
  }

  @Test
  void recordedLocationsOfThisMachineAreAsked() throws Exception {
    Path jar =
        write(
            "a folder/x.jar",
            zip(
                false,
                entries(
                    "META-INF/maven/org.lib/x/pom.properties",
                    "groupId=org.lib\nartifactId=x\nversion=2\n")));
    assertEquals(
        new Owner.Library(new Coordinates("org.lib", "x", "2"), jar.toString()),
        LoadedFrom.owner(jar.toUri().toString(), A));
  }

  @Test
  void jdkClassesComeFromTheVeryBuildThatRecordedOnly() throws Exception {
    String object = "java.lang.Object";
    assertEquals(Optional.empty(), JdkClasses.ifRunning("21.0.0+0-other").find(object));
    ClassBytes found =
        JdkClasses.ifRunning(System.getProperty("java.vm.version")).find(object).orElseThrow();
    assertEquals("jrt:/java.base", found.location());
    assertEquals(new Owner.Jdk(), found.owner());
    assertArrayEquals(new byte[] {(byte) 0xCA, (byte) 0xFE}, Arrays.copyOf(found.bytes(), 2));
    ClassBytes ofHome =
        JdkClasses.at(Path.of(System.getProperty("java.home"))).find(object).orElseThrow();
    assertArrayEquals(found.bytes(), ofHome.bytes());
  }

  @Test
  void whatIsNoJdkIsRefused() {
    assertEquals(
        folder + " is not the home of a JDK 9 or later; check --jdk",
        assertThrows(DataException.class, () -> JdkClasses.at(folder)).getMessage());
  }
}
