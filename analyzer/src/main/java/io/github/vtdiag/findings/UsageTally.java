package io.github.vtdiag.findings;

import io.github.vtdiag.model.Frame;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The usage of something at one place, as a running total. */
final class UsageTally {
  /** The part of all uses of one sort below which a place is not reported. */
  private static final double SMALL = 0.1;

  /** The method of the application and the method that it calls, both without lines. */
  private record Key(String site, String inside) {}

  final Optional<Frame> site;
  final Optional<Frame> inside;
  double amount;
  long count;
  final ThreadIds threads = new ThreadIds();
  final Map<String, Long> subjects = new HashMap<>();

  private UsageTally(Optional<Frame> site, Optional<Frame> inside) {
    this.site = site;
    this.inside = inside;
  }

  /** Returns the most frequent subject; empty if there is none. */
  String subject() {
    return subjects.entrySet().stream()
        .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry::getKey))
        .map(Map.Entry::getKey)
        .orElse("");
  }

  /** Adds one event. */
  void add(double more, long thread) {
    amount += more;
    count++;
    threads.add(thread);
  }

  /** All places that use the same sort of thing. */
  static final class ByPlace {
    private final Map<Key, UsageTally> all = new LinkedHashMap<>();

    UsageTally at(Optional<Frame> site, Optional<Frame> inside) {
      return all.computeIfAbsent(
          new Key(name(site), name(inside)), key -> new UsageTally(site, inside));
    }

    double amount() {
      return all.values().stream().mapToDouble(used -> used.amount).sum();
    }

    long count() {
      return all.values().stream().mapToLong(used -> used.count).sum();
    }

    /** Returns the places that matter, the costliest first. */
    List<UsageTally> notable() {
      double least = SMALL * amount();
      List<UsageTally> notable = new ArrayList<>(all.values());
      notable.removeIf(used -> used.amount < least);
      notable.sort(Comparator.comparingDouble((UsageTally used) -> -used.amount));
      return notable;
    }

    private static String name(Optional<Frame> frame) {
      return frame.map(Frame::qualifiedMethod).orElse("");
    }
  }
}
