package io.github.vtdiag.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.BlockingOperation;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassMonitors.Evidence;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Confidence;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.testing.InsertingAgent;
import io.github.vtdiag.testing.Javac;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which place of the class file a monitor gets that a pin held or waited for. */
class FileMonitorsTest {
  private static final ClassRef TYPE = new ClassRef("Two", "app");
  private static final String TWO =
      """
      class Two {
        final Object orders = new Object();
        final Object prices = new Object();
        void run() {
          synchronized (orders) {
            Thread.yield();
          }
          synchronized (prices) {
            Thread.yield();
          }
        }
      }
      """;

  @TempDir private Path folder;

  private byte[] compile(String source) throws IOException {
    return Javac.classFile(folder, "Two", source);
  }

  private static ClassMonitors ran(byte[] classFile) {
    return LockMaps.read(classFile, TYPE, "", Evidence.LOADED_CLASS);
  }

  private static ClassMonitors file(byte[] classFile) {
    return LockMaps.read(classFile, TYPE, "two.jar", Evidence.CLASS_PATH);
  }

  private static List<MonitorRegion> regions(ClassMonitors type) {
    return type.method("run", "()V").map(MethodMonitors::regions).orElseThrow();
  }

  private static Frame frame(int bci, int line, Frame.Kind kind) {
    return new Frame(TYPE, "run", "()V", 0, bci, line, kind);
  }

  private static PinCause held(MonitorRegion region) {
    return new PinCause.HeldMonitor(
        0,
        frame(region.enterBci() + 1, region.firstLine() + 1, Frame.Kind.COMPILED),
        new LockSite(TYPE, "run", "()V", region),
        Confidence.LOADED_BYTECODE,
        List.of());
  }

  private static PinCause inFile(FileMonitors monitors, PinCause cause) {
    return monitors
        .inFiles(
            new Attribution(
                List.of(cause),
                new BlockingOperation(BlockingOperation.Kind.SLEEP, ""),
                Set.of(),
                false))
        .primary();
  }

  private static MonitorId place(MonitorRegion region) {
    return new MonitorId("Two", "run", "()V", region.enterBci());
  }

  /** It may be another monitor of that method, so nobody must take it for the one that is there. */
  @Test
  void anIndexThatBothVersionsHaveIsRefused() throws IOException {
    ClassMonitors ran = ran(compile(TWO.replace("(orders)", "(this)")));
    ClassMonitors file = file(compile(TWO.replace("(prices)", "(this)")));
    MonitorRegion second = regions(ran).get(1);
    FileMonitors monitors = new FileMonitors(type -> List.of(ran, file));
    assertEquals(held(second), inFile(monitors, held(second)));
    assertEquals(
        Map.of(
            place(second),
            "the class file of Two has no such monitor in run: it is a different version"),
        monitors.unmatched());
    assertEquals(List.of(), monitors.gaps());
  }

  @Test
  void ofTwoVersionsOnTheClassPathThatBothFitNoneIsTaken() throws IOException {
    byte[] one = compile(TWO);
    ClassMonitors ran = ran(InsertingAgent.withProbes(InsertingAgent.withProbes(one)));
    ClassMonitors other = file(InsertingAgent.withProbes(one));
    FileMonitors monitors = new FileMonitors(type -> List.of(ran, file(one), other));
    MonitorRegion first = regions(ran).getFirst();
    inFile(monitors, held(first));
    assertEquals(Set.of(place(first)), monitors.unmatched().keySet());
  }

  @Test
  void heldAndEnteredMonitorsGetThePlaceOfTheClassFile() throws IOException {
    byte[] classFile = compile(TWO);
    ClassMonitors ran = ran(InsertingAgent.withProbes(classFile)).changedBy("JaCoCo");
    ClassMonitors file = file(classFile);
    FileMonitors monitors = new FileMonitors(type -> List.of(ran, file));
    for (int i = 0; i < 2; i++) {
      MonitorRegion before = regions(ran).get(i);
      MonitorRegion after = regions(file).get(i);
      assertTrue(before.enterBci() > after.enterBci());
      PinCause.HeldMonitor held =
          assertInstanceOf(PinCause.HeldMonitor.class, inFile(monitors, held(before)));
      assertEquals(after, held.site().region());
      int line = before.firstLine();
      // The interpreter stands at the next instruction.
      for (PinCause entry :
          List.of(
              new PinCause.MonitorEntry(frame(before.enterBci(), line, Frame.Kind.COMPILED), "X"),
              new PinCause.MonitorEntry(
                  frame(before.enterBci() + 1, line + 1, Frame.Kind.INTERPRETED), "X"))) {
        PinCause.MonitorEntry entered =
            assertInstanceOf(PinCause.MonitorEntry.class, inFile(monitors, entry));
        assertEquals(after.enterBci(), entered.enterBci());
      }
    }
    assertEquals(Map.of(), monitors.unmatched());
    assertEquals(
        List.of(
            "JaCoCo changed the bytecode of Two; its monitors are matched with the class file's by"
                + " their order"),
        monitors.gaps().stream().map(Gap::text).toList());
  }

  /** No recording has the bytecode of an agent that comes after vtdiag's, or without it. */
  @Test
  void withoutTheBytecodeThatRanTheLineTellsWhichMonitorIsEntered() throws IOException {
    ClassMonitors file = file(compile(TWO));
    FileMonitors monitors = new FileMonitors(type -> List.of(file));
    MonitorRegion first = regions(file).getFirst();
    MonitorRegion second = regions(file).get(1);
    PinCause entry =
        new PinCause.MonitorEntry(
            frame(first.enterBci(), second.firstLine(), Frame.Kind.COMPILED), "X");
    PinCause.MonitorEntry entered =
        assertInstanceOf(PinCause.MonitorEntry.class, inFile(monitors, entry));
    assertEquals(second.enterBci(), entered.enterBci());
    PinCause nowhere = new PinCause.MonitorEntry(frame(99, 1, Frame.Kind.COMPILED), "X");
    assertEquals(nowhere, inFile(monitors, nowhere));
  }
}
