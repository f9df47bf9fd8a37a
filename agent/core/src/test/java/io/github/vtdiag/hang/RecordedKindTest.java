package io.github.vtdiag.hang;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The names of kinds in recordings, JSON and baselines, which others have files of. */
class RecordedKindTest {
  @Test
  void namesAreWhatFilesHave() {
    assertEquals(
        List.of(
            "LOCK_CYCLE LockCycle LockCycle",
            "DEADLOCK_BY_PINNING DeadlockByPinning DeadlockByPinning",
            "NEVER_RELEASED NeverReleased NeverReleased",
            "STRANDED Stranded Stranded",
            "STARVED Starved Starved",
            "NOT_SCHEDULED NotScheduled NotScheduled",
            "LOST_WAKE_UP LostWakeUp Forgotten",
            "STALLED Stalled Stalled",
            "WAITING Waiting Waiting",
            "RUNNING Busy Busy",
            "IDLE Idle Idle",
            "NOT_KNOWN Unknown Unknown"),
        Stream.of(DiagnosisKind.values())
            .map(kind -> kind.name() + " " + kind.wireName() + " " + kind.firstName())
            .toList());
  }

  @ParameterizedTest
  @EnumSource
  void whatIsWrittenIsReadAsTheSame(DiagnosisKind kind) {
    RecordedKind written = RecordedKind.of(kind);
    assertEquals(written, RecordedKind.parse(written.wireName()));
    assertEquals(written, RecordedKind.parse(written.baselineName()));
    assertEquals(Optional.of(kind), written.known());
  }

  @Test
  void noTwoKindsShareAName() {
    Set<String> names = new HashSet<>();
    for (DiagnosisKind kind : DiagnosisKind.values()) {
      Set.of(kind.wireName(), kind.firstName().equals(kind.wireName()) ? "" : kind.firstName())
          .stream()
          .filter(name -> !name.isEmpty())
          .forEach(name -> assertEquals(true, names.add(name), name));
    }
  }

  @Test
  void aNameOfANewerAgentIsKept() {
    assertEquals(new RecordedKind("Livelock", Optional.empty()), RecordedKind.parse("Livelock"));
    assertEquals("Livelock", RecordedKind.parse("Livelock").baselineName());
    assertEquals(Optional.empty(), RecordedKind.parse("").known());
  }

  @Test
  void theAgentTellsOfHangsOnly() {
    assertEquals(
        List.of(
            DiagnosisKind.LOCK_CYCLE,
            DiagnosisKind.DEADLOCK_BY_PINNING,
            DiagnosisKind.NEVER_RELEASED,
            DiagnosisKind.STARVED,
            DiagnosisKind.NOT_SCHEDULED,
            DiagnosisKind.LOST_WAKE_UP,
            DiagnosisKind.STALLED),
        Stream.of(DiagnosisKind.values()).filter(DiagnosisKind::isHang).toList());
  }
}
