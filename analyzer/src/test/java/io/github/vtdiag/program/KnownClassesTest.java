package io.github.vtdiag.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.github.vtdiag.locksite.JarContents;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.JarContent;
import io.github.vtdiag.owner.Owner;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Why the bytes of a class are not known. */
final class KnownClassesTest {
  @TempDir private Path folder;

  private KnownClasses known(ClassMonitors... recorded) throws Exception {
    return new KnownClasses(
        List.of(recorded),
        ClassPathBytes.open(List.of(folder.toString()), 21),
        JdkClasses.running(),
        true);
  }

  private static ClassRef type(String name) {
    return new ClassRef(name, "app");
  }

  @ParameterizedTest
  @ValueSource(strings = {"com.example.Orders", "com.example.Orders$Proxy", "x.Lambda", ""})
  void aClassThatIsNowhere(String name) throws Exception {
    assertEquals(new ClassLookup.NotFound(true), known().lookUp(type(name)));
    KnownClasses nothingNamed =
        new KnownClasses(List.of(), ClassPathBytes.open(List.of(), 21), JdkClasses.running(), true);
    assertEquals(new ClassLookup.NotFound(false), nothingNamed.lookUp(type(name)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.example.Orders$$Lambda",
        "jdk.proxy2.$Proxy57",
        "jdk.internal.reflect.GeneratedMethodAccessor12",
        "com.example.Orders$$SpringCGLIB$$0",
        "com.example.Orders$$EnhancerBySpringCGLIB$$1a2b",
        "com.example.Order$HibernateProxy$Ab12",
        "com.example.Orders$ByteBuddy$xyz"
      })
  void aClassThatWasMadeWhileTheProgramRan(String name) throws Exception {
    assertInstanceOf(ClassLookup.Generated.class, known().lookUp(type(name)));
  }

  @Test
  void aClassFileThatCannotBeRead() throws Exception {
    Files.write(folder.resolve("A.class"), new byte[] {1, 2, 3});
    KnownClasses known = known();
    ClassLookup.Unreadable unreadable =
        assertInstanceOf(ClassLookup.Unreadable.class, known.lookUp(type("A")));
    assertEquals("A", unreadable.unread().name());
    assertEquals(
        List.of(
            "A in "
                + folder
                + " could not be read (it is damaged or too new for vtdiag), so what it locks is"
                + " not known"),
        known.problems());
  }

  @Test
  void aClassThatIsThere() throws Exception {
    assertInstanceOf(ClassLookup.Found.class, known().lookUp(new ClassRef("java.util.Vector", "")));
    ClassMonitors recorded =
        new ClassMonitors(type("B"), "", ClassMonitors.Evidence.LOADED_CLASS, List.of());
    assertInstanceOf(ClassLookup.Found.class, known(recorded).lookUp(type("B")));
  }

  /** A jar of one class, whose name tells what it is. */
  private Path jar(String name) throws Exception {
    Path file = folder.resolve(name);
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("org/h2/Driver.class"));
      zip.write(new byte[] {1, 2, 3});
      zip.closeEntry();
    }
    return file;
  }

  private KnownClasses known(List<Path> classPath, ClassMonitors... recorded) throws Exception {
    return new KnownClasses(
        List.of(recorded),
        ClassPathBytes.open(classPath.stream().map(Path::toString).toList(), 21),
        JdkClasses.running(),
        true);
  }

  @Test
  void oneLibraryTwiceIsSaidOnce() throws Exception {
    Path old = jar("h2-2.2.220.jar");
    Path young = jar("h2-2.2.224.jar");
    KnownClasses known = known(List.of(old, young));
    known.find(type("org.h2.Driver"));
    known.find(new ClassRef("org.h2.Driver", "another loader"));
    assertEquals(
        List.of(
            "h2 2.2.220 and h2 2.2.224 are both on the class path; its classes are taken from "
                + old
                + ", not "
                + young),
        known.problems().stream().filter(problem -> problem.startsWith("h2")).toList());
  }

  @Test
  void ofOneLibraryTwiceTheOneThatWasLoadedCounts() throws Exception {
    ClassMonitors loaded =
        new ClassMonitors(
            type("org.h2.Driver"),
            "file:/not/here/h2-2.2.224.jar",
            ClassMonitors.Evidence.LOADED_CLASS,
            List.of());
    Path young = jar("h2-2.2.224.jar");
    KnownClasses known = known(List.of(jar("h2-2.2.220.jar"), young), loaded);
    known.find(type("org.h2.Driver"));
    assertEquals(
        "h2 2.2.220 and h2 2.2.224 are both on the class path; its classes were loaded from"
            + " /not/here/h2-2.2.224.jar",
        known.problems().getFirst());
    assertEquals(
        young.toString(),
        assertInstanceOf(Owner.Library.class, known.owner(type("org.h2.Driver"))).location());
  }

  @Test
  void otherJarsOfOneClassAreNotOneLibraryTwice() throws Exception {
    Path library = jar("h2-2.2.220.jar");
    Files.createDirectories(folder.resolve("copy"));
    for (String other : List.of("copy/h2-2.2.220.jar", "h2-fork-2.2.224.jar", "app.jar")) {
      KnownClasses known = known(List.of(library, jar(other)));
      known.find(type("org.h2.Driver"));
      assertFalse(known.problems().stream().anyMatch(problem -> problem.contains("both")), other);
    }
  }

  @Test
  void whatIsMadeForAClassIsOfTheSameOwner() throws Exception {
    KnownClasses known = known(List.of(jar("h2-2.2.220.jar")));
    Owner owner = assertInstanceOf(Owner.Library.class, known.owner(type("org.h2.Driver")));
    for (String made : List.of("$$Lambda", "$$SpringCGLIB$$0", "$$Lambda+0x00007f0001")) {
      assertEquals(owner, known.owner(type("org.h2.Driver" + made)), made);
    }
    for (String strange : List.of("org.h2.Drivers$$Lambda", "org.h2.Driver$$Mine")) {
      assertEquals(new Owner.UnknownJar(""), known.owner(type(strange)), strange);
    }
  }

  @Test
  void aJarThatIsNotHereIsTheOneThatIsNamed() throws Exception {
    ClassMonitors loaded =
        new ClassMonitors(
            type("org.h2.Driver"),
            "file:/not/here/lib.jar",
            ClassMonitors.Evidence.LOADED_CLASS,
            List.of());
    Path named = jar("h2-2.2.220.jar");
    Owner.Library library =
        assertInstanceOf(
            Owner.Library.class, known(List.of(named), loaded).owner(type("org.h2.Driver")));
    assertEquals("h2 2.2.220", library.coordinates().text());
    assertEquals(
        new Owner.UnknownJar("/not/here/lib.jar"),
        known(List.of(), loaded).owner(type("org.h2.Driver")));
  }

  @Test
  void aJarOfThatNameAndVersionTellsMoreThanTheNameAlone() throws Exception {
    ClassMonitors loaded =
        new ClassMonitors(
            type("org.h2.Driver"),
            "file:/not/here/h2-2.2.220.jar",
            ClassMonitors.Evidence.LOADED_CLASS,
            List.of());
    for (String version : List.of("2.2.220", "2.2.224")) {
      Path folders =
          Files.createDirectories(folder.resolve(".m2/repository/com/h2database/h2/" + version));
      Path named = jar(folder.relativize(folders) + "/h2-" + version + ".jar");
      Owner.Library library =
          assertInstanceOf(
              Owner.Library.class, known(List.of(named), loaded).owner(type("org.h2.Driver")));
      assertEquals(
          version.equals("2.2.220") ? "com.h2database:h2 2.2.220" : "h2 2.2.220",
          library.coordinates().text());
    }
  }

  /** A jar of the name {@code billing.jar}, whose POM alone tells the version. */
  private Path billing(String version) throws Exception {
    Path file = folder.resolve("billing.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("META-INF/maven/com.acme/billing/pom.properties"));
      zip.write(
          "groupId=com.acme\nartifactId=billing\nversion=%s\n"
              .formatted(version)
              .getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
      zip.putNextEntry(new ZipEntry("com/acme/Bill.class"));
      zip.write(version.getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
    }
    return file;
  }

  private String billed(ClassMonitors recorded) throws Exception {
    return known(List.of(), recorded).owner(type("com.acme.Bill")).text();
  }

  @Test
  void aJarOfAnotherVersionAtTheRecordedPathIsNotWhatRan() throws Exception {
    String path = billing("1.1").toString();
    ClassMonitors untold =
        new ClassMonitors(
            type("com.acme.Bill"), path, ClassMonitors.Evidence.LOADED_CLASS, List.of());
    JarContent content = JarContents.of(path);
    assertEquals("com.acme:billing:1.1", content.coordinates());
    ClassMonitors told = untold.from(content);
    ClassMonitors hashed = untold.from(new JarContent(content.hash(), ""));
    assertEquals("com.acme:billing 1.1", billed(told));
    assertEquals("com.acme:billing 1.1", billed(hashed));
    billing("1.2");
    assertEquals("unknown library in " + path, billed(hashed));
    assertEquals("com.acme:billing 1.1", billed(told));
    // An agent that did not say what the jar was: this machine's file is nobody's word for it.
    assertEquals("unknown library in " + path, billed(untold));
    Files.delete(folder.resolve("billing.jar"));
    assertEquals("com.acme:billing 1.1", billed(told));
  }

  @Test
  void coordinatesThatAreNoneAreNotBelieved() throws Exception {
    ClassMonitors loaded =
        new ClassMonitors(
            type("com.acme.Bill"), "/x/a.jar", ClassMonitors.Evidence.LOADED_CLASS, List.of());
    for (String strange : List.of("a:b", "a:b:c:d", "a:b:", "../x:b:c", "a:b:<script>")) {
      assertEquals(
          "unknown library in /x/a.jar", billed(loaded.from(new JarContent("", strange))), strange);
    }
  }
}
