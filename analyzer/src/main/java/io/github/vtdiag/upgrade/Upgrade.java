package io.github.vtdiag.upgrade;

import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.owner.Coordinates;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The result of reading other versions of a library.
 *
 * @param library the one that ran
 * @param takenFrom the name under which the versions are, {@code group:artifact}
 * @param held the monitors that were held
 * @param checks the versions that were read, the oldest first
 * @param newest the newest release; empty if that is not known, or is the one that ran
 * @param newestOfMajor the newest with the same first number, likewise
 * @param firstFree the first free one that was found; those before it that were read are not
 * @param unread how many versions are between the last that is not free and the first free one
 * @param downloads how many jars were fetched
 * @param notes read errors and other remarks, one sentence each
 */
public record Upgrade(
    Coordinates library,
    String takenFrom,
    List<Site> held,
    List<VersionCheck> checks,
    Optional<String> newest,
    Optional<String> newestOfMajor,
    Optional<String> firstFree,
    int unread,
    int downloads,
    List<String> notes) {
  public Upgrade {
    held = List.copyOf(held);
    checks = List.copyOf(checks);
    notes = List.copyOf(notes);
  }

  /** Returns the result for one version that was at hand; nothing was looked up. */
  public static Upgrade atHand(LibraryOnStacks on, VersionCheck check) {
    return new Upgrade(
        on.library(),
        check.library(),
        on.held(),
        List.of(check),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        List.of());
  }

  /** Returns the result if nothing could be read, with the reason. */
  public static Upgrade failed(LibraryOnStacks on, String why) {
    Coordinates library = on.library();
    return new Upgrade(
        library,
        library.name(),
        on.held(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        List.of(why));
  }

  /** Returns the same result with more notes. */
  public Upgrade with(List<String> more) {
    return new Upgrade(
        library,
        takenFrom,
        held,
        checks,
        newest,
        newestOfMajor,
        firstFree,
        unread,
        downloads,
        Stream.concat(notes.stream(), more.stream()).distinct().toList());
  }

  public Optional<VersionCheck> check(String version) {
    return checks.stream().filter(check -> check.version().equals(version)).findFirst();
  }

  /** Returns the newest version that was read. */
  public Optional<VersionCheck> last() {
    return checks.isEmpty() ? Optional.empty() : Optional.of(checks.getLast());
  }
}
