package io.github.vtdiag.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.testing.InsertingAgent;
import io.github.vtdiag.testing.Javac;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

/** Which monitors of changed bytecode are those of the class file; first those that are not. */
class MonitorMatchTest {
  private static final String TWO =
      """
      class Two {
        private final Object orders = new Object();
        private final Object prices = new Object();
        int count;
        void run(Object any) throws Exception {
          for (int i = 0; i < 3; i++) count++;
          synchronized (orders) {
            Thread.sleep(1);
          }
          while (count > 9) count--;
          synchronized (prices) {
            Thread.sleep(2);
            count++;
          }
          synchronized (any) {
            Thread.yield();
          }
        }
      }
      """;

  @TempDir private Path folder;

  private byte[] compile(String source) throws IOException {
    return Javac.classFile(folder, "Two", source);
  }

  private static byte[] withoutDebugInformation(byte[] classFile) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(classFile).accept(writer, ClassReader.SKIP_DEBUG);
    return writer.toByteArray();
  }

  private static MethodMonitors run(byte[] classFile) {
    return LockMaps.read(
            classFile, new ClassRef("Two", "app"), "", ClassMonitors.Evidence.CLASS_PATH)
        .methods()
        .stream()
        .filter(method -> method.name().equals("run"))
        .findFirst()
        .orElseThrow();
  }

  private static MonitorMatch match(byte[] ran, byte[] file) {
    return MonitorMatch.of(run(ran), run(file));
  }

  private void assertRefused(String why, byte[] ran, byte[] file) {
    assertEquals(new MonitorMatch.None(why), match(ran, file));
  }

  @Test
  void anotherVersionHasMoreMonitors() throws Exception {
    String more = TWO.replace("while (", "synchronized (this) { count++; } while (");
    assertRefused(
        "it ran with 3 monitors, and the class file has 4",
        InsertingAgent.withProbes(compile(TWO)),
        compile(more));
  }

  @Test
  void anotherVersionLocksSomethingElse() throws Exception {
    String swapped =
        TWO.replace("(orders)", "(x)").replace("(prices)", "(orders)").replace("(x)", "(prices)");
    assertRefused(
        "its monitor 1 locks this.orders, and this.prices in the class file",
        InsertingAgent.withProbes(compile(TWO)),
        compile(swapped));
  }

  @Test
  void anotherVersionHasOtherLines() throws Exception {
    assertRefused(
        "its monitor 1 is on line 7, and on line 8 in the class file",
        InsertingAgent.withProbes(compile(TWO)),
        compile(TWO.replace("  for", "\n  for")));
  }

  @Test
  void anotherVersionCallsSomethingElse() throws Exception {
    String calls = "its calls are not those of the class file";
    assertRefused(
        calls,
        InsertingAgent.withProbes(compile(TWO)),
        compile(TWO.replace("(2);", "(2); w();").replace("int count;", "int count; void w() {}")));
    // The same calls, one of them outside of the lock.
    String outside = TWO.replace("Thread.sleep(1);\n    }", "} Thread.sleep(1);\n");
    assertNotEquals(TWO, outside);
    assertRefused(calls, InsertingAgent.withProbes(compile(TWO)), compile(outside));
  }

  @Test
  void withoutLinesWhatLocksTheSameIsAmbiguous() throws Exception {
    byte[] file = withoutDebugInformation(compile(TWO.replace("(prices)", "(orders)")));
    String ambiguous = "without line numbers, monitors that lock the same cannot be told apart";
    assertRefused(ambiguous, InsertingAgent.withProbes(file), file);
    byte[] fields = withoutDebugInformation(compile(TWO.replace("(any)", "(this)")));
    assertInstanceOf(MonitorMatch.ByOrder.class, match(InsertingAgent.withProbes(fields), fields));
  }

  @Test
  void theSameBytecodeNeedsNoMatch() throws Exception {
    assertEquals(new MonitorMatch.Unchanged(), match(compile(TWO), compile(TWO)));
  }

  @Test
  void insertedCodeMovesThemAndKeepsTheirOrder() throws Exception {
    byte[] file = compile(TWO);
    byte[] ran = InsertingAgent.withProbes(file);
    assertOrder(run(ran).regions(), run(file).regions(), match(ran, file));
  }

  private static void assertOrder(
      List<MonitorRegion> ran, List<MonitorRegion> file, MonitorMatch match) {
    MonitorMatch.ByOrder order = assertInstanceOf(MonitorMatch.ByOrder.class, match);
    assertEquals(3, order.inFile().size());
    for (int i = 0; i < ran.size(); i++) {
      assertEquals(file.get(i), order.inFile().get(ran.get(i).enterBci()));
    }
  }

  /** A place of the class file has another monitor than the same place of what ran. */
  @Test
  void anIndexThatIsTheSameByChanceIsNoMatch() throws Exception {
    byte[] file = compile(TWO);
    int second = run(file).regions().get(1).enterBci();
    int probes = 0;
    byte[] ran;
    do {
      // A probe has three bytes; where that does not fit, so has the loop before the second.
      ran = InsertingAgent.withProbes(file, ++probes);
    } while (run(ran).regions().getFirst().enterBci() < second);
    List<MonitorRegion> regions = run(ran).regions();
    assertOrder(regions, run(file).regions(), match(ran, file));
    assertTrue(regions.getFirst().enterBci() >= second, regions::toString);
  }
}
