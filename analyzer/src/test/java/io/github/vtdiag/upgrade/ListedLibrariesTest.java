package io.github.vtdiag.upgrade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.advice.KnownFix;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.program.LibraryClasses;
import io.github.vtdiag.program.LibraryJar;
import io.github.vtdiag.testing.Jdks;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each line of the known fixes, on the jars of the versions that it names. */
final class ListedLibrariesTest {
  /** Other monitors of the named classes, which are not on the way of a query. */
  private static final Map<String, List<String>> LEFT =
      Map.of(
          "org.postgresql:postgresql",
          List.of(
              "addBinaryReceiveOid",
              "addBinarySendOid",
              "getBinaryReceiveOids",
              "getBinarySendOids",
              "removeBinaryReceiveOid",
              "removeBinarySendOid",
              "setBinaryReceiveOids",
              "setBinarySendOids",
              "useBinaryForReceive",
              "useBinaryForSend"));

  static Stream<KnownFix> lines() {
    return KnownFixes.load().all().stream();
  }

  static Stream<KnownFix> fixedLines() {
    return lines().filter(fix -> fix.fixedIn().isPresent());
  }

  @ParameterizedTest
  @MethodSource("lines")
  void theLastVersionSeenToPinHasEachHolder(KnownFix fix) throws DataException {
    LibraryClasses classes = jar(fix, fix.lastSeen());
    assertFalse(ListedHolders.of(fix, classes).held().isEmpty(), fix::library);
    for (KnownFix.Holder holder : fix.holders()) {
      KnownFix alone =
          new KnownFix(
              fix.group(),
              fix.artifact(),
              fix.lastSeen(),
              fix.fixedIn(),
              List.of(holder),
              fix.ran(),
              fix.evidence());
      assertFalse(ListedHolders.of(alone, classes).held().isEmpty(), holder::toString);
    }
  }

  @ParameterizedTest
  @MethodSource("fixedLines")
  void theFixedVersionIsFreeOfThem(KnownFix fix) throws DataException {
    LibraryClasses lastSeen = jar(fix, fix.lastSeen());
    LibraryOnStacks on = ListedHolders.of(fix, lastSeen);
    String version = fix.fixedIn().orElseThrow();
    VersionCheck check =
        new Oracle(on, Optional.of(lastSeen)).check(version, Libraries.release(jar(fix, version)));
    assertEquals(
        LEFT.getOrDefault(fix.library(), List.of()),
        check.takenIn().stream()
            .map(name -> name.substring(name.lastIndexOf('.') + 1))
            .sorted()
            .toList());
    assertEquals(List.of(), check.added());
    assertTrue(check.isFollowed(), check::outcome);
  }

  /** The oracle itself: a version is not free of its own monitors. */
  @ParameterizedTest
  @MethodSource("fixedLines")
  void theLastVersionSeenToPinIsNotFree(KnownFix fix) throws DataException {
    LibraryClasses lastSeen = jar(fix, fix.lastSeen());
    LibraryOnStacks on = ListedHolders.of(fix, lastSeen);
    VersionCheck check =
        new Oracle(on, Optional.of(lastSeen)).check(fix.lastSeen(), Libraries.release(lastSeen));
    assertEquals(on.held().size(), check.taken(), check::outcome);
  }

  private static LibraryClasses jar(KnownFix fix, String version) throws DataException {
    Path jar =
        Jdks.projectFolder()
            .resolve("analyzer/target/listed/" + fix.artifact() + "-" + version + ".jar");
    return LibraryJar.read(jar, 21).classes();
  }
}
