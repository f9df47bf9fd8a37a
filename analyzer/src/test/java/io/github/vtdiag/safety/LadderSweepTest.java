package io.github.vtdiag.safety;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.program.ClassBytes;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.Program;
import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Decides on every monitor of real libraries. */
final class LadderSweepTest {

  private static List<ClassBytes> classes(String library) throws DataException {
    String jar =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> new File(entry).getName().startsWith(library + "-"))
            .findFirst()
            .orElseThrow();
    try (ClassPathBytes classPath = ClassPathBytes.open(List.of(jar), 21)) {
      return classPath.all();
    }
  }

  private static LockSafety ladder(List<ClassBytes> classes) {
    Program program = Program.read(classes, JdkClasses.running());
    assertEquals(List.of(), program.problems());
    return new LockSafety(program);
  }

  private static List<LockSite> sites(Decision decision) {
    return switch (decision) {
      case Decision.Movable(Lock lock) -> lock.sites();
      case Decision.Declined declined -> declined.sites();
    };
  }

  private static int countMonitors(byte[] bytes) {
    int[] count = {0};
    new ClassReader(bytes)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String descriptor, String signature, String[] thrown) {
                if ((access & Opcodes.ACC_SYNCHRONIZED) != 0
                    && (access & Opcodes.ACC_NATIVE) == 0) {
                  count[0]++;
                }
                return new MethodVisitor(Opcodes.ASM9) {
                  @Override
                  public void visitInsn(int opcode) {
                    if (opcode == Opcodes.MONITORENTER) {
                      count[0]++;
                    }
                  }
                };
              }
            },
            0);
    return count[0];
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"postgresql", "commons-pool2", "hsqldb", "picocli", "junit-platform-engine"})
  void everyMonitorHasOneDecision(String library) throws Exception {
    List<ClassBytes> classes = classes(library);
    LockSafety ladder = ladder(classes);
    List<LockSite> decided = ladder.all().stream().flatMap(each -> sites(each).stream()).toList();
    assertEquals(Set.copyOf(decided).size(), decided.size(), "a site has two decisions");
    assertEquals(
        classes.stream().mapToInt(each -> countMonitors(each.bytes())).sum(), decided.size());
    for (Decision decision : ladder.all()) {
      for (LockSite site : sites(decision)) {
        assertEquals(decision, ladder.decide(site));
      }
      if (decision instanceof Decision.Declined declined) {
        assertTrue(!declined.reason().isBlank());
      }
    }
    assertEquals(ladder.all(), ladder(classes).all(), "it decides differently the second time");
  }

  /** What pgjdbc 42.6.0 rewrote by hand. */
  @Test
  void theLocksThatPgjdbcItselfMovedAreMovable() throws Exception {
    LockSafety ladder = ladder(classes("postgresql"));
    assertMovable(ladder, "org.postgresql.core.QueryExecutorBase", "v3.QueryExecutorImpl.execute");
    assertMovable(
        ladder, "org.postgresql.jdbc.PgStatement", "jdbc.PgPreparedStatement.executeUpdate");
    assertMovable(ladder, "org.postgresql.jdbc.PgResultSet", "jdbc.PgResultSet.updateRow");
    assertMovable(ladder, "org.postgresql.jdbc.TypeInfoCache", "jdbc.TypeInfoCache.getSQLType");
  }

  private static void assertMovable(LockSafety ladder, String type, String method) {
    Lock.Identity identity = new Lock.Identity.Instances(type);
    Decision.Movable movable =
        ladder.all().stream()
            .filter(Decision.Movable.class::isInstance)
            .map(Decision.Movable.class::cast)
            .filter(each -> each.lock().identity().equals(identity))
            .findFirst()
            .orElseThrow(() -> new AssertionError(type + " is declined"));
    Set<String> methods =
        movable.lock().sites().stream().map(LockSite::qualifiedMethod).collect(Collectors.toSet());
    assertTrue(
        methods.stream().anyMatch(each -> each.endsWith(method)),
        () -> method + " not in " + methods);
    assertInstanceOf(Decision.Movable.class, ladder.decide(movable.lock().sites().getFirst()));
  }
}
