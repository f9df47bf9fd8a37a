package io.github.vtdiag.agent.threads;

import io.github.vtdiag.hang.BusyWait;
import io.github.vtdiag.hang.CarriersKept;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.model.Frame;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Searches the code of threads that run and monopolize their carriers for loops that only wait. */
final class BusyWaitSearch {
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
    return new CarriersKept.Starved(
        starved.kept().stream()
            .map(kept -> new CarriersKept.Kept(with(kept.thread(), code, others), kept.chain()))
            .toList(),
        starved.queued(),
        starved.lost(),
        starved.deadlock(),
        starved.scheduler());
  }

  private static SeenThread with(SeenThread thread, List<CodeSites> code, List<SeenThread> others) {
    Optional<Frame> site = site(thread).filter(frame -> thread.stays());
    Optional<Set<String>> fields = site.flatMap(frame -> fields(frame, code));
    if (fields.isEmpty()) {
      return thread;
    }
    Optional<SeenThread> ender =
        others.stream().filter(other -> writes(other, fields.get(), code)).findFirst();
    BusyWait loop = new BusyWait(site.get(), fields.get().stream().sorted().toList(), ender);
    return thread.with(new ThreadWait.Nothing(true, Optional.of(loop)), thread.held());
  }

  private static Optional<Set<String>> fields(Frame frame, List<CodeSites> code) {
    return fields(frame, "", code);
  }

  /** The same of a loop that pauses in a method which does nothing else. */
  static Optional<Set<String>> fields(Frame frame, String helper, List<CodeSites> code) {
    return of(frame, code)
        .flatMap(sites -> sites.busyWait(frame.method(), frame.line(), helper).stream())
        .findFirst();
  }

  /** Returns the code of a frame's class: there may be several classes of that name. */
  static Stream<CodeSites> of(Frame frame, List<CodeSites> code) {
    return code.stream().filter(sites -> sites.type().name().equals(frame.type().name()));
  }

  private static boolean writes(SeenThread thread, Set<String> fields, List<CodeSites> code) {
    return thread.frames().stream()
        .filter(frame -> !frame.type().isJdk())
        .anyMatch(frame -> of(frame, code).anyMatch(sites -> sites.writes(frame.method(), fields)));
  }

  private static Optional<Frame> site(SeenThread thread) {
    return thread.frames().stream().filter(frame -> !frame.type().isJdk()).findFirst();
  }
}
