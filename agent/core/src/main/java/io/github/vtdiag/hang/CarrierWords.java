package io.github.vtdiag.hang;

import io.github.vtdiag.hang.CarriersKept.Kept;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.JavaRelease;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Words for what occupies carriers, what that waits for, and what ends it. */
final class CarrierWords {
  /** The number of threads that are described; others are only counted. */
  private static final int THREADS = 4;

  private final int jdk;
  private final Function<String, Optional<String>> agents;

  /**
   * @param jdk the feature number of the JDK that ran; 0 if it is unknown
   * @param agents finds the jar of an agent that has a class, if it is known
   */
  CarrierWords(int jdk, Function<String, Optional<String>> agents) {
    this.jdk = jdk;
    this.agents = agents;
  }

  static String statement(CarriersKept.DeadlockByPinning pinning) {
    List<Kept> kept = pinning.kept();
    return blocked(kept) == 0
        ? all(pinning) + " kept by virtual threads that wait for one that needs a carrier"
        : carriers(pinning)
            + (kept.size() == 1 ? " waits" : " wait")
            + inPart(kept)
            + ", for a virtual thread that needs a carrier";
  }

  static String statement(CarriersKept.Starved starved) {
    List<Kept> kept = starved.kept();
    String need =
        starved.queued() == 0
            ? "no virtual thread can run"
            : starved.queued() == 1
                ? "1 other needs a carrier"
                : Figures.count(starved.queued()) + " others need one";
    if (blocked(kept) > 0) {
      return carriers(starved)
          + (kept.size() == 1 ? " stands still" : " stand still")
          + inPart(kept)
          + ", and "
          + (starved.queued() == 0
              ? need
              : Figures.count(starved.queued(), "virtual thread")
                  + (starved.queued() == 1 ? " needs one" : " need one"));
    }
    return all(starved)
        + " kept by virtual threads that "
        + (waitsBusily(starved)
            ? "wait in loops"
            : runs(starved) ? "do not leave them" : "stand still")
        + ", and "
        + need;
  }

  private static long blocked(List<Kept> kept) {
    return kept.stream().filter(each -> each.thread().isBlockedCarrier()).count();
  }

  /** Returns the words for the carriers among them that wait without a virtual thread. */
  private static String inPart(List<Kept> kept) {
    long blocked = blocked(kept);
    return blocked == kept.size()
        ? ", with no virtual thread on " + (blocked == 1 ? "it" : "them")
        : ", " + blocked + " of them with no virtual thread on " + (blocked == 1 ? "it" : "them");
  }

  private static String carriers(CarriersKept all) {
    return Figures.allCarriers(all.kept().size())
        + (all.scheduler().isEmpty()
            ? ""
            : " of a scheduler that is not the JDK's (" + all.scheduler() + ")");
  }

  private static String all(CarriersKept all) {
    return carriers(all) + (all.kept().size() == 1 ? " is" : " are");
  }

  private static boolean runs(CarriersKept.Starved starved) {
    return starved.kept().stream().anyMatch(kept -> kept.thread().stays());
  }

  /** Returns whether a thread would leave its carrier for a moment if it held no monitor. */
  private boolean leaves(SeenThread thread) {
    return isKeptByMonitor(thread) && loop(thread).map(BusyWait::yields).orElse(true);
  }

  /** Returns whether all running threads are in loops that only another thread can end. */
  private static boolean waitsBusily(CarriersKept.Starved starved) {
    return runs(starved)
        && starved.kept().stream()
            .map(Kept::thread)
            .allMatch(thread -> !thread.stays() || loop(thread).isPresent());
  }

  private static Optional<BusyWait> loop(SeenThread thread) {
    return thread.waitsFor() instanceof ThreadWait.Nothing nothing
        ? nothing.loop()
        : Optional.empty();
  }

  List<String> ends(CarriersKept.Starved starved) {
    return runs(starved) ? endsOfRunning(starved) : endsOfStanding(starved);
  }

  private List<String> endsOfRunning(CarriersKept.Starved starved) {
    List<SeenThread> keepers = starved.kept().stream().map(Kept::thread).toList();
    if (waitsBusily(starved)) {
      boolean leave =
          jdk < JavaRelease.UNPINNED_MONITORS && keepers.stream().allMatch(this::leaves);
      return List.of(
          "ends: when another thread changes what these loops read, if it gets a carrier; to"
              + " prevent it, "
              + (leave
                  ? withoutMonitor("")
                  : "park in place of the loop: wait for a latch, a condition or a queue"));
    }
    if (keepers.stream().allMatch(CarrierWords::isInNativeCode)) {
      return List.of(
          "ends: when one of these native calls returns; to prevent it, make such calls on platform"
              + " threads: native code keeps its carrier on every Java");
    }
    if (keepers.stream().allMatch(thread -> !thread.stays() || thread.waitsAgain())) {
      return List.of(
          "ends: when one of them stops waiting again; to prevent it, " + prevention(keepers));
    }
    return List.of(
        "ends: when one of them waits or ends; what computes this long belongs on platform"
            + " threads, and a loop that waits for another thread has to park");
  }

  private List<String> endsOfStanding(CarriersKept.Starved starved) {
    List<SeenThread> keepers = starved.kept().stream().map(Kept::thread).toList();
    if (starved.deadlock() == CarriersKept.Starved.Deadlock.NONE && starved.asksItself()) {
      return List.of(
          "ends: when this program answers itself, for which it may need these carriers; to prevent"
              + " it, call the code behind that port directly, or "
              + prevention(keepers));
    }
    String ends =
        switch (starved.deadlock()) {
          case KEEPS_ALL -> CarriersKept.BY_DEADLOCK;
          case BESIDE -> "ends: when one of them goes on that is not deadlocked";
          case NONE -> "ends: when one of them goes on; no deadlock is proven";
        };
    // The deadlock's own words include its prevention.
    Optional<String> prevention =
        starved.deadlock() == CarriersKept.Starved.Deadlock.NONE
            ? ofCarriersThemselves(starved.kept())
                .or(() -> ofClassLoading(starved.kept()))
                .or(() -> ofNativeCode(starved.kept()))
            : Optional.empty();
    return List.of(ends + prevention.map(text -> "; to prevent it, " + text).orElse(""));
  }

  private static Optional<String> ofCarriersThemselves(List<Kept> kept) {
    return blocked(kept) > 0
        ? Optional.of(
            "update or remove the agent that makes carriers wait there: nothing may wait on the"
                + " way from a carrier to a virtual thread")
        : Optional.empty();
  }

  private static boolean isInNativeCode(SeenThread thread) {
    return thread.staysInNativeCode() || thread.waitsFor() instanceof ThreadWait.NativeCode;
  }

  private static Optional<String> ofClassLoading(List<Kept> kept) {
    return kept.stream().allMatch(each -> loadsClass(each.thread()))
        ? Optional.of(
            "load these classes at start, before virtual threads need them, or run the start-up on"
                + " platform threads; a loader that the JVM locks has to be parallel capable"
                + " (ClassLoader.registerAsParallelCapable)")
        : Optional.empty();
  }

  private Optional<String> ofNativeCode(List<Kept> kept) {
    return kept.stream().allMatch(each -> isCalledBack(each.thread()))
        ? Optional.of(
            "do not wait in what native code calls back, or make the call on platform threads")
        : Optional.empty();
  }

  private boolean isCalledBack(SeenThread thread) {
    return jdk >= JavaRelease.UNPINNED_MONITORS
        && PinningFrames.of(thread).map(Frame::isNative).orElse(true)
        && PinningFrames.loading(thread).isEmpty()
        && isKeptByHiddenFrame(thread);
  }

  private static boolean loadsClass(SeenThread thread) {
    return thread.waitsFor().object().filter(LockRef::isClassLoader).isPresent()
        || PinningFrames.loading(thread).isPresent();
  }

  List<String> ends(CarriersKept.DeadlockByPinning pinning) {
    List<SeenThread> keepers = pinning.kept().stream().map(Kept::thread).toList();
    String prevention =
        ofCarriersThemselves(pinning.kept())
            .or(() -> ofClassLoading(pinning.kept()))
            .orElseGet(() -> prevention(keepers));
    return List.of(
        (pinning.hasTimeout()
                ? "ends: when a wait times out, and may come back; to prevent it, "
                : pinning.isGuessed()
                    ? "ends: when something else wakes a thread that waits, such as a library's own"
                        + " timeout, and may come back; else not by itself; to prevent it, "
                    : "ends: not by itself; to prevent it, ")
            + prevention,
        "stopgap: more carriers than can be kept so at a time"
            + (pinning.scheduler().isEmpty()
                ? " (-Djdk.virtualThreadScheduler.parallelism and maxPoolSize)"
                : " (more threads in the executor)")
            + "; more threads hang again");
  }

  private String prevention(List<SeenThread> keepers) {
    if (keepers.stream().anyMatch(thread -> PinningFrames.of(thread).isPresent())) {
      return "do not wait there: what keeps these carriers does so on every Java";
    }
    if (jdk < JavaRelease.UNPINNED_MONITORS && keepers.stream().allMatch(this::isKeptByMonitor)) {
      boolean notified =
          keepers.stream().anyMatch(thread -> thread.waitsFor() instanceof ThreadWait.ObjectWait);
      return withoutMonitor(notified ? " with its Condition" : "");
    }
    return "do not wait while something keeps the carrier";
  }

  private static String withoutMonitor(String condition) {
    return "wait without the monitor: put a ReentrantLock"
        + condition
        + " in its place, or use a version of the library without it, if it is a library's; on"
        + " Java 25.0.4 or later monitors keep no carrier (24 to 25.0.3 have faults that look"
        + " like this)";
  }

  /**
   * Returns whether it occupies its carrier because of a monitor that it holds, enters or waits at.
   */
  private boolean isKeptByMonitor(SeenThread thread) {
    return thread.waitsFor() instanceof ThreadWait.ObjectWait
        || thread.waitsFor() instanceof ThreadWait.MonitorEntry
        || heldMonitor(thread).isPresent();
  }

  List<String> kept(List<Kept> all, long queued) {
    List<String> lines = new ArrayList<>();
    Map<Long, SeenThread> needy = new LinkedHashMap<>();
    List<Kept> named = rootsFirst(all).stream().limit(THREADS).toList();
    // The own line of a thread that keeps a carrier says for what it waits.
    Set<Long> keepers = named.stream().map(kept -> kept.thread().id()).collect(Collectors.toSet());
    for (Kept kept : named) {
      lines.add(kept(kept));
      kept.chain().stream()
          .skip(1)
          .filter(edge -> !keepers.contains(edge.waiter().id()))
          .map(WaitWords::edge)
          .forEach(lines::add);
      if (!keepers.contains(kept.last().id())) {
        WaitWords.end(kept).ifPresent(lines::add);
      }
    }
    if (all.size() > THREADS) {
      int more = all.size() - THREADS;
      lines.add("and " + more + (more == 1 ? " more carrier is kept" : " more carriers are kept"));
    }
    all.stream()
        .map(Kept::last)
        .filter(SeenThread::needsCarrier)
        .forEach(thread -> needy.put(thread.id(), thread));
    needy.values().stream()
        .limit(THREADS)
        .forEach(
            thread ->
                lines.add(WaitWords.who(thread) + " could run, and no carrier is free for it"));
    long others = queued - Math.min(needy.size(), THREADS);
    if (others > 0 && !needy.isEmpty()) {
      lines.add(Figures.count(others, "more virtual thread") + " could run too");
    }
    return lines.stream().distinct().toList();
  }

  /** Sorts those last that only wait for another one of them. */
  private static List<Kept> rootsFirst(List<Kept> all) {
    Set<Long> ids = all.stream().map(kept -> kept.thread().id()).collect(Collectors.toSet());
    Map<Boolean, List<Kept>> waits =
        all.stream()
            .collect(
                Collectors.partitioningBy(
                    kept -> !kept.chain().isEmpty() && ids.contains(kept.last().id())));
    return Stream.of(waits.get(false), waits.get(true)).flatMap(List::stream).toList();
  }

  private String kept(Kept kept) {
    SeenThread thread = kept.thread();
    String wait =
        kept.chain().isEmpty()
            ? WaitWords.waits(thread)
            : WaitWords.waitsFor(kept.chain().getFirst());
    return thread.isBlockedCarrier()
        ? WaitWords.who(thread)
            + " carries no virtual thread: it "
            + wait
            + PinningFrames.entered(thread).map(frame -> ", called by " + frame).orElse("")
            + jar(thread).map(name -> " (code of the agent " + name + ")").orElse("")
        : WaitWords.who(thread)
            + " keeps its carrier: it "
            + pin(thread).map(text -> text + " and ").orElse("")
            + wait;
  }

  private Optional<String> jar(SeenThread thread) {
    return WaitWords.site(thread).flatMap(frame -> agents.apply(frame.type().name()));
  }

  /** Returns what pins it, if that is seen and the text of its wait does not say so. */
  private Optional<String> pin(SeenThread thread) {
    if (thread.stays() && !thread.waitsAgain()) {
      return Optional.empty();
    }
    boolean waitSaysIt = thread.waitsFor() instanceof ThreadWait.ObjectWait;
    if (jdk < JavaRelease.UNPINNED_MONITORS && heldMonitor(thread).isPresent() && !waitSaysIt) {
      HeldLock held = heldMonitor(thread).get();
      boolean known = held.depth() >= 0 && held.depth() < thread.frames().size();
      return Optional.of(
          "holds the monitor of "
              + (held.lock().className().isEmpty() ? "an object" : held.lock().text())
              + (known ? " in " + thread.frames().get(held.depth()) : ""));
    }
    Optional<Frame> pins = PinningFrames.of(thread);
    if (pins.isPresent()) {
      return pins
          // Native code is mentioned only once.
          .filter(
              frame ->
                  frame.isClassInitializer()
                      || !(thread.waitsFor() instanceof ThreadWait.NativeCode))
          .map(
              frame ->
                  frame.isClassInitializer()
                      ? "initializes " + frame.type().name()
                      : "is in native code, " + frame);
    }
    return PinningFrames.loading(thread)
        .map(frame -> "loads a class for " + frame)
        .or(
            () ->
                jdk >= JavaRelease.UNPINNED_MONITORS && isKeptByHiddenFrame(thread)
                    ? Optional.of(
                        "was called back by native code that no stack shows (most likely through"
                            + " java.lang.foreign)")
                    : Optional.empty());
  }

  /**
   * Returns whether it waits for something that otherwise unmounts a thread, so that an unseen
   * frame must pin it.
   */
  private static boolean isKeptByHiddenFrame(SeenThread thread) {
    return switch (thread.waitsFor()) {
      case ThreadWait.Park park -> true;
      case ThreadWait.ObjectWait wait -> true;
      case ThreadWait.Sleep sleep -> true;
      case ThreadWait.MonitorEntry entry -> !entry.lock().isClassLoader();
      case ThreadWait.Nothing nothing -> false;
      case ThreadWait.ClassInitialization awaited -> false;
      case ThreadWait.NativeCode code -> false;
      case ThreadWait.NotKnown unknown -> false;
    };
  }

  /** The innermost monitor that a thread holds. */
  private static Optional<HeldLock> heldMonitor(SeenThread thread) {
    return thread.held().stream().filter(held -> held.kind() == HeldLock.Kind.MONITOR).findFirst();
  }
}
