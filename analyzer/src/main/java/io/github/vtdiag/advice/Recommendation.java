package io.github.vtdiag.advice;

import io.github.vtdiag.analysis.HarmlessPins;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.Lock.Identity.LocalVariable;
import io.github.vtdiag.upgrade.VersionCheck;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A recommendation for a finding. Equal ones are one thing to do, and may be for several findings.
 */
public sealed interface Recommendation {

  /**
   * Replace these monitors with ReentrantLocks, all of them and at all their sites.
   *
   * @param locks every lock that is on the stacks together, ordered by name; never empty
   */
  record Rewrite(List<Lock> locks) implements Recommendation {
    public Rewrite {
      locks = List.copyOf(locks);
    }

    /** Returns the source file that {@code vtdiag patch} cannot change, because of its language. */
    public Optional<String> inOtherLanguage() {
      return locks.stream().flatMap(lock -> lock.inOtherLanguage().stream()).findFirst();
    }

    /**
     * Returns whether {@code vtdiag patch} can write it, as far as is known without the sources.
     */
    public boolean isPatchable() {
      return inOtherLanguage().isEmpty()
          && locks.stream().noneMatch(lock -> lock.identity() instanceof LocalVariable);
    }

    /** Returns the rewrites among what has to be done, in its order. */
    static List<Rewrite> among(Recommendation first, List<Recommendation> together) {
      return Stream.concat(Stream.of(first), together.stream())
          .filter(Rewrite.class::isInstance)
          .map(Rewrite.class::cast)
          .toList();
    }
  }

  /**
   * Take a later version of a library.
   *
   * @param library the library that ran, {@code group:artifact}
   * @param from the version that ran
   * @param toLibrary its name now; the same unless it has moved
   * @param to the version to take
   * @param evidence how it is known that the new version does not pin
   */
  record UpgradeLibrary(String library, String from, String toLibrary, String to, Evidence evidence)
      implements Recommendation {}

  /** The evidence that a version does not pin. */
  sealed interface Evidence {

    /**
     * A line of the known fixes.
     *
     * @param read the result of checking its classes for the recorded stacks, if they were read
     */
    record Listed(KnownFix fix, Optional<VersionCheck> read) implements Evidence {
      @Override
      public String text() {
        return fix.evidence();
      }
    }

    /** The version's classes, which were read and not run. */
    record Read(VersionCheck check) implements Evidence {
      @Override
      public String text() {
        return check.evidence();
      }
    }

    /** Returns one clause. */
    String text();
  }

  /**
   * Change the design.
   *
   * @param pattern how
   * @param place the method to look at
   * @param sites the causes that are gone then
   */
  record ChangePattern(DesignPattern pattern, String place, Set<Site> sites)
      implements Recommendation {
    public ChangePattern {
      sites = Set.copyOf(sites);
    }

    /** Returns whether no thread waits inside the lock then, so that others enter it sooner. */
    public boolean takesWaitOut() {
      return DesignPatterns.WAIT_OUTSIDE.contains(pattern);
    }
  }

  /** Run on JDK 24 or later, where monitors do not pin (JEP 491). */
  record UpgradeJdk() implements Recommendation {}

  /** Leave it as it is. */
  record Keep(Why why) implements Recommendation {}

  /** The reason why something is left as it is. */
  sealed interface Why {

    /** Its pins are short, and few enough: see {@link HarmlessPins}. */
    record Harmless(long longestNanos, double shareOfCapacity) implements Why {}

    /** It is not shown to be safe to rewrite. */
    record Refused(Decision.Declined declined) implements Why {}

    /**
     * It could be rewritten, but another monitor on the same stacks cannot, so that would free
     * nothing.
     */
    record HeldTogether(Site other, Decision.Declined declined) implements Why {}

    /**
     * The cause that held the carrier is not known.
     *
     * @param remedy what would show it, one clause; empty if nothing would
     */
    record NotExplained(String remedy) implements Why {}
  }
}
