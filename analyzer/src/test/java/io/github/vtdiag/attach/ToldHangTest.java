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

  @Test
  void theyComeInTheOrderInWhichTheyBegan() {
    assertEquals(
        List.of(new ToldHang("b"), new ToldHang("a")),
        of("vtdiag.hang.10", "a", "vtdiag.hang.9", "b"));
  }

  @Test
  void aVerdictIsTakenApart() {
    ToldHang hang = new ToldHang("lock never released: 2 threads wait\n  for a lock\n");
    assertEquals(Optional.of(DiagnosisKind.NEVER_RELEASED), hang.kind());
    assertEquals("2 threads wait", hang.statement());
    assertEquals(List.of("for a lock"), hang.evidence());
    assertTrue(hang.isCertain());
    assertFalse(new ToldHang("stalled: 3 virtual threads have waited").isCertain());
  }

  @Test
  void whatIsOnlyProbableIsOfTheSameKind() {
    ToldHang hang = new ToldHang("probably a deadlock by pinning: all 2 carriers are kept");
    assertEquals(Optional.of(DiagnosisKind.DEADLOCK_BY_PINNING), hang.kind());
    assertEquals("probably a deadlock by pinning", hang.title());
    assertEquals("all 2 carriers are kept", hang.statement());
  }

  /** A newer agent may know more. */
  @Test
  void aKindThatIsNotKnownIsAHang() {
    ToldHang hang = new ToldHang("frozen: a thread");
    assertEquals(Optional.empty(), hang.kind());
    assertEquals("hangs", hang.title());
    assertEquals("frozen: a thread", hang.statement());
    assertTrue(hang.isCertain());
  }
}
