package io.github.vtdiag.upgrade;

import io.github.vtdiag.model.DataException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Reads few versions of a library to find the first that is free: the newest, the newest of the
 * same major, then halves what lies between the one that ran and the older of these that is free.
 */
public final class UpgradeSearch {
  /** How many versions of a library are read at most. */
  public static final int MOST = 10;

  /** After so many that cannot be had there is no sense in asking for more. */
  private static final int MOST_FAILED = 3;

  private final LibraryOnStacks on;
  private final Oracle oracle;
  private final Releases releases;
  private final int most;
  private final TreeMap<String, VersionCheck> checks = new TreeMap<>(MavenVersion::compare);
  private final List<String> notes = new ArrayList<>();
  private List<String> newer = List.of();
  private int asked;
  private int failed;

  private UpgradeSearch(LibraryOnStacks on, Oracle oracle, Releases releases, int most) {
    this.on = on;
    this.oracle = oracle;
    this.releases = releases;
    this.most = most;
  }

  /**
   * Searches.
   *
   * @param hint the version that is said to be the first free one, to be read early
   * @param most how many versions to read
   */
  public static Upgrade search(
      LibraryOnStacks on, Oracle oracle, Releases releases, Optional<String> hint, int most) {
    return new UpgradeSearch(on, oracle, releases, most).search(hint);
  }

  /** Reads every version that is at hand, also older ones: they were named by hand. */
  public static Upgrade readAll(LibraryOnStacks on, Oracle oracle, Releases releases) {
    UpgradeSearch search = new UpgradeSearch(on, oracle, releases, Integer.MAX_VALUE);
    try {
      search.newer = releases.versions().stream().sorted(MavenVersion::compare).toList();
      search.newer.forEach(search::read);
    } catch (DataException e) {
      search.notes.add(e.getMessage());
    }
    return search.result(Optional.empty(), Optional.empty());
  }

  private Upgrade search(Optional<String> hint) {
    String running = on.library().version();
    try {
      newer = newer(running, releases.versions());
    } catch (DataException e) {
      notes.add(e.getMessage());
      return result(Optional.empty(), Optional.empty());
    }
    if (newer.isEmpty()) {
      notes.add("no release of " + releases.library() + " is newer than " + running);
      return result(Optional.empty(), Optional.empty());
    }
    // Those that cannot be read leave the list; what stood before them takes their place.
    readLast("");
    Optional<String> newest = last("");
    readLast(MavenVersion.major(running));
    Optional<String> ofMajor = last(MavenVersion.major(running));
    hint.ifPresent(this::readAround);
    bisect();
    return result(newest, ofMajor);
  }

  private static List<String> newer(String running, List<String> versions) {
    String build = MavenVersion.build(running);
    return versions.stream()
        .filter(version -> MavenVersion.compare(version, running) > 0)
        .filter(version -> MavenVersion.isEarly(running) || !MavenVersion.isEarly(version))
        .filter(
            version -> MavenVersion.isEarly(running) || MavenVersion.build(version).equals(build))
        .sorted(MavenVersion::compare)
        .distinct()
        .toList();
  }

  private Optional<String> last(String major) {
    return newer.stream()
        .filter(version -> major.isEmpty() || MavenVersion.major(version).equals(major))
        .reduce((before, after) -> after);
  }

  private void readLast(String major) {
    Optional<String> last = last(major);
    while (last.isPresent() && !read(last.get()) && mayAsk()) {
      last = last(major);
    }
  }

  private void readAround(String hint) {
    int at = newer.indexOf(hint);
    if (at >= 0 && read(hint) && at > 0) {
      read(newer.get(at - 1));
    }
  }

  private boolean mayAsk() {
    return asked < most && failed < MOST_FAILED;
  }

  /** Whether it could be read, now or before. */
  private boolean read(String version) {
    if (checks.containsKey(version)) {
      return true;
    }
    if (!mayAsk()) {
      return false;
    }
    asked++;
    try {
      checks.put(version, oracle.check(version, releases.classes(version)));
      return true;
    } catch (DataException e) {
      failed++;
      notes.add(e.getMessage());
      newer = newer.stream().filter(other -> !other.equals(version)).toList();
      return false;
    }
  }

  /** Narrows the gap before the first free one. */
  private void bisect() {
    while (mayAsk()) {
      // Where the newest have none of the methods any more, an older one may tell.
      Optional<String> free =
          first(check -> check.isFree() || !check.isFollowed()).map(VersionCheck::version);
      if (free.isEmpty()) {
        return;
      }
      int to = newer.indexOf(free.get());
      int from = lastTakenBefore(free.get()).map(newer::indexOf).orElse(-1);
      if (to - from < 2) {
        return;
      }
      read(newer.get((from + to) / 2));
    }
  }

  private Optional<String> firstFree() {
    return first(VersionCheck::isFree).map(VersionCheck::version);
  }

  private Optional<VersionCheck> first(Predicate<VersionCheck> which) {
    return checks.values().stream().filter(which).findFirst();
  }

  private Optional<String> lastTakenBefore(String version) {
    return checks.headMap(version).isEmpty()
        ? Optional.empty()
        : Optional.of(checks.headMap(version).lastEntry().getValue().version());
  }

  private Upgrade result(Optional<String> newest, Optional<String> ofMajor) {
    Optional<String> free = firstFree();
    int unread =
        free.filter(version -> most <= MOST)
            .map(
                version ->
                    newer.indexOf(version)
                        - lastTakenBefore(version).map(newer::indexOf).orElse(-1)
                        - 1)
            .orElse(0);
    return new Upgrade(
        on.library(),
        releases.library(),
        on.held().stream().map(HeldSite::site).toList(),
        checks.values().stream()
            .sorted(Comparator.comparing(VersionCheck::version, MavenVersion::compare))
            .toList(),
        newest,
        ofMajor,
        free,
        unread,
        releases.downloads(),
        all());
  }

  private List<String> all() {
    List<String> all = new ArrayList<>(releases.notes());
    all.addAll(notes);
    return all;
  }
}
