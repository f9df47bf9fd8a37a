package io.github.vtdiag.report.ci;

import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.gate.Measure;
import java.util.Locale;

/** The sorts of remarks in words. */
final class BuildRules {
  private static final String BEFORE_24 =
      " On Java 21 to 23 it keeps its carrier meanwhile, and other virtual threads have to do"
          + " without; on Java 24 and later monitors do not pin (JEP 491).";
  private static final String EVERY_JAVA =
      " It keeps its carrier meanwhile, on every Java, and other virtual threads have to do"
          + " without.";

  /** The program hung. */
  static final BuildRule HANG =
      new BuildRule(
          "hang",
          "The program hung",
          "Threads wait for each other, or keep all carriers, and none of them goes on.",
          "Read docs/hangs.md.");

  /** An allowance is over, and nothing pins at its site. */
  static final BuildRule EXPIRED =
      new BuildRule(
          "expired-allowance",
          "An allowance of the policy has expired",
          "What was allowed until a day is not any more.",
          "Free the site, or let its owner set another day: docs/gate.md.");

  /** A finding that is new or worse, and is nothing that pins. */
  static final BuildRule CHANGED =
      new BuildRule(
          "changed",
          "Something is new or worse than the baseline has it",
          "The policy accepts what the baseline has, and no more than chance makes of it.",
          "Look at what has changed since; vtdiag baseline accepts it: docs/gate.md.");

  /** Nobody can tell. */
  static final BuildRule NO_DATA =
      new BuildRule(
          "no-data",
          "The recordings cannot tell",
          "No limit was seen to be exceeded, but the recordings would not have shown it.",
          "The table in docs/gate.md says what a recording needs to be taken for proof.");

  /** People should know, and nothing fails. */
  static final BuildRule WARNING =
      new BuildRule(
          "warning",
          "What the recordings do not show",
          "The verdict stands, but there may be more than the recordings show.",
          NO_DATA.help());

  private BuildRules() {}

  /** What pins at a place. */
  static BuildRule of(Site.Kind kind) {
    return switch (kind) {
      case SYNCHRONIZED_METHOD ->
          pinned(
              kind,
              "waits inside a synchronized method",
              BEFORE_24,
              "Replace the monitor with a ReentrantLock, take a version of the library without it,"
                  + " or wait outside: docs/advice.md#what-is-recommended-and-when.");
      case SYNCHRONIZED_BLOCK ->
          pinned(
              kind,
              "waits inside a synchronized block",
              BEFORE_24,
              "Replace the monitor with a ReentrantLock, take a version of the library without it,"
                  + " or wait outside: docs/advice.md#what-is-recommended-and-when.");
      case NATIVE_FRAME ->
          pinned(
              kind,
              "waits in native code, or in Java that native code called",
              EVERY_JAVA,
              "Fetch what the native code needs before the call, or call it on platform threads:"
                  + " docs/advice.md#change-the-pattern.");
      case CLASS_INITIALIZER ->
          pinned(
              kind,
              "waits in a class initializer",
              EVERY_JAVA,
              "Fetch at start-up, or in a getter: docs/advice.md#change-the-pattern.");
      case AWAITED_INITIALIZATION ->
          pinned(
              kind,
              "waits until another thread has initialized a class",
              EVERY_JAVA,
              "Let the initializer wait for nothing, or use the class once at start-up:"
                  + " docs/advice.md#change-the-pattern.");
      case CLASS_LOADING ->
          pinned(
              kind,
              "waits while the JVM loads a class for it",
              EVERY_JAVA,
              "Use the class once at start-up, on a platform thread:"
                  + " docs/advice.md#change-the-pattern.");
      case MONITOR_ENTRY ->
          pinned(
              kind,
              "waits to enter a monitor",
              BEFORE_24,
              "Replace the monitor with a ReentrantLock, or hold it for less time:"
                  + " docs/advice.md#rewrite.");
      case OBJECT_WAIT ->
          pinned(
              kind,
              "waits in Object.wait",
              BEFORE_24,
              "Wait on a Condition, or for a CompletableFuture:"
                  + " docs/advice.md#change-the-pattern.");
      case HIDDEN_VM_FRAME ->
          pinned(
              kind,
              "waits where the JVM does not let it leave its carrier",
              EVERY_JAVA,
              "The message says what JFR says of it: docs/advice.md#keep.");
      case UNEXPLAINED ->
          pinned(
              kind,
              "waits and keeps its carrier, and nothing tells why",
              " Other virtual threads have to do without meanwhile.",
              "The message says what to record or name, so that it can be told:"
                  + " docs/advice.md#keep.");
    };
  }

  private static BuildRule pinned(Site.Kind kind, String what, String more, String help) {
    return new BuildRule(
        "pinned-" + id(kind),
        "A virtual thread " + what,
        "A virtual thread " + what + "." + more,
        help);
  }

  /** A limit that is broken and that no finding explains. */
  static BuildRule of(Measure measure) {
    return new BuildRule(
        "limit-" + measure.id().toLowerCase(Locale.ROOT).replace('_', '-'),
        "A limit of the gate is exceeded: " + measure.text(),
        measure.description(),
        "docs/gate.md says what counts, docs/verdicts.md what to do.");
  }

  private static String id(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
