package io.github.vtdiag.pipeline;

import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Coordinates.Evidence;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.upgrade.Upgrade;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Under which name the versions of a library are looked up. */
final class LibraryVersionsTest {
  private final List<String> asked = new ArrayList<>();

  private static final Frame PARK = Pins.frame("java.lang.VirtualThread", "park", 7, 582);

  private Upgrade lookUp(String artifact, String type) throws Exception {
    Frame held = Pins.frame(type, "executeQuery", 0, 10);
    return lookUp(library(artifact, type).pin(1, 50, stack(PARK, held), method(1, held)))
        .getFirst();
  }

  private static Pins library(String artifact, String type) {
    return new Pins()
        .owner(
            type,
            new Owner.Library(
                new Coordinates("", artifact, "2.2.220", Evidence.FILE_NAME),
                "/not/here/" + artifact + "-2.2.220.jar"));
  }

  private List<Upgrade> lookUp(Pins pins) throws Exception {
    return new LibraryVersions(
            pins.findings(), List.of(), KnownFixes.load(), problem -> {}, note -> {})
        .read(
            List.of(),
            Optional.of(
                library -> {
                  asked.add(library.text());
                  throw new DataException("no network here");
                }));
  }

  /** Reports ask for no change there, so other versions are not worth a download. */
  @Test
  void whatIsHarmlessIsNotLookedUp() throws Exception {
    String type = "org.h2.command.CommandRemote";
    Frame held = Pins.frame(type, "executeQuery", 0, 10);
    PinCause loading = new PinCause.ClassLoading(1, held);
    assertEquals(
        List.of(),
        lookUp(library("h2", type).pin(1, 90, stack(PARK, held), loading, method(1, held))));
    assertEquals(
        List.of(), lookUp(library("h2", type).pin(1, 5, stack(PARK, held), method(1, held))));
    assertEquals(List.of(), asked);
    assertEquals(
        1,
        lookUp(library("h2", type).pin(1, 210, stack(PARK, held), loading, method(1, held)))
            .size());
    assertEquals(List.of("com.h2database:h2 2.2.220"), asked);
  }

  @Test
  void aLibraryThatNothingTellsTheGroupOfIsNotLookedUp() throws Exception {
    Upgrade upgrade = lookUp("unheard-of", "com.example.Db");
    assertEquals(List.of(), asked);
    assertEquals(
        List.of(
            "the jar of unheard-of 2.2.220 does not tell its group id, so its versions cannot be"
                + " looked up; name newer jars with --candidate"),
        upgrade.notes());
  }

  @Test
  void anotherLibraryOfThatNameIsNotLookedUp() throws Exception {
    lookUp("h2", "com.example.h2.Db");
    assertEquals(List.of(), asked);
  }

  @Test
  void oneOfTheKnownFixesIsLookedUpByTheirGroup() throws Exception {
    Upgrade upgrade = lookUp("h2", "org.h2.command.CommandRemote");
    assertEquals(List.of("com.h2database:h2 2.2.220"), asked);
    assertEquals(List.of("no network here"), upgrade.notes());
  }
}
