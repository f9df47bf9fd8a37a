package io.github.vtdiag.agent.threads;

import io.github.vtdiag.agent.jvm.AgentThread;
import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.hang.CarrierPool;
import io.github.vtdiag.hang.Reachability;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.Snapshot;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.watch.CarrierStates;
import io.github.vtdiag.watch.Carriers;
import java.io.Closeable;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.stream.Collectors;

/** Takes snapshots of all threads of this JVM; those that may be stuck are read in full. */
public final class ThreadSnapshots implements Closeable {
  /** The number of threads that are read in full for a snapshot. */
  private static final int MOST = 1_000;

  private final ThreadInternals internals;
  private final ThreadReader reader;
  private final StuckThreadScan suspects;
  private final InitializerWaits initializers;
  private final LoaderWaits loaders;
  private final MonitorsByMap monitors;
  private final MonitorsByVm exactMonitors;
  private final OtherSchedulers schedulers;
  private final CarrierStates states;
  private final boolean counted;

  /** The JDK's scheduler; empty until one of its carriers was seen. */
  private Optional<ForkJoinPool> scheduler = Optional.empty();

  /** The threads that were read in full for the last snapshot. */
  private List<Thread> readLast = List.of();

  private Set<Thread> standingLast = Set.of();
  private List<Thread> mountedLast = List.of();
  private Map<Thread, Long> runningLast = Map.of();
  private List<SeenThread> allLast = List.of();

  /** True if all monitors that matter were known as objects at the last snapshot. */
  private boolean completeLast;

  private long queuedLast;
  private IdentityHashMap<Object, Long> queuedElsewhereLast = new IdentityHashMap<>();
  private List<Thread> blockedLast = List.of();

  /**
   * @param counted whether the JVM counts how often each carrier mounts
   */
  ThreadSnapshots(
      Instrumentation instrumentation, LockMapReader maps, boolean counted, Management management)
      throws ReflectiveOperationException {
    LoadedTypes types = new LoadedTypes(instrumentation);
    this.counted = counted;
    this.internals = ThreadInternals.open(instrumentation);
    this.states = new OsThreads(instrumentation);
    this.reader = new ThreadReader(internals, states);
    this.schedulers = new OtherSchedulers(internals, counted);
    this.suspects = new StuckThreadScan(internals, reader, management, schedulers, states, counted);
    this.initializers = new InitializerWaits(internals, maps, types);
    this.loaders = new LoaderWaits(initializers, types);
    this.monitors = new MonitorsByMap(internals, reader, maps, types, management);
    this.exactMonitors = new MonitorsByVm(reader, instrumentation);
  }

  /** Returns all platform threads. */
  public static List<Thread> platformThreads() {
    Thread[] room = new Thread[AgentThread.GROUP.activeCount() + 16];
    int found = AgentThread.GROUP.enumerate(room, true);
    while (found == room.length) {
      room = new Thread[2 * room.length];
      found = AgentThread.GROUP.enumerate(room, true);
    }
    return List.of(Arrays.copyOf(room, found));
  }

  /** Returns the platform threads without those of the agent, for which no program waits. */
  public static List<Thread> platformThreadsOfProgram() {
    return platformThreads().stream().filter(thread -> !AgentThread.is(thread)).toList();
  }

  /**
   * Takes a snapshot.
   *
   * @param platform all platform threads
   * @param again the ids of threads to include in any case, if they were read for the last snapshot
   */
  Snapshot look(List<Thread> platform, Set<Long> again) throws ReflectiveOperationException {
    List<Thread> others = withoutCarriers(platform);
    StuckThreadScan.Result found = suspects.scan(others, carriers(platform), again);
    List<Thread> first = new ArrayList<>(found.stuck());
    readLast.stream().filter(thread -> again.contains(thread.threadId())).forEach(first::add);
    return look(platform, first, found);
  }

  /** Reads the threads that were woken and still waited, for this number of snapshots in a row. */
  List<SeenThread> woken(int looks) throws ReflectiveOperationException {
    List<SeenThread> read = new ArrayList<>();
    for (Thread thread : suspects.forgotten(looks)) {
      reader.woken(thread).ifPresent(read::add);
    }
    return read;
  }

  /** Reads some of the threads that needed a carrier at the last snapshot. */
  List<SeenThread> queued(int most) throws ReflectiveOperationException {
    return read(suspects.queued(), most);
  }

  /**
   * Reads some of the threads of a scheduler that needed a carrier at the last snapshot, after its
   * carriers if it is not the JDK's.
   *
   * @param scheduler the name of its carriers; empty for the JDK's
   */
  List<SeenThread> queuedFor(String scheduler, int most) throws ReflectiveOperationException {
    List<Thread> queued =
        suspects.queued().stream()
            .filter(thread -> schedulers.name(thread).equals(scheduler))
            .toList();
    List<SeenThread> read = new ArrayList<>();
    if (!queued.isEmpty()) {
      read.addAll(read(schedulers.carriers(queued.getFirst()), most / 2));
    }
    read.addAll(read(queued, most - read.size()));
    return read;
  }

  private List<SeenThread> read(List<Thread> threads, int most)
      throws ReflectiveOperationException {
    List<SeenThread> read = new ArrayList<>();
    for (Thread thread : threads) {
      if (read.size() < most) {
        reader.look(thread).ifPresent(read::add);
      }
    }
    return read;
  }

  /**
   * Takes another snapshot of the threads that were read for the last one; the others are not
   * counted.
   */
  Snapshot lookAgain(List<Thread> platform) throws ReflectiveOperationException {
    Map<Thread, Long> running = new HashMap<>(runningLast);
    running.entrySet().removeIf(each -> !stays(each.getKey(), each.getValue()));
    return look(
        platform,
        readLast,
        new StuckThreadScan.Result(
            Set.of(),
            standingLast,
            mountedLast,
            running,
            Set.of(),
            blockedLast.stream()
                .filter(carrier -> Carriers.isBlocked((ForkJoinWorkerThread) carrier))
                .toList(),
            List.of(),
            0,
            queuedLast,
            queuedElsewhereLast));
  }

  private static List<ForkJoinWorkerThread> carriers(List<Thread> platform) {
    return platform.stream()
        .filter(Carriers::isOfJdk)
        .map(ForkJoinWorkerThread.class::cast)
        .toList();
  }

  private boolean stays(Thread thread, long mounts) {
    Thread carrier = internals.carrier(thread);
    return carrier != null && StuckThreadScan.mounts(carrier) == mounts;
  }

  private Snapshot look(List<Thread> platform, List<Thread> first, StuckThreadScan.Result found)
      throws ReflectiveOperationException {
    reader.startLook(found.standing());
    Map<Thread, SeenThread> seen = new LinkedHashMap<>();
    readAll(first, seen);
    readBlocked(found.blocked(), seen);
    if (seen.values().stream().anyMatch(InitializerWaits::mayWait)) {
      readAll(found.runnable(), seen);
    }
    boolean needed = found.queued() > 0 || !found.queuedElsewhere().isEmpty();
    boolean allKept = needed && isAllKept(found, seen);
    if (allKept) {
      readAll(found.running().keySet(), seen);
      readAll(found.kept(), seen);
      found
          .running()
          .keySet()
          .forEach(thread -> seen.computeIfPresent(thread, ThreadSnapshots::staying));
    }
    readLast = List.copyOf(seen.keySet());
    standingLast = found.standing();
    mountedLast = found.mounted();
    runningLast = found.running();
    queuedLast = found.queued();
    queuedElsewhereLast = found.queuedElsewhere();
    boolean allInitializers = seen.values().stream().anyMatch(InitializerWaits::mayWaitForAny);
    if (allInitializers) {
      // One of these threads initializes the class, whichever it is.
      readAll(found.mounted(), seen);
      readAll(withoutCarriers(platform), seen);
      allInitializers = seen.size() < MOST;
    }
    List<SeenThread> threads = initializers.resolve(List.copyOf(seen.values()), allInitializers);
    boolean complete = reader.isExact();
    if (complete) {
      threads = loaders.resolve(threads);
    }
    boolean allRead = !found.mounted().isEmpty() && seen.keySet().containsAll(found.mounted());
    if (!reader.isExact() && (allRead || threads.stream().anyMatch(MonitorsByMap::mayWait))) {
      // Any of them may hold the monitor.
      readAll(found.mounted(), seen);
      threads = initializers.resolve(List.copyOf(seen.values()), allInitializers);
      threads = monitors.resolve(threads, withoutCarriers(platform));
      MonitorsByVm.Resolved resolved = exactMonitors.resolve(threads, platform);
      threads = resolved.threads();
      complete = resolved.complete();
    }
    List<SeenThread> all = new ArrayList<>(allKept ? withStaying(threads, found.kept()) : threads);
    for (Thread thread : found.mounted()) {
      if (!seen.containsKey(thread)) {
        all.add(reader.moving(thread));
      }
    }
    allLast = List.copyOf(all);
    completeLast = complete;
    long virtual = all.stream().filter(SeenThread::virtual).count();
    return new Snapshot(
        all,
        Math.max(0, found.virtualThreads() - virtual),
        pool(platform.stream().filter(Carriers::isOfJdk).toList(), found.queued()),
        complete,
        Reachability.NOT_KNOWN,
        schedulers.seen(found, seen));
  }

  /**
   * Marks threads that had no processor since the snapshot before, and wait for nothing: they have
   * not gone on either.
   */
  private static List<SeenThread> withStaying(List<SeenThread> threads, Set<Thread> kept) {
    Set<Long> ids = kept.stream().map(Thread::threadId).collect(Collectors.toSet());
    return threads.stream()
        .map(
            thread ->
                ids.contains(thread.id()) && thread.waitsFor() instanceof ThreadWait.Nothing
                    ? thread.with(new ThreadWait.Nothing(true), thread.held())
                    : thread)
        .toList();
  }

  /** Reads carriers without a mounted thread, wherever they wait, unless they wait for work. */
  private void readBlocked(List<Thread> carriers, Map<Thread, SeenThread> seen) {
    blockedLast = carriers;
    readAll(carriers, seen);
    for (Thread carrier : carriers) {
      seen.computeIfPresent(
          carrier,
          (same, read) ->
              read.frames().stream().anyMatch(ThreadSnapshots::waitsForWork)
                  ? null
                  : read.asBlockedCarrier());
    }
  }

  private static boolean waitsForWork(Frame frame) {
    return frame.is("java.util.concurrent.ForkJoinPool", "awaitWork");
  }

  private static SeenThread staying(Thread thread, SeenThread read) {
    return read.with(new ThreadWait.Nothing(true), read.held());
  }

  /** Returns whether no virtual thread has left its carrier, as far as the scan could see. */
  private static boolean isAllKept(StuckThreadScan.Result found, Map<Thread, SeenThread> seen) {
    return !(found.running().isEmpty() && found.kept().isEmpty())
        && found.mounted().stream()
            .allMatch(
                thread ->
                    seen.containsKey(thread)
                        || found.running().containsKey(thread)
                        || found.kept().contains(thread));
  }

  /**
   * Writes all threads, some of them with the findings of the last snapshot.
   *
   * @param head comes first in the text
   */
  void dump(Path json, Path text, List<String> head) throws IOException {
    new ThreadDump(internals, reader, allLast, completeLast).write(json, text, head);
  }

  private static List<Thread> withoutCarriers(List<Thread> platform) {
    return platform.stream()
        .filter(thread -> !Carriers.isOfJdk(thread) && !thread.equals(Thread.currentThread()))
        .toList();
  }

  /** Reads these threads, the threads that they wait for, and so on. */
  private void readAll(Iterable<Thread> first, Map<Thread, SeenThread> seen) {
    Deque<Thread> todo = new ArrayDeque<>();
    first.forEach(todo::add);
    while (!todo.isEmpty() && seen.size() < MOST) {
      Thread thread = todo.poll();
      if (seen.containsKey(thread)) {
        continue;
      }
      try {
        Optional<SeenThread> read = reader.look(thread);
        if (read.isEmpty()) {
          continue;
        }
        seen.put(thread, read.get());
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
      Object blocker = internals.blocker(thread);
      Thread holder = reader.awaited(blocker);
      if (holder != null) {
        todo.add(holder);
      }
      reader.next(blocker).ifPresent(todo::add);
    }
  }

  private CarrierPool pool(List<Thread> carriers, long queued) {
    for (Thread carrier : carriers) {
      if (carrier instanceof ForkJoinWorkerThread worker) {
        scheduler = Optional.of(worker.getPool());
      }
    }
    if (scheduler.isEmpty()) {
      return CarrierPool.NOT_KNOWN;
    }
    int idle =
        (int)
            carriers.stream()
                .filter(ForkJoinWorkerThread.class::isInstance)
                .map(ForkJoinWorkerThread.class::cast)
                .filter(Carriers::isIdle)
                .count();
    return new CarrierPool(
        OptionalInt.of(scheduler.get().getParallelism()),
        OptionalInt.of(carriers.size() - Carriers.unused(idle, carriers.size(), scheduler.get())),
        // The pool's own count includes tasks of threads that run or have ended.
        OptionalLong.of(queued),
        counted
            ? Optional.of(new CarrierPool.Activity(carriers.size() - idle, Mounts.total()))
            : Optional.empty());
  }

  /** Closes what it opened; a later snapshot opens it again. */
  @Override
  public void close() {
    states.close();
  }
}
