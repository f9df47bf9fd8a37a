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

  /** The method with which a loop waits without parking. */
  private static final String LOOP = "Thread.yield";

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
        + (stall.detail().isEmpty() ? "" : " " + stall.detail())
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
    List<String> callers =
        stall.written().stream().skip(1).limit(FRAMES).map(Frame::toString).toList();
    if (!callers.isEmpty()) {
      lines.add("called from " + String.join(", ", callers));
    }
    return lines;
  }

  static String ends(Stall stall) {
    return "ends: "
        + switch (stall.awaited().kind()) {
          case POOL ->
              "when an object comes back to the pool; if none does, find who took them and did not"
                  + " give them back (a larger pool only hangs later)";
          case SEMAPHORE ->
              "when a permit is released; if none is, find who took them and did not release them"
                  + " (more permits only hang later)";
          case LOCK, MONITOR -> "when the thread that has it releases it; vtdiag hang names it";
          case FULL_QUEUE ->
              "when another thread takes from the queue; look whether one still does";
          case SIGNAL ->
              stall.awaited().subject().equals(LOOP)
                  ? "when another thread changes what this loop reads; to prevent it, park in place"
                      + " of the loop: wait for a latch, a condition or a queue"
                  : "when another thread signals or counts down; look whether the one that should"
                      + " is still there";
          case FUTURE ->
              "when another thread completes it; look whether the one that should is still there,"
                  + " and waits for nothing itself";
          case ANSWER -> "when the other side answers; a timeout would make it an error";
          case DATA -> "when the other side, which is in this JVM, sends something or closes";
          case IDLE ->
              "when another thread puts something in; find why those that did so have ended";
          case SLEEP, UNKNOWN -> "when another thread unparks it";
        }
        + "; whether that happens cannot be seen";
  }
}
