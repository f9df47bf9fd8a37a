package io.github.vtdiag.analysis;

import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Confidence;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.pin.Attributor.LockMapSource;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class SiteNumbersTest {
  private static final LockMapSource NONE = type -> List.of();

  /** What is looked at: its bytecode. */
  static final class TwoBlocks {
    void run(Object a, Object b) {
      synchronized (a) {
        a.notifyAll();
      }
      synchronized (b) {
        b.notifyAll();
      }
      synchronized (this) {
        b.notifyAll();
      }
    }

    void run(Object a) {
      synchronized (a) {
        a.notifyAll();
      }
    }
  }

  private static ClassMonitors read(Class<?> type) throws Exception {
    String name = type.getName();
    try (InputStream in =
        type.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
      return LockMaps.read(
          in.readAllBytes(), new ClassRef(name, "app"), "", ClassMonitors.Evidence.LOADED_CLASS);
    }
  }

  /** The identity of the only finding of a run in which a thread pinned in one of the blocks. */
  private static Identity alone(ClassMonitors map, String descriptor, int block, LockMapSource maps)
      throws Exception {
    MethodMonitors method = map.method("run", descriptor).orElseThrow();
    int bci = method.regions().get(block).ranges().getFirst().from();
    Frame frame = new Frame(map.type(), "run", descriptor, 0, bci, 1, Frame.Kind.INTERPRETED);
    PinCause cause =
        new PinCause.HeldMonitor(
            0,
            frame,
            new LockSite(map.type(), "run", descriptor, method.regions().get(block)),
            Confidence.LOADED_BYTECODE,
            List.of());
    Findings findings = new Pins().pin(1, 50, stack(frame), cause).findings();
    findings = findings.withNumbers(SiteNumbers.of(findings.pins(), maps));
    return Identities.of(findings).of(findings.pins().getFirst());
  }

  private static final String TWO = "(Ljava/lang/Object;Ljava/lang/Object;)V";
  private static final String ONE = "(Ljava/lang/Object;)V";

  @Test
  void twoBlocksEachAloneInItsRecordingAreTwoSites() throws Exception {
    ClassMonitors map = read(TwoBlocks.class);
    LockMapSource maps = type -> List.of(map);
    Identity overload = alone(map, ONE, 0, maps);
    Identity first = alone(map, TWO, 0, maps);
    Identity second = alone(map, TWO, 1, maps);
    String kin = "SYNCHRONIZED_BLOCK " + TwoBlocks.class.getName() + ".run on PARAMETER";
    assertEquals(kin, overload.text());
    assertEquals(kin + " #2", first.text());
    assertEquals(kin + " #3", second.text());
    assertFalse(second.ambiguous());
    assertNotEquals(first.fingerprint(), second.fingerprint());
    // A block of another lock is none of them.
    assertEquals(1, alone(map, TWO, 2, maps).number());
  }

  @Test
  void withoutALockMapTheNumberIsThatOfTheRun() throws Exception {
    ClassMonitors map = read(TwoBlocks.class);
    for (int block = 0; block < 2; block++) {
      Identity identity = alone(map, TWO, block, NONE);
      assertEquals(1, identity.number());
      assertTrue(identity.ambiguous());
    }
  }

  @Test
  void aLockMapOfAnotherVersionTellsNothing() throws Exception {
    ClassMonitors map = read(TwoBlocks.class);
    ClassMonitors other = read(SiteNumbersTest.class);
    assertTrue(alone(map, TWO, 1, type -> List.of(other)).ambiguous());
  }
}
