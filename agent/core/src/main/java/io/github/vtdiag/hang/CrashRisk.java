package io.github.vtdiag.hang;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The known ways to crash a JVM that runs virtual threads, by the builds that have them. This table
 * decides what is left out on a build, and the page on hangs prints it. A version that no public
 * source names as fixed counts as affected.
 */
public enum CrashRisk {
  /** Also recognized by {@code VirtualThread.startTransition}, which came with the fix. */
  DUMP(
      "JDK-8364343",
      25,
      "26",
      "",
      "a thread dump or exact snapshot of a virtual thread that a carrier mounts or unmounts"
          + " meanwhile",
      "snapshots of threads that can move; dumps while virtual threads run",
      "https://github.com/openjdk/jdk/pull/26612",
      "jcmd Thread.dump_to_file while virtual threads run"),
  TRACED_PINS(
      "JDK-8337331",
      21,
      "21.0.5, 24",
      "jdk.tracePinnedThreads",
      "a pin that `-Djdk.tracePinnedThreads` prints, in a JVM with any `-javaagent`",
      "nothing: the agent names this option when it starts",
      "https://github.com/openjdk/jdk21u-dev/pull/910",
      "-Djdk.tracePinnedThreads beside a -javaagent, without which vtdiag names the pins as well"),
  CARRIER_SNAPSHOT(
      "JDK-8392031",
      21,
      "",
      "",
      "`ThreadMXBean.getThreadInfo` without a stack, on a carrier that a virtual thread leaves",
      "this call, on every build: it reads the carrier's state word, or asks while all threads"
          + " are stopped",
      "https://github.com/openjdk/jdk/pull/32788",
      ""),
  ENDED_THREAD(
      "JDK-8323792",
      21,
      "21.0.12",
      "",
      "`ThreadMXBean.getThreadInfo` without a stack, on a thread that ends meanwhile",
      "this call, on every build, as above",
      "https://github.com/openjdk/jdk21u-dev/pull/2821",
      ""),
  THREAD_IDS(
      "JDK-8380474",
      21,
      "21.0.12",
      "",
      "the first lookup of a thread by its id, on a build that has the fix of JDK-8323792 and not"
          + " this one",
      "nothing: it reads processor times by thread id. No release with the one fix alone is known",
      "https://github.com/openjdk/jdk21u-dev/pull/2822",
      ""),
  SNAPSHOT_LOCKS(
      "JDK-8378071",
      25,
      "",
      "",
      "the first exact snapshot of a thread that owns a monitor, compiled without inlining"
          + " (`-Xcomp -XX:-Inline`)",
      "nothing: it initializes the class in question before its first snapshot",
      "https://github.com/openjdk/jdk/pull/32363",
      ""),
  CPU_TIME_SAMPLES(
      "dd-trace-java 11749",
      25,
      "",
      "",
      "JFR's experimental event `jdk.CPUTimeSample`, if the recorder cannot write",
      "this event, on every build",
      "https://github.com/DataDog/dd-trace-java/issues/11749",
      "");

  private static final Pattern COMMA = Pattern.compile(", ");

  private final String id;
  private final int since;
  private final String fixedIn;
  private final String property;
  private final String crash;
  private final String without;
  private final String source;
  private final String warning;

  /**
   * @param since the first feature release that has it
   * @param fixedIn the first version without it of each feature release that has one; all later
   *     feature releases have the fix, too; empty if none is known
   * @param property the JVM's property without which it does not happen; else empty
   * @param crash what crashes the JVM
   * @param without what the agent leaves out
   * @param warning what crashes the JVM, for the agent's first line; empty if only vtdiag does it
   */
  CrashRisk(
      String id,
      int since,
      String fixedIn,
      String property,
      String crash,
      String without,
      String source,
      String warning) {
    this.id = id;
    this.since = since;
    this.fixedIn = fixedIn;
    this.property = property;
    this.crash = crash;
    this.without = without;
    this.source = source;
    this.warning = warning;
  }

  /** Returns whether that build is known to have it; a vendor may have fixed it earlier. */
  public boolean affects(Runtime.Version version) {
    return affects(version.feature(), version.update());
  }

  boolean affects(int feature, int update) {
    List<Runtime.Version> fixes =
        COMMA
            .splitAsStream(fixedIn)
            .filter(version -> !version.isEmpty())
            .map(Runtime.Version::parse)
            .toList();
    return feature >= since
        && fixes.stream()
            .filter(fix -> fix.feature() == feature && fix.update() > 0)
            .findFirst()
            .map(fix -> update < fix.update())
            .orElseGet(
                () ->
                    fixes.stream().noneMatch(fix -> fix.update() == 0 && fix.feature() <= feature));
  }

  /**
   * Returns what can crash this JVM, with or without vtdiag, as the words after "can"; empty if
   * nothing can.
   */
  public static Optional<String> warning(Runtime.Version version, List<String> properties) {
    String told =
        Arrays.stream(values())
            .filter(risk -> !risk.warning.isEmpty() && risk.affects(version))
            .filter(risk -> risk.property.isEmpty() || properties.contains(risk.property))
            .map(risk -> risk.warning + " (" + risk.id + ")")
            .collect(Collectors.joining(" and on "));
    return told.isEmpty() ? Optional.empty() : Optional.of("crash on " + told);
  }

  /** Returns the table of the page, in Markdown. */
  public static String table() {
    StringBuilder table =
        new StringBuilder(
            """
            | fault | in | fixed in | what crashes the JVM | what the agent does without |
            |---|---|---|---|---|
            """);
    for (CrashRisk risk : values()) {
      table.append(
          "| [%s](%s) | %d | %s | %s | %s |\n"
              .formatted(
                  risk.id,
                  risk.source,
                  risk.since,
                  risk.fixedIn.isEmpty() ? "not known" : risk.fixedIn,
                  risk.crash,
                  risk.without));
    }
    return table.toString();
  }
}
