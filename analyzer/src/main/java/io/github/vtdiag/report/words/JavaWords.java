package io.github.vtdiag.report.words;

import io.github.vtdiag.advice.JdkFault;
import io.github.vtdiag.advice.JdkFaults;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.hang.CrashRisk;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.hang.StuckState;
import io.github.vtdiag.pin.SeenHang;
import io.github.vtdiag.recording.RecordingFacts;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Java versions in words: the recommended one, and the faults of the one that was recorded. */
public final class JavaWords {
  private static final JdkFaults FAULTS = JdkFaults.load();

  /** {@code Java 25.0.4 or later}, where monitors do not pin. */
  public static final String LATER = FAULTS.laterJava();

  private JavaWords() {}

  /** Returns why an earlier version will not do, to follow the sentence that names this one. */
  public static String reason() {
    String why = FAULTS.whyNotEarlier();
    return why.isEmpty() ? "" : " " + why;
  }

  /**
   * Returns the known faults of each Java version that made one of the recordings. They say how to
   * recognize a fault if threads were stuck in its way, and what can crash that version. Usually
   * there are none.
   */
  public static List<String> faults(Findings findings) {
    return findings.recordings().stream()
        .flatMap(facts -> Stream.concat(faults(facts).stream(), crash(facts.jdkVersion()).stream()))
        .distinct()
        .toList();
  }

  private static Optional<String> crash(String jdkVersion) {
    Runtime.Version version;
    try {
      version = Runtime.Version.parse(number(jdkVersion));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // The recording does not have the version.
    }
    return CrashRisk.warning(version, List.of())
        .map(
            told ->
                "Java %s can %s, unless its vendor has fixed that."
                    .formatted(number(jdkVersion), told));
  }

  private static List<String> faults(RecordingFacts facts) {
    Set<StuckState> states = EnumSet.noneOf(StuckState.class);
    for (SeenHang hang : facts.hangs()) {
      if (hang.kind().is(DiagnosisKind.LOST_WAKE_UP)) {
        states.add(StuckState.PARKED);
        states.add(StuckState.BLOCKED);
      } else if (hang.kind().is(DiagnosisKind.STARVED)) {
        states.add(StuckState.PINNED);
      }
    }
    List<String> seen = whereThreadsStandStill(facts.jdkVersion(), states::contains);
    return seen.isEmpty() ? faults(facts.jdkVersion()) : seen;
  }

  /**
   * Returns the faults of a Java version that look like hangs of the program, as a sentence; empty
   * if it has none.
   *
   * @param jdkVersion such as {@code 25.0.1+8-LTS}
   */
  public static List<String> faults(String jdkVersion) {
    List<JdkFault> faults = FAULTS.of(jdkVersion).stream().filter(JdkFault::confirmed).toList();
    return faults.isEmpty()
        ? List.of()
        : List.of(
            "Java "
                + number(jdkVersion)
                + " can leave virtual threads stuck for ever, as if the program hung: "
                + Words.list(faults.stream().map(fault -> named(fault, jdkVersion)).toList())
                + "; run on "
                + LATER
                + ".");
  }

  /**
   * Returns the known faults of a Java version that stuck threads may be due to, and how to tell.
   *
   * @param jdkVersion such as {@code 25.0.1+8-LTS}
   * @param seen tests whether any thread is stuck in that state for no visible reason
   */
  public static List<String> whereThreadsStandStill(String jdkVersion, Predicate<StuckState> seen) {
    List<String> lines = new ArrayList<>();
    for (JdkFault fault : FAULTS.of(jdkVersion)) {
      if (!seen.test(fault.state())) {
        continue;
      }
      lines.add(
          "Java "
              + number(jdkVersion)
              + " has a known defect with this symptom: "
              + named(fault, jdkVersion)
              + ", virtual threads stuck in "
              + fault.state()
              + ". It is this defect if "
              + fault.told()
              + ".");
    }
    return lines;
  }

  /** Returns {@code JDK-8369227 (fixed in 25.0.3)}. */
  private static String named(JdkFault fault, String jdkVersion) {
    return fault.id()
        + fault
            .fixedIn(jdkVersion)
            .map(version -> " (fixed in " + version + ")")
            .orElse(" (no update of this release is known to have the fix)");
  }

  private static String number(String jdkVersion) {
    int build = jdkVersion.indexOf('+');
    return build < 0 ? jdkVersion : jdkVersion.substring(0, build);
  }
}
