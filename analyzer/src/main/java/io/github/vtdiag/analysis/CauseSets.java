package io.github.vtdiag.analysis;

import io.github.vtdiag.analysis.Finding.Pin;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The pins by all that held their carriers: a pin ends only when every one of its causes is gone.
 *
 * <p>Freed time is asked for once for each finding. The sets are therefore indexed by cause: a
 * large program has thousands of them.
 */
public final class CauseSets {

  /**
   * The pins that had exactly the same causes.
   *
   * @param primary the innermost cause, which decides the pins' finding
   * @param sites all causes, including the primary one
   * @param complete whether there is no further cause for sure: the stack was not cut off and the
   *     classes on it were read
   * @param nanos the carrier time they took together
   */
  public record CauseSet(Site primary, Set<Site> sites, boolean complete, long nanos) {
    public CauseSet {
      sites = Set.copyOf(sites);
    }
  }

  /**
   * The carrier time that is freed when some causes are gone.
   *
   * @param nanos the time of pins that have no other cause
   * @param unsureNanos the time of pins that have no other known cause, but whose stack was cut off
   *     or some of whose classes were not read
   */
  public record Freed(long nanos, long unsureNanos) {
    public long upTo() {
      return nanos + unsureNanos;
    }
  }

  /** A set with its causes as numbers, so that records are not compared again for each question. */
  @SuppressWarnings("ArrayRecordComponent") // It is not compared.
  private record Numbered(CauseSet set, int[] causes) {
    boolean isGone(BitSet gone) {
      for (int cause : causes) {
        if (!gone.get(cause)) {
          return false;
        }
      }
      return true;
    }
  }

  private final List<CauseSet> all;
  private final Map<Site, Integer> numbers = new HashMap<>();
  private final Map<Site, List<Numbered>> byPrimary = new HashMap<>();
  private final Map<Site, List<CauseSet>> bySite = new HashMap<>();

  /** Indexes these sets. */
  public CauseSets(List<CauseSet> sets) {
    all = List.copyOf(sets);
    for (CauseSet set : all) {
      int[] causes = new int[set.sites().size()];
      int place = 0;
      for (Site site : set.sites()) {
        causes[place++] = numbers.computeIfAbsent(site, any -> numbers.size());
        bySite.computeIfAbsent(site, any -> new ArrayList<>()).add(set);
      }
      byPrimary
          .computeIfAbsent(set.primary(), site -> new ArrayList<>())
          .add(new Numbered(set, causes));
    }
  }

  /** Returns whether two causes were on one stack. */
  public boolean shareAStack(Site one, Site other) {
    return bySite.getOrDefault(one, List.of()).stream()
        .anyMatch(set -> set.sites().contains(other));
  }

  /** Returns the carrier time that is freed when these sites no longer hold carriers. */
  public Freed freedBy(Set<Site> gone) {
    BitSet causes = new BitSet(numbers.size());
    for (Site site : gone) {
      Integer number = numbers.get(site);
      if (number != null) {
        causes.set(number);
      }
    }
    // A set is freed only if its primary cause goes, so only the sets of these causes are checked.
    return sum(gone.stream().map(this::of).flatMap(List::stream), set -> set.isGone(causes));
  }

  /** Returns the part of the freed time that belongs to this finding. */
  public Freed freedBy(Set<Site> gone, Pin finding) {
    return sum(of(finding.site()).stream(), set -> gone.containsAll(set.set.sites()));
  }

  private List<Numbered> of(Site primary) {
    return byPrimary.getOrDefault(primary, List.of());
  }

  private static Freed sum(Stream<Numbered> sets, Predicate<Numbered> isGone) {
    long sure = 0;
    long unsure = 0;
    for (Numbered numbered : (Iterable<Numbered>) sets.filter(isGone)::iterator) {
      CauseSet set = numbered.set;
      sure += set.complete() ? set.nanos() : 0;
      unsure += set.complete() ? 0 : set.nanos();
    }
    return new Freed(sure, unsure);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CauseSets sets && all.equals(sets.all);
  }

  @Override
  public int hashCode() {
    return all.hashCode();
  }

  @Override
  public String toString() {
    return all.toString();
  }
}
