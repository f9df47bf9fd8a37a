package io.github.vtdiag.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.source.Obstacle;
import io.github.vtdiag.source.Processors;
import io.github.vtdiag.source.SourceFolders;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PatchCheckTest {
  private static final String SOURCE =
      """
      class A {
        private final Object mutex = new Object();
        int n;
        synchronized void f() {
          n++;
        }
        void g() {
          synchronized (mutex) {
            n--;
          }
        }
      }
      """;

  @TempDir private Path folder;

  private Optional<String> refusal(Programs program, Patch patch) throws DataException {
    return check(program.classes.toString(), new Processors(List.of()))
        .problems(patch, program.program)
        .values()
        .stream()
        .findFirst();
  }

  /** A check with folders of classes, which javac can read as they are. */
  private static PatchCheck check(String classes, Processors processors) {
    List<String> classPath = List.of(classes);
    return new PatchCheck(
        new PatchCompiler(
            Path.of(System.getProperty("java.home")), classPath, processors, 21, Optional.empty()),
        new UnpackedArchives(classPath, List.of()));
  }

  /** Another text in the place of what the patch has written. */
  private static Patch with(Patch patch, String before, String after) {
    Patch.Change change = patch.files().getFirst();
    return new Patch(
        List.of(
            new Patch.Change(
                change.path(),
                new Patch.FileBytes(before.getBytes(UTF_8)),
                new Patch.FileBytes(after.getBytes(UTF_8)))),
        patch.moved(),
        patch.fields(),
        patch.declined(),
        patch.places(),
        patch.comments());
  }

  private void refuses(String words, String replaced, String by) throws IOException, DataException {
    Programs program = Programs.of(folder, "A.java", SOURCE);
    Patch patch = program.patch();
    String after = new String(patch.files().getFirst().after().bytes(), UTF_8);
    assertTrue(after.contains(replaced), after);
    Optional<String> refusal = refusal(program, with(patch, SOURCE, after.replace(replaced, by)));
    assertTrue(refusal.orElse("accepted").contains(words), refusal::toString);
  }

  @Test
  void whatDoesNotCompile() throws Exception {
    refuses("the patched A.java does not compile: A.java:", "lock.lock();", "lock.lokc();");
  }

  /** The patch has an import and fields above it; who reads the message looks into his file. */
  @Test
  void theLineIsThatOfTheFileAsItIs() throws Exception {
    refuses("does not compile: A.java:8: error: ", "mutex.lock();", "mutex.lokc();");
    refuses("does not compile: A.java:9: error: ", "n--;", "m--;");
  }

  /** javac reads no jars inside of others. */
  @Test
  void aSpringBootJarIsUnpackedForTheCompiler() throws Exception {
    Programs library = Programs.of(folder.resolve("library"), "B.java", "public class B { }");
    byte[] nested = jar(Map.of("B.class", Files.readAllBytes(library.classes.resolve("B.class"))));
    Path own = folder.resolve("own");
    Programs.write(own, "B.java", "public class B { }".getBytes(UTF_8));
    Programs.write(own, "C.java", "class C { }".getBytes(UTF_8));
    Programs.write(
        own, "A.java", "class A { B b; C c; synchronized void f() { } }".getBytes(UTF_8));
    Programs program = Programs.compiled(own);
    Patch whole = program.patch();
    Path app =
        Files.write(
            folder.resolve("app.jar"),
            jar(
                Map.of(
                    "BOOT-INF/lib/b-1.jar",
                    nested,
                    "BOOT-INF/classes/C.class",
                    Files.readAllBytes(program.classes.resolve("C.class")),
                    "BOOT-INF/classes/../../../C.class",
                    new byte[0])));
    Path unpacked;
    try (PatchCheck check =
        PatchCheck.of(
                whole,
                List.of(app.toString()),
                List.of(),
                type -> 21,
                KotlinCompilers.NONE,
                note -> {})
            .orElseThrow()) {
      assertEquals(Map.of(), check.problems(whole, program.program));
      assertEquals(2, check.compiler().classPath().size(), check.compiler().classPath()::toString);
      unpacked = Path.of(check.compiler().classPath().getFirst());
      assertTrue(Files.exists(unpacked));
    }
    assertFalse(Files.exists(unpacked.resolveSibling("..").normalize()));
  }

  /** Such as Lombok, where the build packs it. */
  @Test
  void aProcessorInsideOfASpringBootJarIsFound() throws Exception {
    Programs program =
        Programs.of(folder.resolve("a"), "A.java", "class A { synchronized void run() {} }");
    byte[] nested =
        jar(
            Map.of(
                "META-INF/services/javax.annotation.processing.Processor",
                "Speaks".getBytes(UTF_8)));
    Path app =
        Files.write(folder.resolve("app.jar"), jar(Map.of("BOOT-INF/lib/speaks-1.jar", nested)));
    try (PatchCheck check =
        PatchCheck.of(
                program.patch(),
                List.of(app.toString()),
                List.of(),
                type -> 21,
                KotlinCompilers.NONE,
                note -> {})
            .orElseThrow()) {
      assertTrue(check.compiler().processors().path().toString().contains("speaks-1.jar"));
    }
  }

  private static byte[] jar(Map<String, byte[]> entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream jar = new JarOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        jar.putNextEntry(new ZipEntry(entry.getKey()));
        jar.write(entry.getValue());
      }
    }
    return bytes.toByteArray();
  }

  @Test
  void whatDidNotCompileBefore() throws Exception {
    Programs program = Programs.of(folder, "A.java", SOURCE);
    Optional<String> refusal =
        refusal(program, with(program.patch(), "class A { B b; }", "class A { B b; C c; }"));
    assertTrue(refusal.orElse("").startsWith("A.java does not compile even without the patch"));
  }

  @Test
  void aMonitorOfALock() throws Exception {
    refuses("monitor of the ReentrantLock this.mutex", "mutex.lock();", "synchronized (mutex) {}");
  }

  @Test
  void aSiteLeftBehind() throws Exception {
    refuses("A still takes the monitor of this", "void f()", "synchronized void f()");
  }

  @Test
  void aSiteTooMany() throws Exception {
    Programs program = Programs.of(folder, "A.java", SOURCE);
    Patch patch = program.patch();
    Patch claimed =
        new Patch(
            patch.files(),
            List.of(patch.moved().getFirst()),
            patch.fields(),
            patch.declined(),
            patch.places(),
            patch.comments());
    assertTrue(refusal(program, claimed).orElse("").contains("was meant to stay"));
  }

  @Test
  void aClassThatIsGone() throws Exception {
    refuses("have no class A", "class A", "class B");
  }

  @Test
  void aGoodPatch() throws Exception {
    Programs program = Programs.of(folder, "A.java", SOURCE);
    assertEquals(Optional.empty(), refusal(program, program.patch()));
  }

  /** The check compiles with the names of variables. */
  @Test
  void aMonitorThatStaysInClassesWithoutNamesOfVariables() throws Exception {
    Programs program =
        Programs.withoutVariables(
            folder,
            "A.java",
            """
            class A {
              private final Object mutex = new Object();
              int n;
              void own() {
                synchronized (mutex) {
                  n++;
                }
              }
              void given(Object other, boolean swap) {
                synchronized (other) {
                  n--;
                }
                Object either = swap ? other : this;
                synchronized (either) {
                  n--;
                }
              }
            }
            """);
    Patch patch = program.patch();
    assertEquals(1, patch.moved().size());
    assertEquals(Optional.empty(), refusal(program, patch));
    String after = new String(patch.files().getFirst().after().bytes(), UTF_8);
    Optional<String> gone =
        refusal(
            program,
            with(patch, program.source("A.java"), after.replace("synchronized (other)", "")));
    assertTrue(gone.orElse("accepted").contains("which was meant to stay"), gone::toString);
  }

  /** Stands for Lombok: it runs, or the sources are not what the build compiles. */
  @Test
  void theProcessorsOfTheBuildRun() throws Exception {
    Programs processor =
        Programs.of(
            folder.resolve("processor"),
            "Speaks.java",
            """
            import java.util.Set;
            import javax.annotation.processing.*;
            import javax.lang.model.element.TypeElement;
            import javax.tools.Diagnostic;

            @SupportedAnnotationTypes("*")
            public class Speaks extends AbstractProcessor {
              public boolean process(Set<? extends TypeElement> all, RoundEnvironment round) {
                processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, "it ran");
                return false;
              }
            }
            """);
    Path services = Files.createDirectories(processor.classes.resolve("META-INF/services"));
    Files.writeString(services.resolve("javax.annotation.processing.Processor"), "Speaks");
    Programs program =
        Programs.of(folder.resolve("a"), "A.java", "class A { synchronized void run() {} }");
    String own = program.classes.toString();
    String speaks = processor.classes.toString();
    for (Processors found :
        List.of(
            Processors.find(List.of(own, speaks), List.of()),
            Processors.find(List.of(own), List.of(speaks)))) {
      assertEquals(List.of(speaks), found.path());
      PatchCheck check = check(own, found);
      DataException refusal =
          assertThrows(DataException.class, () -> check.problems(program.patch(), program.program));
      assertTrue(refusal.getMessage().contains("it ran"), refusal::getMessage);
    }
    Processors none = Processors.find(List.of(own), List.of());
    assertEquals(Map.of(), check(own, none).problems(program.patch(), program.program));
  }

  @Test
  void aFolderOfJars() throws Exception {
    Programs library = Programs.of(folder.resolve("library"), "B.java", "public class B { }");
    Path jars = Files.createDirectories(folder.resolve("jars"));
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(jars.resolve("b.jar")))) {
      jar.putNextEntry(new ZipEntry("B.class"));
      jar.write(Files.readAllBytes(library.classes.resolve("B.class")));
    }
    Path own = folder.resolve("own");
    Programs.write(own, "B.java", "public class B { }".getBytes(UTF_8));
    Programs.write(own, "A.java", "class A { B b; synchronized void f() { } }".getBytes(UTF_8));
    Programs program = Programs.compiled(own);
    Files.delete(program.classes.resolve("B.class"));
    Patch patch = program.patch();
    String classes = program.classes.toString();
    Map<Path, String> without = problems(patch, classes, program);
    assertTrue(without.toString().contains("does not compile"), without::toString);
    assertEquals(
        Map.of(), problems(patch, classes + File.pathSeparator + jars.resolve("*"), program));
  }

  private static Map<Path, String> problems(Patch patch, String classPath, Programs program)
      throws DataException {
    return PatchCheck.of(
            patch, List.of(classPath), List.of(), type -> 21, KotlinCompilers.NONE, note -> {})
        .orElseThrow()
        .problems(patch, program.program);
  }

  /** What the compiler does not take is left out, with all files of its locks; the rest stays. */
  @Test
  void aFileThatDoesNotCompile() throws Exception {
    Path all = folder.resolve("all");
    Programs.write(
        all,
        "A.java",
        "class A { final Object mutex = new Object(); void f() { synchronized (mutex) { } } }"
            .getBytes(UTF_8));
    // The compiler is not told of what B is made with, so it fails with and without the patch.
    Programs.write(
        all,
        "B.java",
        "class B { Gone gone; final A a = new A(); void g() { synchronized (a.mutex) { } } }"
            .getBytes(UTF_8));
    Programs.write(all, "C.java", "class C { synchronized void f() { } }".getBytes(UTF_8));
    Programs.write(all, "Gone.java", "class Gone { }".getBytes(UTF_8));
    Programs program = Programs.compiled(all);
    Files.delete(program.classes.resolve("Gone.class"));
    WantedLocks wanted =
        new WantedLocks(
            program.locks.stream().map(List::of).collect(Collectors.toSet()), List.of());
    SourceFolders sources = new SourceFolders(List.of(program.sources));
    Patch whole = wanted.patch(program.program, sources);
    assertEquals(3, whole.files().size());
    Patch rest =
        PatchCheck.of(
                whole,
                List.of(program.classes.toString()),
                List.of(),
                type -> 21,
                KotlinCompilers.NONE,
                note -> {})
            .orElseThrow()
            .passing(whole, wanted, program.program, sources);
    assertEquals(
        List.of("C.java"),
        rest.files().stream().map(each -> each.path().getFileName().toString()).toList());
    assertEquals(1, rest.declined().size());
    assertEquals(Obstacle.COMPILER, rest.declined().getFirst().obstacle());
    assertTrue(
        rest.declined().getFirst().reason().startsWith("B.java does not compile even without"),
        rest.declined()::toString);
  }
}
