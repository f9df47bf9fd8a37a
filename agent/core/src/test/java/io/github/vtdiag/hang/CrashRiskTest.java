package io.github.vtdiag.hang;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrashRiskTest {
  private static final String TRACED = "jdk.tracePinnedThreads";

  @ParameterizedTest
  @CsvSource({
    "DUMP, 24.0.2, false",
    "DUMP, 25, true",
    "DUMP, 25.0.3+9-LTS, true",
    "DUMP, 25.0.9, true",
    "DUMP, 26, false",
    "DUMP, 28-ea+5, false",
    "TRACED_PINS, 20, false",
    "TRACED_PINS, 21, true",
    "TRACED_PINS, 21.0.4+7-LTS, true",
    "TRACED_PINS, 21.0.5+11-LTS, false",
    "TRACED_PINS, 23.0.2, true",
    "TRACED_PINS, 24, false",
    "ENDED_THREAD, 21.0.11, true",
    "ENDED_THREAD, 21.0.12, false",
    "ENDED_THREAD, 25.0.3, true",
    "CARRIER_SNAPSHOT, 28, true"
  })
  void aBuildHasWhatNoUpdateOfItIsKnownToFix(CrashRisk risk, String version, boolean expected) {
    assertEquals(expected, risk.affects(Runtime.Version.parse(version)));
  }

  @ParameterizedTest
  @CsvSource({"21.0.4+7", "21.0.8+9", "24", "26.0.1", "27", "28-ea+5"})
  void nothingIsSaidOfABuildThatOnlyVtdiagHasToCareFor(String version) {
    assertEquals(
        Optional.empty(),
        CrashRisk.warning(Runtime.Version.parse(version), List.of("java.home", "os.name")));
  }

  @Test
  void theOptionCountsOnlyWhereItCrashes() {
    String said =
        CrashRisk.warning(Runtime.Version.parse("21.0.4+7"), List.of(TRACED)).orElseThrow();
    assertTrue(said.startsWith("crash on -Djdk.tracePinnedThreads beside"), said);
    assertTrue(said.endsWith("(JDK-8337331)"), said);
    assertEquals(
        Optional.empty(), CrashRisk.warning(Runtime.Version.parse("21.0.8+9"), List.of(TRACED)));
  }

  @Test
  void aDumpOfJava25IsToldOnce() {
    String said = CrashRisk.warning(Runtime.Version.parse("25.0.3+9"), List.of()).orElseThrow();
    assertTrue(said.contains("jcmd Thread.dump_to_file"), said);
    assertEquals(1, said.lines().count());
    assertFalse(said.contains("JDK-8337331"), said);
  }
}
