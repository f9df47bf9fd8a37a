package io.github.vtdiag.hang;

import io.github.vtdiag.hang.Diagnosis.Crowd;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.waits.Awaited;
import java.util.Optional;
import java.util.stream.Collectors;

/** Words for threads that wait for the same thing. */
final class CrowdWords {
  private CrowdWords() {}

  static String statement(Diagnosis.Waiting waiting) {
    return Figures.count(waiting.crowds().stream().mapToLong(Crowd::threads).sum())
        + " of "
        + Figures.count(waiting.virtualThreads(), "virtual thread")
        + (waiting.crowds().size() == 1 ? same(waiting.crowds().getFirst()) : things(waiting));
  }

  /** Returns what several crowds wait for. Groups in different methods may wait for one lock. */
  private static String things(Diagnosis.Waiting waiting) {
    long things =
        waiting.crowds().stream()
            .map(crowd -> exact(crowd.example()).<Object>map(object -> object).orElse(crowd))
            .distinct()
            .count();
    return things == 1
        ? " wait for the same " + kind(waiting.crowds().getFirst().example())
        : " wait for " + things + " things";
  }

  private static Optional<LockRef> exact(SeenThread thread) {
    return thread.waitsFor().object().filter(LockRef::isExact);
  }

  static String crowd(Crowd crowd) {
    SeenThread example = crowd.example();
    return Figures.count(crowd.threads(), "virtual thread")
        + (crowd.threads() == 1 ? " waits" : " wait")
        + WaitWords.site(example).map(frame -> " in " + frame).orElse("")
        + example.waitsFor().object().map(object -> " for " + WaitWords.lock(object)).orElse("")
        + call(example)
        + (example.waitsFor().isTimed() ? ", with a timeout" : "")
        + crowd.edge().map(CrowdWords::other).orElseGet(() -> others(crowd));
  }

  /** Returns the thread on which it depends when the wait ends, and what that thread does. */
  private static String other(WaitEdge edge) {
    String who = WaitWords.who(edge.other());
    String does = "it " + WaitWords.waits(edge.other());
    return switch (edge.how()) {
      case MONITOR, LOCK -> ", which " + who + " holds; " + does;
      case CLASS_INITIALIZATION -> "; " + who + " initializes it; " + does;
      case NEXT -> ", which is free, and " + who + " is first in its queue; " + does;
      case TASK -> "; " + who + " runs the task; " + does;
      case JOIN -> " to end: " + who + "; " + does;
      case SAME_CALL -> "; " + who + ", which may be the one to wake it, is in the same call";
      case POLLER -> "; " + who + ", which tells when sockets are ready, needs a carrier itself";
    };
  }

  private static String others(Crowd crowd) {
    return crowd.others().isEmpty()
        ? ""
        : crowd.others().stream()
            .map(
                thread ->
                    WaitWords.who(thread)
                        + WaitWords.site(thread).map(frame -> ", now in " + frame).orElse(""))
            .collect(Collectors.joining("; ", "; besides them, only these can reach it: ", ""));
  }

  /** Returns what the thread called, unless the object that it is parked for says so. */
  private static String call(SeenThread thread) {
    String subject = WaitWords.awaited(thread).subject();
    boolean said = thread.waitsFor().object().map(WaitWords::lock).orElse("").startsWith(subject);
    return said ? "" : " (" + subject + ")";
  }

  private static String same(Crowd crowd) {
    SeenThread thread = crowd.example();
    if (crowd.threads() == 1) {
      return " waits for another thread";
    }
    return exact(thread).isPresent()
        ? " wait for the same " + kind(thread)
        : " wait in the same place";
  }

  private static String kind(SeenThread thread) {
    return switch (thread.waitsFor()) {
      case ThreadWait.MonitorEntry entry -> "monitor";
      case ThreadWait.ObjectWait wait -> "notification";
      case ThreadWait.Park park ->
          park.holder() instanceof LockHolder.NotKnown
                  && WaitWords.awaited(thread).kind() != Awaited.Kind.LOCK
              ? "thing"
              : "lock";
      case ThreadWait.ClassInitialization awaited -> "class";
      case ThreadWait.Nothing nothing -> "thing";
      case ThreadWait.NativeCode code -> "thing";
      case ThreadWait.Sleep sleep -> "thing";
      case ThreadWait.NotKnown unknown -> "thing";
    };
  }
}
