package io.github.vtdiag.junit.inside;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * Finds the test that created the thread of a number. If several threads drew numbers at the same
 * time, and Java does not tell which is whose, this is deduced as far as possible.
 */
final class Ownership {
  /**
   * The time after which a running thread was certainly not created just now, however clocks
   * differ.
   */
  static final long TOLERANCE = 50_000_000;

  /** The most numbers between two of a thread's own for which a search is worth it. */
  private static final long MOST = 10_000;

  /** The most numbers left over for which the search goes on; with more it would find nothing. */
  private static final int MOST_OPEN = 50;

  private final LongFunction<Long> startedAt;
  private final Set<Long> platform;

  /** The tests by the numbers of their threads: told, or deduced. */
  private final Map<Long, TestSpan> known = new HashMap<>();

  private final List<Creation> open = new ArrayList<>();
  private final List<Creation> exact = new ArrayList<>();
  private final Set<Long> drawn = new HashSet<>();

  /**
   * @param first the lowest number that is asked for
   * @param startedAt when a virtual thread began to run, or null
   * @param platform the numbers of platform threads
   */
  Ownership(
      Collection<TestSpan> scopes, long first, LongFunction<Long> startedAt, Set<Long> platform) {
    this.startedAt = startedAt;
    this.platform = platform;
    drawn.addAll(ThreadNumber.others());
    for (TestSpan scope : scopes) {
      drawn.add(scope.firstId);
      for (Creation creation : scope.creations()) {
        if (creation.high() <= first) {
          continue;
        }
        if (creation.isExact()) {
          exact.add(creation);
          continue;
        }
        drawn.add(creation.low);
        drawn.add(creation.high());
        if (creation.number.isPresent()) {
          known.put(creation.number.getAsLong(), scope);
        } else {
          open.add(creation);
        }
      }
    }
    deduce();
  }

  /** Returns the test that certainly created the thread. */
  Optional<TestSpan> owner(long id) {
    return exact.stream()
        .filter(creation -> creation.made(id))
        .map(creation -> creation.scope)
        .findFirst()
        .or(() -> Optional.ofNullable(known.get(id)));
  }

  /** Returns the tests that may have created it. */
  Set<TestSpan> candidates(long id) {
    Set<TestSpan> may = new HashSet<>();
    for (Creation creation : open) {
      if (creation.spans(id) && mayBe(id, creation)) {
        may.add(creation.scope);
      }
    }
    return may;
  }

  /**
   * Deduces which numbers belong to which creations. If several creations have only as many
   * possible numbers as there are creations, all these numbers are theirs. So nobody else has them,
   * and if all the creations are of one test, they are that test's.
   */
  private void deduce() {
    Map<Creation, NavigableSet<Long>> left = new LinkedHashMap<>();
    open.forEach(creation -> left.put(creation, ids(creation)));
    while (deduceSingles(left) || deduceGroups(left)) {
      // Each number that is assigned leaves fewer for the others.
    }
    open.retainAll(left.keySet());
  }

  private boolean deduceSingles(Map<Creation, NavigableSet<Long>> left) {
    boolean news = false;
    for (Creation creation : List.copyOf(left.keySet())) {
      Set<Long> ids = left.get(creation);
      if (ids.size() == 1) {
        news |= take(left, List.of(creation), ids);
      }
    }
    return news;
  }

  private boolean deduceGroups(Map<Creation, NavigableSet<Long>> left) {
    List<Creation> byLast =
        left.keySet().stream()
            .filter(creation -> !left.get(creation).isEmpty())
            .sorted(Comparator.comparing(creation -> left.get(creation).last()))
            .toList();
    long[] lasts = byLast.stream().mapToLong(creation -> left.get(creation).last()).toArray();
    boolean news = false;
    for (Creation start : byLast) {
      Set<Long> of = left.getOrDefault(start, Collections.emptyNavigableSet());
      if (!of.isEmpty()) {
        long first = left.get(start).first();
        int from = Arrays.binarySearch(lasts, first);
        news |= deduceGroup(left, byLast.subList(Math.max(from, -from - 1), lasts.length), first);
      }
    }
    return news;
  }

  private boolean deduceGroup(
      Map<Creation, NavigableSet<Long>> left, List<Creation> byLast, long first) {
    List<Creation> group = new ArrayList<>();
    Set<Long> ids = new HashSet<>();
    for (Creation creation : byLast) {
      NavigableSet<Long> of = left.getOrDefault(creation, Collections.emptyNavigableSet());
      if (of.isEmpty() || of.first() < first) {
        continue;
      }
      group.add(creation);
      ids.addAll(of);
      if (ids.size() == group.size()) {
        return take(left, group, ids);
      }
      if (ids.size() > group.size() + MOST_OPEN) {
        return false;
      }
    }
    return false;
  }

  /** Assigns numbers to a group of creations. Returns whether that is new. */
  private boolean take(
      Map<Creation, NavigableSet<Long>> left, List<Creation> group, Set<Long> someIds) {
    Set<Long> ids = Set.copyOf(someIds);
    TestSpan scope = group.getFirst().scope;
    boolean one = group.stream().allMatch(creation -> creation.scope == scope);
    if (one) {
      ids.forEach(id -> known.put(id, scope));
      left.keySet().removeAll(group);
    }
    boolean news = one;
    for (Map.Entry<Creation, NavigableSet<Long>> each : left.entrySet()) {
      if (!group.contains(each.getKey())) {
        news |= each.getValue().removeAll(ids);
      }
    }
    return news;
  }

  /** Returns the numbers that the new thread can have. */
  private NavigableSet<Long> ids(Creation creation) {
    long low = creation.low + 1;
    if (creation.high() - low > MOST) {
      // Two are as good as many: it stays open.
      return new TreeSet<>(Set.of(low, low + 1));
    }
    NavigableSet<Long> ids = new TreeSet<>();
    LongStream.range(low, creation.high()).filter(id -> mayBe(id, creation)).forEach(ids::add);
    return ids;
  }

  private boolean mayBe(long id, Creation creation) {
    Long started = startedAt.apply(id);
    return !drawn.contains(id)
        && (creation.virtual ? !platform.contains(id) : started == null)
        && !known.containsKey(id)
        && (started == null || started >= creation.nanos - TOLERANCE)
        && exact.stream().noneMatch(other -> other.made(id) || other.drew(id));
  }
}
