package io.github.vtdiag.upgrade;

import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.program.Coordinates;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What was read of other versions of a library.
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
 * @param notes what could not be read, and what else there is to say, one sentence each
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

  /** One version that was at hand was read, and nothing was looked up. */
  public static Upgrade atHand(LibraryOnStacks on, VersionCheck check) {
    return new Upgrade(
        on.library(),
        check.library(),
        on.held().stream().map(HeldSite::site).toList(),
        List.of(check),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        List.of());
  }

  /** Nothing could be read, for a reason. */
  public static Upgrade failed(LibraryOnStacks on, String why) {
    Coordinates library = on.library();
    return new Upgrade(
        library,
        library.name(),
        on.held().stream().map(HeldSite::site).toList(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        List.of(why));
  }

  /** With more that there is to say. */
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

  /** The newest version that was read. */
  public Optional<VersionCheck> last() {
    return checks.isEmpty() ? Optional.empty() : Optional.of(checks.getLast());
  }
}
