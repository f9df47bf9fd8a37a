package io.github.vtdiag.hang;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.waits.Stall;
import java.util.ArrayList;
import java.util.List;

/** Words for the threads that stand still, their place, and what would end the stall. */
final class StallWords {
  /** The number of frames that identify a place in the program. */
  private static final int FRAMES = 5;

  private StallWords() {}

  /**
   * Returns {@code 96 virtual threads have waited for up to 31 s in app.Pool.take:12 (Semaphore)}.
   */
  static String statement(Stall stall) {
    boolean one = stall.threads() == 1;
    return Figures.count(stall.threads(), "virtual thread")
        + (stall.repeated()
            ? " at a time have waited for "
            : one ? " has waited for " : " have waited for up to ")
        + Figures.duration(stall.longestNanos())
        + stall.site().or(stall.awaited()::inside).map(frame -> " in " + frame).orElse("")
        + " ("
        + stall.subject()
        + (stall.detail().isKnown() ? ", " + stall.detail().clause() : "")
        + stall.wakers().clause()
        + (stall.repeated()
            ? "), each until its timeout, and none has got it"
            : "), and none has gone on");
  }

  static List<String> evidence(Stall stall) {
    List<String> lines = new ArrayList<>();
    if (!stall.lock().isEmpty()) {
      lines.add(
          (stall.threads() == 1 ? "it is parked for " : "all of them are parked for ")
              + stall.lock());
    }
    List<String> callers = stall.callers().stream().limit(FRAMES).map(Frame::toString).toList();
    if (!callers.isEmpty()) {
      lines.add("called from " + String.join(", ", callers));
    }
    return lines;
  }

  static String ends(Stall stall) {
    return "ends: " + stall.awaited().end() + "; whether that happens cannot be seen";
  }
}
