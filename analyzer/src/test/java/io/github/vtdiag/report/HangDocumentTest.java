package io.github.vtdiag.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.attach.ToldHang;
import io.github.vtdiag.dump.GoldenHang;
import io.github.vtdiag.dump.HangAnswer;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.hang.RecordedKind;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.report.words.Detail;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the answer takes over from vtdiag's agent. */
final class HangDocumentTest {
  private static String text(HangAnswer answer) {
    return Formats.TEXT.write(new Report.Hung("7", answer, Detail.BRIEF, List.of()), Style.PLAIN);
  }

  private static ToldHang told(DiagnosisKind kind, String statement, String... evidence) {
    String text = statement + "\n" + String.join("\n", evidence);
    return new ToldHang(Optional.of(RecordedKind.of(kind)), true, statement, text);
  }

  /** The agent's hint leads here. */
  @Test
  void theHintToThisCommandIsLeftOut() throws Exception {
    ToldHang stall =
        told(
            DiagnosisKind.STALLED,
            "3 virtual threads have waited for 31 s",
            "  ends: when the thread that has it releases it; vtdiag hang names it; whether that"
                + " happens cannot be seen");
    String text = text(GoldenHang.answers().getLast().with(List.of(stall)));
    assertTrue(text.contains("ends: when the thread that has it releases it; whether that"), text);
    assertFalse(text.contains("names it"), text);
  }

  @Test
  void whatTheAgentSaysIsSaidOnce() throws Exception {
    HangAnswer idle = GoldenHang.answers().getLast();
    String statement = idle.diagnoses().getFirst().statement();
    DiagnosisKind kind = idle.diagnoses().getFirst().kind();
    String same = text(idle.with(List.of(told(kind, statement))));
    assertFalse(same.contains("So far"), same);
    String other = text(idle.with(List.of(told(DiagnosisKind.STALLED, "1 thread has waited"))));
    assertEquals(2, other.split("So far", -1).length, other);
  }
}
