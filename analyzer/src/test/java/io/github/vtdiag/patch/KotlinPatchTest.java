package io.github.vtdiag.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.Lock.Identity;
import io.github.vtdiag.source.DeclinedException;
import io.github.vtdiag.source.KotlinFile;
import io.github.vtdiag.source.KotlinFile.Site;
import io.github.vtdiag.source.KotlinSites;
import io.github.vtdiag.source.SourceFolders;
import io.github.vtdiag.source.SourceText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patches of Kotlin for monitors that are made up for the sites of the text; no code runs. */
class KotlinPatchTest {
  @TempDir Path folder;

  /** What a patch makes of a file whose sites all lock instances of one class. */
  private Patch patch(String text, String type) throws Exception {
    Path file = folder.resolve("A.kt");
    Files.writeString(file, text);
    List<LockSite> sites = new ArrayList<>();
    List<ClassMonitors> program = new ArrayList<>();
    for (Site site :
        KotlinFile.parse(file, SourceText.of(text.getBytes(StandardCharsets.UTF_8))).sites()) {
      boolean isMethod = site instanceof Site.Method;
      MonitorRegion region =
          new MonitorRegion(
              isMethod ? MonitorRegion.Kind.METHOD : MonitorRegion.Kind.BLOCK,
              LockExpression.THIS,
              isMethod ? -1 : 4,
              site.firstLine(),
              site.lastLine(),
              List.of());
      MethodMonitors method =
          new MethodMonitors("m" + sites.size(), "()V", List.of(region), true, List.of());
      ClassRef owner = new ClassRef(site.type().name(), "", "A.kt");
      program.add(new ClassMonitors(owner, "", ClassMonitors.Evidence.CLASS_PATH, List.of(method)));
      sites.add(new LockSite(owner, method.name(), "()V", region));
    }
    Lock lock = new Lock(new Identity.Instances(type), Lock.Keeper.NEW_FIELD, sites, List.of());
    return Patcher.patch(List.of(lock), program, new SourceFolders(List.of(folder.toRealPath())));
  }

  private String patched(String text) throws Exception {
    Patch patch = patch(text, text.startsWith("package a") ? "a.A" : "A");
    assertEquals(List.of(), patch.declined());
    return new String(patch.files().getFirst().after().bytes(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fun withLock(f: () -> Unit) = f() | has a withLock or a ReentrantLock of its own",
        "class ReentrantLock { } | has a withLock or a ReentrantLock of its own",
        "enum class A { X; @Synchronized fun f() = 1 } | A is declared as enum",
        "enum class A { X { @Synchronized fun f() = 1 }, Y } | A$X is declared as an entry of an"
            + " enum",
        "interface A { fun f() = synchronized(this) { 1 } } | A is declared as interface",
        "class A { fun f() = synchronized(g()) { 1 } } | no plain name",
        "class A { fun f() = synchronized(/* me */ this) { 1 } } | no plain name",
        "class B { fun f(a: A) = synchronized(a) { 1 } }; class A { } | outside of A",
      })
  void theseStay(String text, String why) throws Exception {
    boolean isWhole = text.contains("ynchronized");
    String type = why.contains("A$X") ? "A$X" : "A";
    Patch patch = patch(isWhole ? text : text + "\nclass A { @Synchronized fun f() = 1 }", type);
    assertEquals(
        1,
        patch.declined().size(),
        () -> new String(patch.files().getFirst().after().bytes(), StandardCharsets.UTF_8));
    String said = patch.declined().getFirst().reason();
    assertTrue(said.contains(why), said);
    assertEquals(List.of(), patch.files());
  }

  /** Monitors of one class, whose source file has another name than the Kotlin file here. */
  private static ClassMonitors elsewhere(String name, String file, int line) {
    MonitorRegion region =
        new MonitorRegion(
            MonitorRegion.Kind.BLOCK, LockExpression.UNKNOWN, 4, line, line, List.of());
    return new ClassMonitors(
        new ClassRef(name, "", file),
        "",
        ClassMonitors.Evidence.CLASS_PATH,
        List.of(new MethodMonitors("afterChange", "()V", List.of(region), true, List.of())));
  }

  /** Kotlin copies an object of an inline function, with the lambda of the caller. */
  @ParameterizedTest
  @CsvSource({"true, A$special$$inlined$observable$1", "false, B$special$$inlined$observable$1"})
  void aBlockInAnInlinedObjectLeavesTheRestOfTheFile(boolean fits, String name) throws Exception {
    Path file = folder.resolve("A.kt");
    String text = "class A { var n by observable(0) { _, _, _ -> synchronized(this) { } } }";
    Files.writeString(file, text);
    KotlinFile parsed =
        KotlinFile.parse(file, SourceText.of(text.getBytes(StandardCharsets.UTF_8)));
    ClassMonitors inlined = elsewhere(name, "Delegates.kt", 74);
    if (!fits) {
      String said =
          assertThrows(DeclinedException.class, () -> new KotlinSites(parsed, List.of(inlined)))
              .getMessage();
      assertEquals("A.kt does not match the classes: no class has the monitor of line 1", said);
      return;
    }
    KotlinSites sites = new KotlinSites(parsed, List.of(inlined));
    MonitorId monitor = new MonitorId(name, "afterChange", "()V", 4);
    String said = assertThrows(DeclinedException.class, () -> sites.source(monitor)).getMessage();
    assertEquals(name + ".afterChange takes it in code that Kotlin inlines there", said);
  }

  @Test
  void whatAnotherLibraryWritesGetsNoProperty() throws Exception {
    Patch patch =
        patch(
            "import kotlinx.serialization.Serializable\nclass A { @Synchronized fun f() = 1 }",
            "A");
    assertTrue(
        patch.declined().getFirst().reason().contains("kotlinx.serialization"),
        patch.declined()::toString);
  }

  @Test
  void withoutACompilerNothingIsVerified() throws Exception {
    Patch patch = patch("class A { @Synchronized fun f() = 1 }", "A");
    try (PatchCheck check =
        PatchCheck.of(
                patch,
                List.of(folder.toString()),
                List.of(),
                type -> 21,
                KotlinCompilers.NONE,
                note -> {})
            .orElseThrow()) {
      assertEquals(
          List.of(
              "no Kotlin compiler was found to verify the patched A.kt; name one with"
                  + " --kotlin-compiler, or add --no-verify"),
          List.copyOf(check.problems(patch, List.of()).values()));
    }
  }

  @Test
  void bodiesKeepTheirForm() throws Exception {
    assertEquals(
        """
        package a

        import b.C
        import java.util.concurrent.locks.ReentrantLock
        import kotlin.concurrent.withLock

        class A {
        \t@Transient private val instanceLock = ReentrantLock()

        \t/** Says. */
        \tfun empty() { instanceLock.withLock {} }
        \tfun line(): Int { instanceLock.withLock { return 1 } }
        \tfun comment() { // why
        \t\tinstanceLock.withLock {
        \t\t\tlock = ""\"
          as it is ${
        \t\t\t\t1
        \t\t\t}
        ""\"
        \t\t}
        \t}
        \tinternal fun follows() {
        \t\tinstanceLock.withLock {
        \t\t\tone()
        \t\t\ttwo()
        \t\t}
        \t}
        \tfun whole(x: Int) = instanceLock.withLock {
        \t\twhen (x) {
        \t\t\t1 -> 2
        \t\t\telse -> 3
        \t\t}
        \t}

        \tfun below(): Int =
        \t\tinstanceLock.withLock { 1 } // one
        \tfun block() {
        \t\tinstanceLock.withLock { 1 }
        \t}
        }
        """,
        patched(
            """
            package a

            import b.C

            class A {
            \t/** Says. */
            \t@Synchronized fun empty() { }
            \t@Synchronized fun line(): Int { return 1 }
            \t@Synchronized
            \tfun comment() { // why
            \t\tlock = ""\"
              as it is ${
            \t\t\t1
            \t\t}
            ""\"
            \t}
            \t@Synchronized internal fun follows() { one()
            \t\ttwo() }
            \t@Synchronized fun whole(x: Int) = when (x) {
            \t\t1 -> 2
            \t\telse -> 3
            \t}

            \t@Synchronized
            \tfun below(): Int =
            \t\t1 // one
            \tfun block() {
            \t\tsynchronized(this) { 1 }
            \t}
            }
            """));
  }

  @Test
  void withoutAPackageImportsComeFirst() throws Exception {
    assertEquals(
        """
        import java.util.concurrent.locks.ReentrantLock
        import kotlin.concurrent.withLock

        class A { @Transient private val lock = ReentrantLock(); fun f() = lock.withLock { 1 } }\
        """,
        patched("class A { @Synchronized fun f() = 1 }"));
    assertEquals(
        """
        import java.util.concurrent.locks.*
        import kotlin.concurrent.withLock
        import x.Transient

        class A { @kotlin.jvm.Transient private val lock = ReentrantLock(); fun f() = lock.withLock { 1 } }\
        """,
        patched(
            """
            import java.util.concurrent.locks.*
            import kotlin.concurrent.withLock
            import x.Transient

            class A { @Synchronized fun f() = 1 }\
            """));
  }
}
