package io.github.vtdiag.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.source.SourceAgreement;
import io.github.vtdiag.source.SourceFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class SourceAgreementTest {
  @TempDir private Path folder;

  /** Has no monitor of its own, so that nothing but this comparison looks at it. */
  private static final String AUDIT =
"""
      package shop;

      import java.util.ArrayList;
      import java.util.List;
      import java.util.function.Supplier;

      class Audit<T extends Comparable<T>> extends Thread {
        static final boolean TRACE = false;
        private static final List<Object> SEEN = new ArrayList<>();
        private final Object account = new Object();
        private Object other;
        private T[] all;

        Audit(String... names) {
          super(names[0]);
        }

        <E extends CharSequence> void look(E name, T[] values, int... counts) {
          if (TRACE) {
            System.out.println(name);
          }
          Runnable one = () -> SEEN.add(name);
          Runnable two = () -> SEEN.add(name);
          Supplier<String> text = name::toString;
          one.run();
          two.run();
          text.get();
          other = null;
        }

        class Line {
          int number = SEEN.size();
        }

        enum Kind { A, B { @Override int level() { return 2; } }; int level() { return 1; } }

        record Entry(String name) {}

        private static final Object B = new Object();

        static Object of(Kind kind) {
          class Other {}
          switch (kind) {
            case B:
              return new Other();
            default:
              return B;
          }
        }
      }
""";

  private List<String> check(String... pathsAndTexts) throws IOException, DataException {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Programs.write(folder, "shop/Audit.java", AUDIT.getBytes(UTF_8));
    Programs.compile(folder.resolve("src"), classes);
    for (int i = 0; i < pathsAndTexts.length; i += 2) {
      Programs.write(folder, pathsAndTexts[i], pathsAndTexts[i + 1].getBytes(UTF_8));
    }
    return checkAsCompiled();
  }

  private List<String> checkAsCompiled() throws IOException, DataException {
    List<String> path =
        Stream.of("classes", "generated")
            .map(folder::resolve)
            .filter(Files::exists)
            .map(Path::toString)
            .toList();
    try (Program program = Program.read(ClassPathBytes.open(path, 21), JdkClasses.running())) {
      return SourceAgreement.check(
          program, new SourceFolders(List.of(folder.resolve("src").toRealPath())));
    }
  }

  private String refusal(String... pathsAndTexts) {
    try {
      return String.join("; ", check(pathsAndTexts));
    } catch (IOException | DataException e) {
      return e.getMessage();
    }
  }

  /** Quarkus generates Hibernate's proxies in the build. All locks of the program stayed. */
  @Test
  void aProxyThatABuildGeneratesBesideAClassIsNotOfItsSource() throws Exception {
    assertEquals(List.of(), check());
    ClassWriter proxy = new ClassWriter(0);
    proxy.visit(
        Opcodes.V17, Opcodes.ACC_PUBLIC, "shop/Audit$HibernateProxy", null, "shop/Audit", null);
    MethodVisitor run =
        proxy.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNCHRONIZED, "run", "()V", null, null);
    run.visitCode();
    run.visitInsn(Opcodes.RETURN);
    run.visitMaxs(0, 1);
    run.visitEnd();
    proxy.visitEnd();
    Path generated = Files.createDirectories(folder.resolve("generated/shop"));
    Files.write(generated.resolve("Audit$HibernateProxy.class"), proxy.toByteArray());
    assertEquals(List.of(), checkAsCompiled());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          other = null;             | synchronized (account) { other = null; } | no class has the synchronized on line 28
          other = null;             | other = account;                         | line 28 uses the field account
          other = null;             | other = this.account;                    | line 28 uses the field account
          other = null;             | other = null; SEEN.add(account);         | line 28 calls add
          other = null;             | other = new Thread();                    | line 28 creates a Thread
          one.run();                | one.run(); two.run();                    | line 25 calls run
          two.run();                | two.notifyAll();                         | line 26 calls notifyAll
          if (TRACE)                | if (SEEN.isEmpty())                      | line 19 calls isEmpty
          private final Object      | private Object                           | the modifiers of account on line 10 changed
          private Object other      | private static Object other              | the modifiers of other on line 11 changed
          private T[] all           | private T all                            | Audit has no field all as on line 12
          private Object other;     |                                          | it has no field other
          void look(E name          | void look(String name                    | Audit has no method look as on line 18
          <E extends                | static <E extends                        | Audit has no method look as on line 18
          class Line                | class Row                                | there is no class Row
          """)
  void anEditThatWasNotBuilt(String old, String edited, String words) {
    assertTrue(AUDIT.contains(old), old);
    String text = AUDIT.replaceFirst(Pattern.quote(old), edited == null ? "" : edited);
    String refusal = refusal("shop/Audit.java", text);
    assertTrue(
        refusal.startsWith(
            "1 file is left out, with all locks taken there: Audit.java does not match the classes:"
                + " "
                + words),
        refusal);
    assertEquals(
        edited != null && (edited.contains("synchronized") || edited.contains("notifyAll")),
        refusal.contains("only private fields of other files move"),
        refusal);
  }

  @Test
  void aFileThatWasNotBuilt() {
    String leftOut =
        "1 file is left out, with all locks taken there: New.java has no classes on the class path";
    assertEquals(leftOut, refusal("shop/New.java", "package shop; class New {}"));
    assertEquals(
        leftOut.replace("New.java", "Newer.java")
            + "; Newer.java may take locks that its classes do not, so only private fields of other"
            + " files move; build, then run again",
        refusal("shop/Newer.java", "package shop; class Newer { synchronized void m() {} }"));
  }

  @Test
  void aFileThatDoesNotParse() {
    String refusal = refusal("shop/Audit.java", AUDIT + "}");
    assertTrue(refusal.contains("Audit.java cannot be parsed"), refusal);
  }

  @Test
  void classesWithoutSourcesAreSaid() throws Exception {
    assertEquals(List.of(), check());
    // Locks are all that counts: builds make classes, too.
    for (String old : List.of("Old { synchronized void m() { } }", "Generated { }")) {
      String file = "shop/" + old.split(" ", 2)[0] + ".java";
      Programs.write(folder, file, ("package shop; class " + old).getBytes(UTF_8));
    }
    Programs.compile(folder.resolve("src"), folder.resolve("classes"));
    Files.delete(folder.resolve("src/shop/Old.java"));
    Files.delete(folder.resolve("src/shop/Generated.java"));
    assertEquals(
        List.of(
            "shop.Old has no source in the given folders, so the locks that it takes stay monitors;"
                + " delete what an older build left behind"),
        check());
  }

  @Test
  void whatCompilersLeaveOutOrPutTogetherIsNoDifference() throws Exception {
    assertEquals(List.of(), check());
    assertEquals(
        List.of(),
        check(
            "shop/Audit.java",
            AUDIT.replace("println(name)", "println(account)"),
            "shop/package-info.java",
            "/** Shop. */ package shop;"));
  }

  @Test
  void aMethodThatAnEnhancerAddedHasNoSource() throws Exception {
    assertEquals(List.of(), check());
    Path compiled = folder.resolve("classes/shop/Audit.class");
    byte[] plain = Files.readAllBytes(compiled);
    Files.write(compiled, withMethod(plain, false));
    assertEquals(List.of(), checkAsCompiled());
    // A compiler numbers the lines: the source had this method when it was compiled.
    Files.write(compiled, withMethod(plain, true));
    List<String> stale = checkAsCompiled();
    assertTrue(stale.getFirst().contains("it has no method getAll"), stale::toString);
  }

  private static byte[] withMethod(byte[] classFile, boolean numbered) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(writer, 0);
    MethodVisitor added = writer.visitMethod(Opcodes.ACC_PUBLIC, "getAll", "()V", null, null);
    added.visitCode();
    if (numbered) {
      Label start = new Label();
      added.visitLabel(start);
      added.visitLineNumber(30, start);
    }
    added.visitInsn(Opcodes.RETURN);
    added.visitMaxs(0, 1);
    added.visitEnd();
    return writer.toByteArray();
  }
}
