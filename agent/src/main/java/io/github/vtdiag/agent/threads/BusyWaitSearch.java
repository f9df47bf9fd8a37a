package io.github.vtdiag.agent.threads;

import io.github.vtdiag.hang.BusyWait;
import io.github.vtdiag.hang.CarriersKept;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.locksite.TurnLoop;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LoopTarget;
import io.github.vtdiag.model.WrittenFrames;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Searches the code of threads that run and monopolize their carriers for loops that only wait. */
public final class BusyWaitSearch {
  /** The number of unmounted threads whose code is searched. */
  private static final int MOST = 50;

  private final LockMapReader classes;

  BusyWaitSearch(LockMapReader classes) {
    this.classes = classes;
  }

  /**
   * Returns the same diagnosis, with the loops that are found.
   *
   * @param looks knows which threads need a carrier
   */
  CarriersKept.Starved with(CarriersKept.Starved starved, ThreadSnapshots looks)
      throws ReflectiveOperationException {
    List<SeenThread> running =
        starved.kept().stream()
            .map(CarriersKept.Kept::thread)
            .filter(thread -> thread.stays() && site(thread).isPresent())
            .toList();
    if (running.isEmpty()) {
      return starved;
    }
    List<SeenThread> others =
        looks.queued(MOST).stream()
            .filter(thread -> thread.needsCarrier() && site(thread).isPresent())
            .toList();
    Set<String> names = new HashSet<>();
    running.forEach(thread -> names.add(site(thread).orElseThrow().type().name()));
    others.forEach(thread -> names.add(site(thread).orElseThrow().type().name()));
    List<CodeSites> code = classes.code(names);
    return starved.with(thread -> with(thread, code, others));
  }

  private static SeenThread with(SeenThread thread, List<CodeSites> code, List<SeenThread> others) {
    Optional<Frame> site = site(thread).filter(frame -> thread.stays());
    // No other class is read here: a thread that computes monopolizes a carrier.
    Optional<Set<LoopTarget>> targets =
        site.flatMap(frame -> targets(frame, "", code, name -> List.of()));
    Optional<TurnLoop> turns =
        site.flatMap(
            frame ->
                of(frame, code)
                    .flatMap(sites -> sites.turnLoop(frame.method(), frame.line()).stream())
                    .findFirst());
    Set<LoopTarget> awaited = targets.or(() -> turns.map(TurnLoop::reads)).orElse(Set.of());
    Optional<SeenThread> ender =
        others.stream().filter(other -> writes(other, awaited, code)).findFirst();
    // A loop that may do something else waits if one who would end it has no carrier.
    if (awaited.isEmpty() || (targets.isEmpty() && ender.isEmpty())) {
      return thread;
    }
    boolean yields = turns.map(TurnLoop::yields).orElse(false);
    BusyWait loop = new BusyWait(site.get(), awaited, ender, yields);
    return thread.with(new ThreadWait.Nothing(true, Optional.of(loop)), thread.held());
  }

  /**
   * Returns what a loop waits for that does nothing else.
   *
   * @param helper the method in which it pauses and which does nothing else; or empty
   * @param classes returns the code of the classes of that name
   */
  public static Optional<Set<LoopTarget>> targets(
      Frame frame, String helper, List<CodeSites> code, Function<String, List<CodeSites>> classes) {
    return of(frame, code)
        .flatMap(sites -> sites.busyWait(frame.method(), frame.line(), helper, classes).stream())
        .findFirst();
  }

  /** Returns the code of a frame's class: there may be several classes of that name. */
  public static Stream<CodeSites> of(Frame frame, List<CodeSites> code) {
    return code.stream().filter(sites -> sites.type().name().equals(frame.type().name()));
  }

  private static boolean writes(SeenThread thread, Set<LoopTarget> targets, List<CodeSites> code) {
    return WrittenFrames.outsideJdk(thread.frames())
        .anyMatch(
            frame -> of(frame, code).anyMatch(sites -> sites.writes(frame.method(), targets)));
  }

  private static Optional<Frame> site(SeenThread thread) {
    return WrittenFrames.outsideJdk(thread.frames()).findFirst();
  }
}
