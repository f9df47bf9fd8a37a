package io.github.vtdiag.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Javac;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What no call can lead to first. */
final class CallGraphTest {
  private static final String SOURCE =
      """
      package p;
      interface Step { void go(); }
      class Made implements Step { public void go() { } }
      class NeverMade implements Step { public void go() { } }
      class Named implements Step { public void go() { } }
      class Above { void hook() { } final void fixed() { hook(); } }
      class Below extends Above { void hook() { } }
      class Uses {
        static void made(Step step) throws Exception {
          new Made();
          Class.forName("p.Named");
          step.go();
        }
        static void lambda() { run(() -> body(), 1); }
        static void body() { lambda(); }
        static void run(Runnable task, int times) { task.run(); }
        static void hooks(Above above) { new Below(); above.fixed(); }
        static void list(java.util.List<String> list) { list = new java.util.ArrayList<>(); list.size(); }
        static String text(Object any) { return any.toString(); }
      }
      """;

  @TempDir private Path folder;
  private Path out;

  @BeforeEach
  void compile() throws IOException {
    out = Files.createDirectory(folder.resolve("classes"));
    Path file = Files.writeString(folder.resolve("Program.java"), SOURCE);
    Javac.compile(out, List.of(file));
  }

  private CallGraph graph() throws Exception {
    try (Program program =
        Program.readWithCalls(
            ClassPathBytes.open(List.of(out.toString()), 21), JdkClasses.running())) {
      return program.calls().orElseThrow();
    }
  }

  /** Where the calls in a method can lead, and what bodies of lambdas it makes. */
  private static Set<String> targets(
      CallGraph graph, String owner, String name, String descriptor) {
    int method = graph.method(new MethodName(owner, name, descriptor));
    assertTrue(method >= 0, name);
    Set<String> targets = new TreeSet<>();
    for (int call = graph.firstCall(method); call < graph.endOfCalls(method); call++) {
      for (int target : graph.targets(call)) {
        MethodName found = graph.name(target);
        targets.add(found.owner() + "." + found.name());
      }
    }
    return targets;
  }

  @Test
  void callDoesNotLeadToTypeThatNobodyCreates() throws Exception {
    Set<String> targets = targets(graph(), "p/Uses", "made", "(Lp/Step;)V");
    assertFalse(targets.contains("p/NeverMade.go"), targets::toString);
    assertTrue(targets.containsAll(Set.of("p/Made.go", "p/Named.go")), targets::toString);
  }

  @Test
  void callOfWhatEveryObjectHasLeadsToObject() throws Exception {
    assertEquals(
        Set.of("java/lang/Object.toString"),
        targets(graph(), "p/Uses", "text", "(Ljava/lang/Object;)Ljava/lang/String;"));
  }

  @Test
  void inheritedMethodCallsWhatTheSubclassOverrides() throws Exception {
    assertEquals(Set.of("p/Below.hook"), targets(graph(), "p/Above", "fixed", "()V"));
  }

  @Test
  void callOfInterfaceLeadsToLambda() throws Exception {
    assertEquals(
        Set.of("p/Uses.lambda$lambda$0"),
        targets(graph(), "p/Uses", "run", "(Ljava/lang/Runnable;I)V"));
    assertEquals(Set.of("p/Uses.body"), targets(graph(), "p/Uses", "lambda$lambda$0", "()V"));
  }

  @Test
  void callLeadsIntoTheJdk() throws Exception {
    CallGraph graph = graph();
    Set<String> targets = targets(graph, "p/Uses", "list", "(Ljava/util/List;)V");
    assertTrue(targets.contains("java/util/ArrayList.size"), targets::toString);
    int sleep = graph.method(new MethodName("java/lang/Thread", "sleep", "(J)V"));
    assertTrue(graph.isJdk(sleep) && graph.declares(sleep, Thrown.INTERRUPTED));
    assertEquals(-1, graph.method(new MethodName("java/lang/Thread", "doze", "(J)V")));
  }

  /** No JVM loads such classes. */
  @Test
  void typesThatExtendEachOtherAreReadAllTheSame() throws Exception {
    for (String[] pair : new String[][] {{"p/Ring", "p/Gnir"}, {"p/Gnir", "p/Ring"}}) {
      ClassWriter ring = new ClassWriter(0);
      ring.visit(Opcodes.V21, Opcodes.ACC_PUBLIC, pair[0], null, pair[1], null);
      MethodVisitor method = ring.visitMethod(Opcodes.ACC_PUBLIC, "m", "()V", null, null);
      method.visitCode();
      method.visitTypeInsn(Opcodes.NEW, pair[0]);
      method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, pair[0], "none", "()V", false);
      method.visitInsn(Opcodes.RETURN);
      method.visitMaxs(1, 1);
      method.visitEnd();
      Files.write(out.resolve(pair[0] + ".class"), ring.toByteArray());
    }
    assertEquals(Set.of(), targets(graph(), "p/Ring", "m", "()V"));
  }
}
