package io.github.vtdiag.upgrade;

import io.github.vtdiag.model.DataException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Searches for the first version of a library that is free, and reads few. It reads the newest, and
 * the newest of the same major. Then it bisects those between the one that ran and the older of
 * these that is free.
 */
public final class UpgradeSearch {
  /** The most versions of a library that are read. */
  public static final int MOST = 10;

  /** The most versions that may be unavailable before the search stops. */
  private static final int MOST_FAILED = 3;

  private final LibraryOnStacks on;
  private final Optional<Release> ran;
  private final Oracle oracle;
  private final Releases releases;
  private final int most;
  private final TreeMap<String, VersionCheck> checks = new TreeMap<>(MavenVersion::compare);
  private final List<String> notes = new ArrayList<>();
  private List<String> newer = List.of();

  // The versions left out, with the names under which they are, by reason.
  private final TreeMap<String, String> empty = new TreeMap<>(MavenVersion::compare);
  private final TreeMap<String, String> earlier = new TreeMap<>(MavenVersion::compare);
  private final TreeMap<String, String> undated = new TreeMap<>(MavenVersion::compare);
  private String ranWasMade = "";
  private int asked;
  private int failed;

  /** The day on which the version that ran was made, according to the repository. */
  private Optional<LocalDate> ranOn = Optional.empty();

  private boolean askedWhenRanWasMade;

  private UpgradeSearch(LibraryOnStacks on, Optional<Release> ran, Releases releases, int most) {
    this.on = on;
    this.ran = ran;
    this.oracle = new Oracle(on, ran.map(Release::classes));
    this.releases = releases;
    this.most = most;
  }

  /**
   * Searches for the first version that is free.
   *
   * @param ran the version that ran; empty if its classes are not at hand
   * @param hint the version that is said to be the first free one, to be read early
   * @param most how many versions to read
   */
  public static Upgrade search(
      LibraryOnStacks on,
      Optional<Release> ran,
      Releases releases,
      Optional<String> hint,
      int most) {
    return new UpgradeSearch(on, ran, releases, most).search(hint);
  }

  /** Reads every version that is at hand, including older ones: the user named them. */
  public static Upgrade readAll(LibraryOnStacks on, Optional<Release> ran, Releases releases) {
    UpgradeSearch search = new UpgradeSearch(on, ran, releases, Integer.MAX_VALUE);
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
      newer = newer(running, withoutDates(running, releases.versions()));
    } catch (DataException e) {
      notes.add(e.getMessage());
      return result(Optional.empty(), Optional.empty());
    }
    if (newer.isEmpty()) {
      notes.add("no release of " + releases.library() + " is newer than " + running);
      return result(Optional.empty(), Optional.empty());
    }
    // Unreadable versions leave the list; the ones before them take their place.
    readLast("");
    Optional<String> newest = last("");
    readLast(MavenVersion.major(running));
    Optional<String> ofMajor = last(MavenVersion.major(running));
    hint.ifPresent(this::readAround);
    bisect();
    return result(newest, ofMajor);
  }

  /**
   * Returns the versions whose order is known. A date beside dotted versions does not show which
   * came first, and to Maven it is the newest of all.
   */
  private List<String> withoutDates(String running, List<String> versions) {
    List<String> dotted =
        versions.stream().filter(version -> !MavenVersion.isDate(version)).toList();
    if (dotted.isEmpty() && MavenVersion.isDate(running)) {
      return versions;
    }
    List<String> dates =
        versions.stream()
            .filter(MavenVersion::isDate)
            .filter(version -> MavenVersion.compare(version, running) > 0)
            .sorted(MavenVersion::compare)
            .toList();
    if (!dates.isEmpty()) {
      notes.add(
          dates.getLast()
              + (dates.size() > 1
                  ? " and " + (dates.size() - 1) + " more are dates, and left out: they do"
                  : " is a date, and left out: it does")
              + " not say which dotted versions came later");
    }
    return dotted;
  }

  private static List<String> newer(String running, List<String> versions) {
    String build = MavenVersion.build(running);
    return versions.stream()
        // Only their jars tell which of the dotted ones are later than a date.
        .filter(
            version ->
                MavenVersion.compare(version, running) > 0
                    || (MavenVersion.isDate(running) && !MavenVersion.isDate(version)))
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
    return asked < most && failed < MOST_FAILED && (most > MOST || releases.downloads() < MOST);
  }

  /** Reads a version; returns whether it could be read, now or before. */
  private boolean read(String version) {
    if (checks.containsKey(version)) {
      return true;
    }
    if (!mayAsk()) {
      return false;
    }
    asked++;
    try {
      Release release = releases.release(version);
      if (release.isEmpty()) {
        empty.put(version, release.library());
        leaveOut(version::equals);
        return false;
      }
      if (most <= MOST && isEarlier(version, release)) {
        String line = MavenVersion.line(version);
        leaveOut(
            other ->
                !checks.containsKey(other)
                    && MavenVersion.line(other).equals(line)
                    && MavenVersion.compare(other, version) <= 0);
        return false;
      }
      checks.put(version, oracle.check(version, release));
      return true;
    } catch (DataException e) {
      failed++;
      notes.add(e.getMessage());
      leaveOut(version::equals);
      return false;
    }
  }

  private void leaveOut(Predicate<String> which) {
    newer = newer.stream().filter(which.negate()).toList();
  }

  /** Returns whether it was made before the one that ran, whatever their numbers say. */
  private boolean isEarlier(String version, Release release) {
    String running = on.library().version();
    if (release.built().isEmpty()) {
      if (!MavenVersion.isDate(running) || MavenVersion.isDate(version)) {
        return false;
      }
      undated.put(version, release.library());
      return true;
    }
    LocalDate day = release.built().get();
    // The clocks of two machines may be a day apart.
    Optional<LocalDate> before = ranOn(day).filter(ranOn -> day.isBefore(ranOn.minusDays(1)));
    before.ifPresent(
        ranOn -> {
          earlier.put(version, release.library());
          ranWasMade = " (built on " + ranOn + ")";
        });
    return before.isPresent();
  }

  /**
   * Returns the day on which the version that ran was made. A repackaged jar has a later day than
   * the release. So the repository's own jar has to confirm a day that would leave a version out.
   */
  private Optional<LocalDate> ranOn(LocalDate other) {
    String running = on.library().version();
    Optional<LocalDate> day = ran.flatMap(Release::built);
    if (day.isPresent() && !day.get().isAfter(other)) {
      return day;
    }
    if (!askedWhenRanWasMade) {
      askedWhenRanWasMade = true;
      try {
        ranOn = releases.release(running).built();
      } catch (DataException e) {
        // Nothing then shows that a version with a higher number is older.
      }
    }
    return ranOn.or(() -> MavenVersion.date(running));
  }

  /** Narrows the gap before the first free version. */
  private void bisect() {
    while (mayAsk()) {
      // If the newest have none of the methods any more, an older one may still show them.
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
        on.held(),
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
    String running = on.library().version();
    leftOut(all, empty, "has no classes, and is left out", "have no classes, and are left out");
    String than = "older than " + running + ranWasMade + ", and left out";
    leftOut(all, earlier, "is " + than, "are " + than);
    leftOut(
        all,
        undated,
        "is left out: its jar does not tell whether it is later than " + running,
        "are left out: their jars do not tell whether they are later than " + running);
    return all;
  }

  private void leftOut(
      List<String> all, NavigableMap<String, String> versions, String one, String many) {
    if (versions.isEmpty()) {
      return;
    }
    Set<String> names = Set.copyOf(versions.values());
    String name = names.size() == 1 ? names.iterator().next() : on.library().name();
    String earlierOnes = String.join(", ", versions.headMap(versions.lastKey()).keySet());
    all.add(
        name
            + " "
            + (earlierOnes.isEmpty() ? "" : earlierOnes + " and ")
            + versions.lastKey()
            + " "
            + (earlierOnes.isEmpty() ? one : many));
  }
}
