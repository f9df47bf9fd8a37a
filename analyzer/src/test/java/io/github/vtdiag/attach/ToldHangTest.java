package io.github.vtdiag.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.hang.DiagnosisKind;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class ToldHangTest {
  private static List<ToldHang> of(String... namesAndTexts) {
    Properties said = new Properties();
    for (int i = 0; i < namesAndTexts.length; i += 2) {
      said.setProperty(namesAndTexts[i], namesAndTexts[i + 1]);
    }
    return ToldHang.of(said);
  }

  @Test
  void onlyHangsThatLastAreTold() {
    assertEquals(List.of(), of("vtdiag.recording", "a.jfr", "vtdiag.hang.1", ""));
  }

  private static ToldHang one(String kind, String text) {
    return of("vtdiag.hang.1", text, "vtdiag.hangKind.1", kind).getFirst();
  }

  @Test
  void theyComeInTheOrderInWhichTheyBegan() {
    assertEquals(
        List.of("b", "a"),
        of("vtdiag.hang.10", "a", "vtdiag.hang.9", "b").stream().map(ToldHang::text).toList());
  }

  @Test
  void aHangKeepsItsKind() {
    ToldHang hang =
        one(
            "NeverReleased\ntrue\n2 threads wait for a lock: a",
            "lock never released: 2 threads wait for a lock: a\n  in x\n");
    assertEquals(Optional.of(DiagnosisKind.NEVER_RELEASED), hang.known());
    assertEquals("lock never released", hang.title());
    assertEquals("2 threads wait for a lock: a", hang.statement());
    assertEquals(List.of("in x"), hang.evidence());
    assertTrue(hang.isCertain());
    assertFalse(one("Stalled\nfalse\n3 wait", "stalled: 3 wait").isCertain());
  }

  @Test
  void whatIsOnlyProbableIsOfTheSameKind() {
    ToldHang hang = one("DeadlockByPinning\nfalse\nall are kept", "whatever it says");
    assertEquals(Optional.of(DiagnosisKind.DEADLOCK_BY_PINNING), hang.known());
    assertEquals("probably a deadlock by pinning", hang.title());
    assertEquals("all are kept", hang.statement());
  }

  /** A newer agent may know more. */
  @Test
  void aKindThatIsNotKnownIsAHang() {
    ToldHang hang = one("Frozen\ntrue\na thread", "frozen: a thread");
    assertEquals(Optional.empty(), hang.known());
    assertEquals("hangs", hang.title());
    assertEquals("frozen: a thread", hang.statement());
    assertTrue(hang.isCertain());
  }

  /** What an older agent says is told as it is, even if it names a kind. */
  @Test
  void noTextIsTakenApart() {
    ToldHang hang = of("vtdiag.hang.1", "deadlock: 2 threads\n  a").getFirst();
    assertEquals(Optional.empty(), hang.kind());
    assertEquals("hangs", hang.title());
    assertEquals("deadlock: 2 threads", hang.statement());
    assertTrue(hang.isCertain());
  }

  /** A hang that has ended leaves its kind behind; another has a number of its own. */
  @Test
  void aKindAloneIsNoHang() {
    assertEquals(List.of(), of("vtdiag.hangKind.1", "Stalled\nfalse\n3 wait"));
  }
}
