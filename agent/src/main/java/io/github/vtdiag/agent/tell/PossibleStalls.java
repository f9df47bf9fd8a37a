package io.github.vtdiag.agent.tell;

import io.github.vtdiag.agent.jvm.AgentProperties;
import io.github.vtdiag.agent.jvm.Log;
import io.github.vtdiag.hang.Diagnosis;
import io.github.vtdiag.hang.DiagnosisWords;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.Stall;
import io.github.vtdiag.waits.WaitDetail;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Reports threads that may stand still while nothing decides whether they do: once for each place,
 * and for {@code vtdiag hang} and {@code top} as long as it lasts. It is no hang: nothing of it is
 * recorded, and there is no dump.
 */
final class PossibleStalls {
  /** The number of the first one for readers outside; hangs are counted from 1. */
  private static final int FIRST = 1_000_000;

  /** The number of places that are reported in a program. */
  private static final int MOST = 20;

  /** The number of samples in a row that do not show it, after which it is over. */
  private static final int GONE = 2;

  private final BooleanSupplier hangs;
  private final DiagnosisWords words = new DiagnosisWords(Runtime.version().feature());
  private final Map<Stall.Place, Told> told = new HashMap<>();

  private static final class Told {
    final int number;
    int missed;

    Told(int number) {
      this.number = number;
    }
  }

  /**
   * @param hangs whether a hang lasts: most other threads wait for that
   */
  PossibleStalls(BooleanSupplier hangs) {
    this.hangs = hangs;
  }

  /** Receives the possible stalls of a sample, which have lasted for long. */
  void seen(List<Stall> possible) {
    Map<Stall.Place, Stall> now = new HashMap<>();
    possible.stream()
        .filter(PossibleStalls::isTold)
        .forEach(stall -> now.put(stall.place(), stall));
    boolean hangLasts = hangs.getAsBoolean();
    end(hangLasts ? Set.of() : now.keySet());
    if (hangLasts) {
      return;
    }
    List<Stall> fresh = new ArrayList<>();
    now.forEach(
        (place, stall) -> {
          if (!told.containsKey(place) && told.size() < MOST) {
            Told one = new Told(FIRST + told.size());
            told.put(place, one);
            fresh.add(stall);
            publish(one.number, stall);
          }
        });
    if (!fresh.isEmpty()) {
      Log.line(Stall.POSSIBLE + Stall.unknownYet(fresh));
    }
  }

  /**
   * Returns whether healthy threads seldom wait like that. A graceful shutdown sleeps until all
   * requests are done, and a child process or a stream may take long. Where a limiter lets threads
   * sleep, the time is known.
   */
  static boolean isTold(Stall stall) {
    return (stall.awaited().kind() != Awaited.Kind.SLEEP
            || stall.detail().kind() == WaitDetail.Kind.LIMITED)
        && !stall.awaited().is(Awaited.Trait.LASTING);
  }

  /** Takes back for readers outside what is over. */
  private void end(Set<Stall.Place> now) {
    told.forEach(
        (place, one) -> {
          one.missed = now.contains(place) ? 0 : one.missed + 1;
          if (one.missed == GONE) {
            AgentProperties.ended(one.number);
          }
        });
  }

  private void publish(int number, Stall stall) {
    Diagnosis.Stalled stalled = new Diagnosis.Stalled(stall);
    AgentProperties.found(number, stalled, words.lines(stalled));
  }
}
