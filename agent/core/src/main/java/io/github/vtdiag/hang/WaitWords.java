package io.github.vtdiag.hang;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.KnownLibraries;
import io.github.vtdiag.model.LoopTarget;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.WrittenFrames;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownWaits;
import java.util.Optional;

/** Words for waiting threads, their places, and what they wait for. */
public final class WaitWords {
  private WaitWords() {}

  static String edge(WaitEdge edge) {
    return who(edge.waiter()) + " " + waitsFor(edge);
  }

  static String waitsFor(WaitEdge edge) {
    String at = site(edge.waiter()).map(frame -> " in " + frame).orElse("");
    String there = site(edge.other()).map(frame -> ", now in " + frame).orElse("");
    return switch (edge.how()) {
      case MONITOR ->
          "waits"
              + at
              + (edge.lock().className().isEmpty()
                  ? " for a monitor"
                  : " for the monitor of " + edge.lock().text())
              + ", which "
              + who(edge.other())
              + " holds"
              + edge.heldIn().map(frame -> " in " + frame).orElse(there);
      case LOCK ->
          "waits"
              + at
              + " for "
              + lock(edge.lock())
              + ", which "
              + who(edge.other())
              + " holds"
              + there;
      case NEXT ->
          "waits"
              + at
              + " for "
              + lock(edge.lock())
              + ", which is free, and "
              + who(edge.other())
              + " is first in its queue";
      case TASK ->
          "waits" + at + " for the result of a task that " + who(edge.other()) + " runs" + there;
      case JOIN -> "waits" + at + " until " + who(edge.other()) + " ends" + there;
      case SAME_CALL ->
          waits(edge.waiter())
              + ", and "
              + who(edge.other())
              + ", which may be the one to wake it, is in "
              + edge.heldIn().map(Frame::qualifiedMethod).orElse("the same call")
              + " too";
      case POLLER ->
          waits(edge.waiter())
              + " for a socket, and "
              + who(edge.other())
              + ", a thread of the JDK that tells when sockets are ready, needs a carrier itself";
      case CLASS_INITIALIZATION ->
          "waits"
              + at
              + (edge.exact()
                  ? " until "
                      + edge.lock().className()
                      + " is initialized, which "
                      + who(edge.other())
                      + " does"
                  : " until a class is initialized; " + who(edge.other()) + " initializes one")
              + edge.heldIn().map(frame -> " in " + frame).orElse(there);
    };
  }

  /** Returns {@code ReentrantLock$NonfairSync@1b2c}; the JDK's classes need no package. */
  static String lock(LockRef lock) {
    String text = lock.text();
    return text.startsWith("java.util.concurrent.")
        ? text.substring(text.lastIndexOf('.') + 1)
        : text;
  }

  /** Returns {@code waits in com.example.Foo.bar:12 for Foo@1b2c}. */
  static String waits(SeenThread thread) {
    String at = site(thread).map(frame -> " in " + frame + library(thread, frame)).orElse("");
    String lock = thread.waitsFor().object().map(found -> " for " + lock(found)).orElse("");
    return switch (thread.waitsFor()) {
      case ThreadWait.MonitorEntry entry ->
          "waits" + at + " for the monitor of " + entry.lock().text();
      case ThreadWait.ObjectWait wait ->
          "waits"
              + at
              + " to be notified"
              + (wait.lock().className().isEmpty() ? "" : " at " + wait.lock().text());
      case ThreadWait.Park park ->
          (park.timed() ? "waits, with a timeout," : "waits")
              + at
              + (park.ownPort().isPresent()
                  ? " for an answer from port "
                      + park.ownPort().getAsInt()
                      + ", on which this program itself listens"
                  : lock);
      case ThreadWait.ClassInitialization awaited ->
          "waits"
              + at
              + " until "
              + (awaited.className().isEmpty() ? "a class" : awaited.className())
              + " is initialized";
      case ThreadWait.NativeCode code ->
          (thread.isInSelector() ? "waits in a selector" : "is in native code") + at;
      case ThreadWait.Sleep sleep -> "sleeps" + at;
      case ThreadWait.Nothing nothing ->
          nothing.loop().map(loop -> loop(thread, loop)).orElseGet(() -> doing(thread) + at);
      case ThreadWait.NotKnown unknown -> "stands" + at;
    };
  }

  /** Returns the wait of the thread at the end of a chain; empty if it runs, or needs a carrier. */
  static Optional<String> end(CarriersKept.Kept kept) {
    SeenThread last = kept.last();
    boolean said = kept.chain().stream().anyMatch(edge -> edge.waiter().id() == last.id());
    return said
            || last.waitsFor() instanceof ThreadWait.Nothing
            || last.waitsFor() instanceof ThreadWait.NotKnown
        ? Optional.empty()
        : Optional.of(who(last) + " " + waits(last));
  }

  private static String doing(SeenThread thread) {
    if (thread.needsCarrier()) {
      return "needs a carrier";
    }
    return thread.staysInNativeCode()
        ? "is in native code"
        : thread.waitsAgain() ? "waits again and again" : "runs";
  }

  /** Returns what a library waits for, and the code that called it; empty if it is no library's. */
  private static String library(SeenThread thread, Frame site) {
    Optional<Frame> caller =
        KnownLibraries.caller(thread.frames()).filter(frame -> !frame.equals(site));
    if (caller.isEmpty() || !site.type().isWritten()) {
      return "";
    }
    Awaited awaited =
        KnownWaits.of(
            new StackTrace(thread.frames(), false), thread.state().orElse(Thread.State.WAITING));
    boolean isNamed = awaited.inside().filter(inside -> !inside.type().isJdk()).isPresent();
    return " (" + (isNamed ? awaited.subject() + ", " : "") + "called by " + caller.get() + ")";
  }

  private static String loop(SeenThread waiting, BusyWait loop) {
    return "waits in a loop in "
        + loop.at()
        + library(waiting, loop.at())
        + " until "
        + LoopTarget.changes(loop.targets())
        + loop.ender()
            .map(
                thread ->
                    ", which "
                        + who(thread)
                        + " writes"
                        + site(thread).map(frame -> " in " + frame).orElse("")
                        + " once it has a carrier")
            .orElse("");
  }

  /** Returns the end of a sentence on threads of which some wait in a selector. */
  static String selecting(long threads) {
    return threads == 0
        ? ""
        : "; "
            + threads
            + (threads == 1
                ? " keeps its carrier while it waits"
                : " keep their carriers while they wait")
            + " in a selector";
  }

  /** Returns what its stack says of its wait. */
  static Awaited awaited(SeenThread thread) {
    return KnownWaits.of(
        new StackTrace(thread.frames(), false),
        thread
            .state()
            .orElse(
                thread.waitsFor().isTimed() ? Thread.State.TIMED_WAITING : Thread.State.WAITING));
  }

  /** Returns the innermost frame outside the JDK, where a developer starts. */
  public static Optional<Frame> site(SeenThread thread) {
    return WrittenFrames.outsideJdk(thread.frames())
        .findFirst()
        .or(() -> thread.frames().stream().findFirst());
  }

  static String who(SeenThread thread) {
    return (thread.virtual()
            ? "virtual thread #"
            : thread.isBlockedCarrier() ? "carrier #" : "thread #")
        + thread.id()
        + (thread.name().isEmpty() ? "" : " " + Printable.quoted(thread.name()));
  }
}
