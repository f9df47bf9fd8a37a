package io.github.vtdiag.analysis;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.model.ClassRef;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Decides which pins are so short and few that no report asks for a change. */
public final class HarmlessPins {
  /**
   * The longest harmless pin: it delays other threads about as long as the system's time slices.
   */
  public static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** The limit on a pin that reports suggest for a gate, unless harmless pins are longer. */
  public static final long GATE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The longest harmless pin by class loading: a class is loaded once, so it may be longer. */
  public static final long LOADING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * The longest harmless pin by the initialization of a class that is not the JDK's, which may take
   * longer elsewhere, and of a minor entry: JFR's own settings leave out shorter ones.
   */
  public static final long UNRECORDED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The largest harmless part of all carrier time: so little costs no measurable throughput. */
  private static final double LITTLE_SHARE = 0.01;

  private HarmlessPins() {}

  /**
   * Returns whether the finding's pins are short and take little of the carriers. If JFR left out
   * the shortest, this is about the recorded ones: the others are shorter still.
   */
  public static boolean areShort(Pin finding) {
    return areLittle(finding, SHORT_NANOS);
  }

  /**
   * Returns whether pins that load or initialize a class end soon, for good once it is loaded, and
   * take little of the carriers until then.
   */
  public static boolean areFewLoads(Pin finding) {
    return finding.unended() == 0
        && areLittle(finding, isLoading(finding) ? LOADING_NANOS : UNRECORDED_NANOS);
  }

  /** Returns whether the finding's pins are harmless in one of these ways. */
  public static boolean are(Pin finding) {
    return areShort(finding) || (waitForClass(finding) && areFewLoads(finding));
  }

  /** Returns whether the finding's pins last until a class is loaded or initialized. */
  public static boolean waitForClass(Pin finding) {
    PinKind kind = finding.site().kind();
    return kind == PinKind.CLASS_LOADING
        || kind.isInitialization()
        || (kind.isAtMonitor() && isOfLoader(finding.site()));
  }

  /**
   * Returns whether a monitor is that of a class loader of the JDK, whose caller loads a class or
   * makes a proxy.
   */
  public static boolean isOfLoader(Site site) {
    String type = site.className();
    return type.startsWith("jdk.internal.loader.") || type.equals("java.lang.ClassLoader");
  }

  /** Returns whether they are harmless, and last until a class is loaded or initialized. */
  public static boolean areLoads(Pin finding) {
    return waitForClass(finding) && are(finding);
  }

  /**
   * Returns the longest pin of a run that is harmless though {@code limitNanos} does not allow it,
   * as its class is loaded only once; 0 if there is none.
   */
  public static long longestLoadOver(long limitNanos, List<Pin> findings) {
    return findings.stream()
        .filter(HarmlessPins::areLoads)
        .mapToLong(Pin::longest)
        .filter(longest -> longest > limitNanos)
        .max()
        .orElse(0);
  }

  /**
   * Returns whether only the JDK's own code runs there. Other code in an initializer may take long.
   */
  private static boolean isLoading(Pin finding) {
    return !finding.site().kind().isInitialization()
        || new ClassRef(finding.site().className(), "").isJdk();
  }

  private static boolean areLittle(Pin finding, long mostNanos) {
    return finding.longest() <= mostNanos
        && finding.shareOfCapacity().isPresent()
        && finding.shareOfCapacity().getAsDouble() <= LITTLE_SHARE;
  }
}
