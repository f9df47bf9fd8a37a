package io.github.vtdiag.agent.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.agent.threads.Wakings.Door;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class DoersTest {
  private final Thread one = Thread.ofVirtual().unstarted(() -> {});
  private final Thread other = Thread.ofVirtual().unstarted(() -> {});

  private static Doers.Join join(Thread waiting, Set<Thread> awaited) {
    return new Doers.Join(waiting, Door.of(List.of(), waiting), awaited, false);
  }

  private boolean areOfThemselves(Doers.Join join, Set<Thread> waiting) {
    return Doers.areOfThemselves(List.of(join), waiting);
  }

  @Test
  void onlyWhoeverJoinsItselfWaitsForItsOwnEnd() {
    Doers.Join itself = join(one, Set.of(one));
    assertEquals(true, areOfThemselves(itself, Set.of(one)));
    assertEquals(false, areOfThemselves(itself, Set.of()), "it is not known who waits");
    assertEquals(false, areOfThemselves(itself, Set.of(one, other)));
    assertEquals(false, areOfThemselves(join(one, Set.of(other)), Set.of(one)));
    assertEquals(false, areOfThemselves(join(one, Set.of(one, other)), Set.of(one)));
    assertEquals(false, areOfThemselves(join(one, Set.of()), Set.of(one)));
  }
}
