package io.github.vtdiag.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WaitDetailTest {
  @Test
  void aClauseOfAnotherVersionIsKept() {
    WaitDetail read = WaitDetail.read("until");
    assertEquals(WaitDetail.Kind.OTHER, read.kind());
    assertEquals("until", read.clause());
    assertTrue(read.isKnown());
  }

  @Test
  void nothingIsNoDetail() {
    assertEquals(WaitDetail.NONE, WaitDetail.read(""));
    assertFalse(WaitDetail.NONE.isKnown());
  }

  @ParameterizedTest
  @CsvSource({
    "until app.Job.done changes, LOOP, app.Job.done changes",
    "on platform threads until app.Job.done changes, PLATFORM_LOOP, app.Job.done changes",
    "'from port 80 of this JVM, where nobody reads', UNREAD_PORT, 80",
    "which may end when a thread goes on in app.Batch.run, MAY_END, app.Batch.run",
    "'which may end when a scheduled task runs, in 5 min', SCHEDULED, 5 min",
    "'which a limiter lets go on in 2 h at the earliest', LIMITED, 2 h"
  })
  void whatItNamesIsReadFromTheClause(String clause, WaitDetail.Kind kind, String name) {
    assertEquals(new WaitDetail(kind, name), WaitDetail.read(clause));
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "OPEN_POOL",
        "JOINED",
        "RENEWED",
        "POOLED",
        "PARTLY_POOLED",
        "ANSWERS",
        "NO_LOOP",
        "SILENT",
        "ITSELF",
        "CLASS",
        "PLATFORM",
        "EXIT_HOOK",
        "UNSERVED"
      })
  void aKindThatNamesNothingIsItsClause(WaitDetail.Kind kind) {
    assertEquals(WaitDetail.of(kind), WaitDetail.read(WaitDetail.of(kind).clause()));
  }
}
