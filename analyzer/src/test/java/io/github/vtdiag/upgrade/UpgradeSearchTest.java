package io.github.vtdiag.upgrade;

import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.LibraryClasses;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UpgradeSearchTest {
  @TempDir Path folder;
  private LibraryClasses taking;
  private LibraryClasses free;
  private final List<String> asked = new ArrayList<>();
  private final Set<String> missing = new HashSet<>();
  private final Set<String> empty = new HashSet<>();

  /** When the repository's jars were built; those that are not in here do not tell. */
  private final Map<String, LocalDate> built = new HashMap<>();

  /** When the jar that ran was built. */
  private LocalDate ranOn;

  @BeforeEach
  void compile() {
    String park = "java.util.concurrent.locks.LockSupport.park();";
    taking =
        Libraries.classes(folder, "class Session { synchronized void query() { " + park + " } }");
    free = Libraries.classes(folder, "class Session { void query() { " + park + " } }");
  }

  private static LibraryOnStacks on(String version) {
    Frame park = frame("java.lang.VirtualThread", "park", 7, 582);
    Frame session = frame("com.example.db.Session", "query", 0, 10);
    Pins pins =
        new Pins()
            .owner(
                session.type().name(),
                new Owner.Library(new Coordinates("com.example", "db", version), "db.jar"))
            .pin(1, 50, stack(park, session), method(1, session));
    return LibraryOnStacks.of(pins.findings(), finding -> true).getFirst();
  }

  private Upgrade search(
      String running, List<String> versions, Predicate<String> isFree, String hint) {
    LibraryOnStacks on = on(running);
    int before = asked.size();
    Releases releases =
        new Releases() {
          @Override
          public String library() {
            return "com.example:db";
          }

          @Override
          public List<String> versions() {
            return versions;
          }

          @Override
          public Release release(String version) throws DataException {
            asked.add(version);
            if (missing.contains(version)) {
              throw new DataException("db " + version + " is not there");
            }
            LibraryClasses classes = isFree.test(version) ? free : taking;
            return new Release(
                library(),
                empty.contains(version) ? LibraryClasses.of(Map.of()) : classes,
                Optional.ofNullable(built.get(version)));
          }

          @Override
          public int downloads() {
            return asked.size() - before;
          }

          @Override
          public List<String> notes() {
            return List.of();
          }
        };
    return UpgradeSearch.search(
        on,
        Optional.of(new Release("com.example:db", taking, Optional.ofNullable(ranOn))),
        releases,
        Optional.of(hint).filter(text -> !text.isEmpty()),
        UpgradeSearch.MOST);
  }

  private static Predicate<String> since(String version) {
    return other -> MavenVersion.compare(other, version) >= 0;
  }

  private static List<String> versions(String prefix, int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> prefix + i).toList();
  }

  private static List<String> all() {
    List<String> all = new ArrayList<>(versions("1.", 0, 30));
    all.addAll(versions("2.", 0, 3));
    return all;
  }

  @Test
  void noVersionIsNewer() {
    Upgrade upgrade = search("2.3", all(), since("1.7"), "");
    assertEquals(List.of(), upgrade.checks());
    assertEquals(List.of("no release of com.example:db is newer than 2.3"), upgrade.notes());
  }

  /** As of commons-dbcp, commons-pool, commons-net and commons-httpclient. */
  @Test
  void aDateBesideDottedVersionsIsNotTheNewest() {
    Upgrade upgrade =
        search(
            "1.2",
            List.of("1.1", "1.2", "1.4", "20030825.184428", "20030203.000550"),
            version -> version.startsWith("2003"),
            "");
    assertEquals(List.of("1.4"), asked);
    assertEquals(Optional.of("1.4"), upgrade.newest());
    assertEquals(Optional.empty(), upgrade.firstFree());
    assertEquals(
        List.of(
            "20030825.184428 and 1 more are dates, and left out: they do not say which dotted"
                + " versions came later"),
        upgrade.notes());
  }

  @Test
  void whereOnlyADateIsLaterByNumberNothingIsRecommended() {
    Upgrade upgrade = search("1.4", List.of("1.4", "20030825.184428"), version -> true, "");
    assertEquals(List.of(), asked);
    assertEquals(Optional.empty(), upgrade.firstFree());
    assertEquals(
        List.of(
            "20030825.184428 is a date, and left out: it does not say which dotted versions came"
                + " later",
            "no release of com.example:db is newer than 1.4"),
        upgrade.notes());
  }

  @Test
  void whereAllVersionsAreDatesTheyAreInOrder() {
    Upgrade upgrade =
        search("20140107", List.of("20090211", "20231013", "20250517"), version -> true, "");
    assertEquals(Optional.of("20231013"), upgrade.firstFree());
    assertEquals(Optional.of("20250517"), upgrade.newest());
    assertEquals(List.of(), upgrade.notes());
  }

  @Test
  void ofTheDottedVersionsOnlyThoseMadeAfterADateThatRanAreTaken() {
    built.put("1.0", LocalDate.of(2002, 8, 12));
    built.put("1.4", LocalDate.of(2010, 2, 7));
    Upgrade upgrade =
        search("20030825.184428", List.of("1.0", "1.1", "1.4"), version -> true, "1.0");
    assertEquals(Optional.of("1.4"), upgrade.firstFree());
    assertEquals(
        List.of(
            "com.example:db 1.0 is older than 20030825.184428 (built on 2003-08-25), and left out",
            "com.example:db 1.1 is left out: its jar does not tell whether it is later than"
                + " 20030825.184428"),
        upgrade.notes());
  }

  /** The first releases of a new line are older than the last fixes of the old one. */
  @Test
  void aVersionThatWasReleasedEarlierIsNeverRecommended() {
    ranOn = LocalDate.of(2020, 4, 27);
    built.put("5.1.49", ranOn);
    for (int i = 11; i <= 30; i++) {
      built.put("8.0." + i, LocalDate.of(2018, 4, 19).plusMonths(3L * (i - 11)));
    }
    List<String> all = new ArrayList<>(List.of("5.1.49"));
    all.addAll(versions("8.0.", 11, 30));
    Upgrade upgrade = search("5.1.49", all, version -> true, "8.0.11");
    assertEquals(Optional.of("8.0.20"), upgrade.firstFree());
    assertEquals(0, upgrade.unread());
    assertEquals(
        List.of(
            "com.example:db 8.0.11, 8.0.15, 8.0.17, 8.0.18 and 8.0.19 are older than 5.1.49 (built"
                + " on 2020-04-27), and left out"),
        upgrade.notes());
  }

  /** A fat jar says when it was packed. */
  @Test
  void aJarThatWasPackedAgainLeavesNothingOut() {
    ranOn = LocalDate.of(2026, 1, 1);
    built.put("1.0", LocalDate.of(2018, 1, 1));
    built.put("1.1", LocalDate.of(2019, 1, 1));
    Upgrade upgrade = search("1.0", List.of("1.0", "1.1"), version -> true, "");
    assertEquals(Optional.of("1.1"), upgrade.firstFree());
    assertEquals(List.of(), upgrade.notes());
    missing.add("1.0");
    assertEquals(
        Optional.of("1.1"), search("1.0", List.of("1.0", "1.1"), version -> true, "").firstFree());
  }

  @Test
  void aVersionWithoutClassesIsSaidAndTheOneBeforeItTaken() {
    empty.addAll(List.of("2.0", "2.1", "2.2", "2.3"));
    Upgrade upgrade = search("1.0", all(), since("1.7"), "1.7");
    assertEquals(Optional.of("1.30"), upgrade.newest());
    assertEquals(Optional.of("1.7"), upgrade.firstFree());
    assertEquals(
        List.of("com.example:db 2.0, 2.1, 2.2 and 2.3 have no classes, and are left out"),
        upgrade.notes());
  }

  @Test
  void onlyReleasesOfTheSameBuildAreRead() {
    Upgrade upgrade =
        search(
            "1.0.jre11",
            List.of("1.1.jre8", "1.1.jre11", "1.2.jre11-preview", "1.2", "2.0-rc1", "2.0-SNAPSHOT"),
            version -> true,
            "");
    assertEquals(List.of("1.1.jre11"), asked);
    assertEquals(Optional.of("1.1.jre11"), upgrade.firstFree());
  }

  @Test
  void whereTheNewestTakesItNothingBetweenIsAsked() {
    Upgrade upgrade = search("1.0", all(), version -> false, "");
    assertEquals(List.of("2.3", "1.30"), asked);
    assertEquals(Optional.empty(), upgrade.firstFree());
    assertEquals(Optional.of("2.3"), upgrade.newest());
    assertEquals(Optional.of("1.30"), upgrade.newestOfMajor());
  }

  @Test
  void aVersionThatCannotBeHadIsSaidAndTheOneBeforeItTaken() {
    missing.add("2.3");
    Upgrade upgrade = search("1.0", all(), since("1.7"), "");
    assertEquals(Optional.of("2.2"), upgrade.newest());
    assertEquals(Optional.of("1.7"), upgrade.firstFree());
    assertEquals(List.of("db 2.3 is not there"), upgrade.notes());
  }

  @Test
  void afterThreeThatCannotBeHadNoMoreIsAsked() {
    missing.addAll(all());
    Upgrade upgrade = search("1.0", all(), since("1.7"), "");
    assertEquals(3, asked.size());
    assertEquals(List.of(), upgrade.checks());
  }

  @Test
  void theFirstFreeOneIsFoundWithFewQuestions() {
    Upgrade upgrade = search("1.0", all(), since("1.7"), "");
    assertEquals(Optional.of("1.7"), upgrade.firstFree());
    assertEquals(0, upgrade.unread());
    assertTrue(asked.size() <= 7, asked::toString);
    assertEquals(List.copyOf(Set.copyOf(asked)).size(), asked.size(), "asked once each");
  }

  @Test
  void aHintIsProvenByTheOneBeforeIt() {
    Upgrade upgrade = search("1.0", all(), since("1.7"), "1.7");
    assertEquals(List.of("2.3", "1.30", "1.7", "1.6"), asked);
    assertEquals(Optional.of("1.7"), upgrade.firstFree());
  }

  @Test
  void aWrongHintMisleadsNobody() {
    assertEquals(Optional.of("1.7"), search("1.0", all(), since("1.7"), "1.9").firstFree());
    assertEquals(Optional.of("1.7"), search("1.0", all(), since("1.7"), "1.3").firstFree());
  }

  @Test
  void aReleaseThatTakesItAgainIsShown() {
    Upgrade upgrade =
        search("1.0", all(), since("1.7").and(version -> !version.startsWith("2.")), "");
    assertEquals(Optional.of("1.7"), upgrade.firstFree());
    assertEquals(false, upgrade.check("2.3").orElseThrow().isFree());
  }

  @Test
  void aThousandVersionsAreNoReasonToReadMore() {
    Upgrade upgrade = search("1.0", versions("1.", 0, 1000), since("1.777"), "");
    assertTrue(asked.size() <= UpgradeSearch.MOST, asked::toString);
    String found = upgrade.firstFree().orElseThrow();
    assertTrue(MavenVersion.compare(found, "1.777") >= 0, found);
    assertTrue(upgrade.unread() > 0 || found.equals("1.777"), upgrade::toString);
  }
}
