package io.github.vtdiag.upgrade;

import io.github.vtdiag.analysis.Site;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The monitors of one version of a library where another one held some, read from its classes.
 *
 * @param library the name under which its classes are, {@code group:artifact}
 * @param version the version
 * @param fates what became of each recorded monitor, innermost first as far as stacks tell
 * @param added methods on the recorded paths that take a monitor in this version only
 */
public record VersionCheck(
    String library, String version, Map<Site, MonitorFate> fates, List<String> added) {
  public VersionCheck {
    fates = Collections.unmodifiableMap(new LinkedHashMap<>(fates));
    added = List.copyOf(added);
  }

  /** Returns whether none of the recorded monitors is taken any more, and no new one. */
  public boolean isFree() {
    return added.isEmpty() && fates.values().stream().allMatch(MonitorFate::isFree) && isFollowed();
  }

  /**
   * Returns the recorded monitors that hold no thread any more; none if new ones do in their place.
   */
  public Set<Site> gone() {
    return added.isEmpty() && isFollowed()
        ? fates.entrySet().stream()
            .filter(entry -> entry.getValue().isFree())
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet())
        : Set.of();
  }

  /**
   * Returns whether any of the recorded methods is still there: else there was nothing to compare.
   */
  boolean isFollowed() {
    return fates.values().stream().anyMatch(fate -> !(fate instanceof MonitorFate.Gone));
  }

  /** Returns the number of recorded monitors that may still be taken. */
  public int taken() {
    return (int) fates.values().stream().filter(fate -> !fate.isFree()).count();
  }

  /** Returns the methods that still take them. */
  public List<String> takenIn() {
    return fates.entrySet().stream()
        .filter(entry -> !entry.getValue().isFree())
        .map(
            entry ->
                entry.getValue() instanceof MonitorFate.Taken(String where) && !where.isEmpty()
                    ? where
                    : entry.getKey().name())
        .distinct()
        .toList();
  }

  /** Returns the evidence in words: a clause that names the version and says how it is known. */
  public String evidence() {
    return "in " + version + " " + outcome() + " (read from its classes, not run)";
  }

  /** Returns the conclusion about this version, as a clause. */
  public String outcome() {
    int all = fates.size();
    if (!isFollowed()) {
      return "none of the methods on these stacks is there any more, so its classes do not tell";
    }
    String taken;
    if (taken() == 0) {
      taken =
          all == 1
              ? "the monitor on these stacks is not taken any more"
              : "none of the " + all + " monitors on these stacks is taken any more";
    } else {
      taken = howMany() + " still taken (" + shortened(takenIn()) + ")";
    }
    return added.isEmpty()
        ? taken
        : taken
            + (taken() == 0 ? ", but " : ", and ")
            + (added.size() == 1 ? "a new one is" : added.size() + " new ones are")
            + " ("
            + shortened(added)
            + ")";
  }

  private String howMany() {
    int all = fates.size();
    if (taken() < all) {
      return taken()
          + " of the "
          + all
          + " monitors on these stacks "
          + (taken() == 1 ? "is" : "are");
    }
    return switch (all) {
      case 1 -> "the monitor on these stacks is";
      case 2 -> "both monitors on these stacks are";
      default -> "all " + all + " monitors on these stacks are";
    };
  }

  private static String shortened(List<String> names) {
    int most = 3;
    return names.size() <= most
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, most)) + " and " + (names.size() - most) + " more";
  }
}
