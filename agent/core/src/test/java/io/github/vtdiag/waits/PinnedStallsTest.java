package io.github.vtdiag.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PinnedStallsTest {
  private static final long LONG = TimeUnit.SECONDS.toNanos(31);

  /** The JVM does not show that a hidden class asks for the class whose lambda it is. */
  private static final StackTrace OF_LAMBDA =
      new StackTrace(
          List.of(
              new Frame(
                  new ClassRef("java.lang.VirtualThread", "bootstrap"),
                  "run",
                  "",
                  0,
                  -1,
                  1,
                  Frame.Kind.UNKNOWN)),
          false);

  private static List<Stall> stalls(PinEpisode.Kind kind, String reason, String lock) {
    PinEpisode pin =
        new PinEpisode(
            kind,
            0,
            LONG,
            new ThreadRef(7, "", true),
            OF_LAMBDA,
            Optional.of(reason).filter(each -> !each.isEmpty()),
            Optional.empty(),
            Optional.of(lock).filter(each -> !each.isEmpty()),
            false);
    PinnedStalls found = PinnedStalls.of(List.of(pin), LONG);
    return Stall.find(
        found.and(List.of()), found.and(Map.of()), 2, StallLimit.atEnd(LONG, LongStream.of()));
  }

  private static void assertForClass(List<Stall> stalls) {
    assertTrue(
        Stall.unknownEnd(stalls)
            .startsWith(
                "what would end the waits of 1 virtual thread (class initialization, by another"
                    + " thread)"),
        () -> Stall.unknownEnd(stalls));
  }

  @Test
  void whoParksWithoutCodeOfTheApplicationIsOfTheJdk() {
    assertEquals(List.of(), stalls(PinEpisode.Kind.PINNED, "", ""));
    assertEquals(List.of(), stalls(PinEpisode.Kind.MONITOR_WAIT, "", "java.lang.Object"));
  }

  @Test
  void aLambdaWaitsForTheClassWhoseInitializerHasIt() {
    assertForClass(
        stalls(
            PinEpisode.Kind.PINNED,
            "Waited for initialization of app/Registry by another thread",
            ""));
  }

  @Test
  void soItDoesWhereTheJvmHasALockForIt() {
    assertForClass(stalls(PinEpisode.Kind.MONITOR_WAIT, "", "[I"));
  }
}
