package io.github.vtdiag.dump;

import io.github.vtdiag.hang.CarrierPool;
import io.github.vtdiag.hang.LockHolder;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.hang.OtherScheduler;
import io.github.vtdiag.hang.Reachability;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.Snapshot;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** Reads one or two snapshots and combines them. */
public final class SnapshotReader {
  /** A thread that used more than this part of the time between the snapshots was running. */
  private static final int RUNNING_PART = 1_000;

  /** A thread in native code that used less than this part may wait there, polling now and then. */
  private static final int COMPUTING_PART = 50;

  private final StackLines stacks = new StackLines();
  private final MonitorsByLine monitors;
  private final List<String> limits = new ArrayList<>();

  /**
   * @param classFiles the bytes of a class by its name, with dots
   */
  public SnapshotReader(Function<String, Optional<byte[]>> classFiles) {
    this.monitors = new MonitorsByLine(classFiles);
  }

  /** Opens a file, as often as it is asked for. */
  public interface Opened {
    InputStream open() throws IOException;
  }

  /**
   * The input for one snapshot of a JVM.
   *
   * @param source as the user knows it
   * @param dump the JSON of {@code Thread.dump_to_file}
   * @param printed the output of {@code Thread.print}; empty if it was not asked
   * @param jvm the JVM's description of itself at that time
   */
  public record SnapshotInput(String source, Opened dump, String printed, Jvm jvm) {}

  /** A snapshot that was read. */
  private record Read(
      DumpReader.Header header,
      List<SeenThread> threads,
      boolean hasStates,
      OptionalInt carriers,
      List<OtherScheduler> schedulers) {
    Read(DumpReader.Header header, List<SeenThread> threads, CarrierCount carriers) {
      this(header, threads, carriers.statesSeen(), carriers.count(), carriers.others(threads));
    }
  }

  /** Reads one snapshot. It cannot tell threads that move from those that do not. */
  public SnapshotPair read(SnapshotInput only) throws DataException {
    Map<Long, PrintedThread> printed = PrintedThreads.read(only.printed(), stacks);
    Threads threads = new Threads(printed, Optional.empty(), monitors);
    Read read = read(only, threads, Map.of());
    limits.addFirst(
        "One snapshot does not show which threads stand still; give a second dump, made a second"
            + " later.");
    Snapshot snapshot = snapshot(only.jvm(), read, read.threads());
    return looks(read, snapshot, snapshot, OptionalLong.empty(), only);
  }

  /** Reads a heap dump, which is one snapshot. */
  public SnapshotPair read(HeapDump heap) {
    Threads threads = Threads.ofHeap(monitors, SnapshotPair.feature(heap.version()));
    List<SeenThread> seen = new ArrayList<>();
    CarrierCount carriers = new CarrierCount();
    DumpReader.Header header =
        heap.read(
            stacks,
            dumped -> {
              carriers.add(dumped);
              seen.add(heap.exact(threads.seen(dumped)));
            });
    Read read = new Read(header, seen, carriers);
    limits.addFirst("A heap dump shows one moment, but not which threads stand still.");
    long lost = seen.stream().filter(SnapshotReader::lacksStack).count();
    if (lost > 0) {
      limits.add(
          "Heap dumps of this Java have no stacks of virtual threads without a carrier (%s)."
              .formatted(Figures.count(lost, "thread")));
    }
    Snapshot snapshot = snapshot(heap.jvm(), read, seen, heap.reach());
    return new SnapshotPair(
        "", header.version(), snapshot, snapshot, OptionalLong.empty(), true, limits, hints());
  }

  private static boolean lacksStack(SeenThread thread) {
    return thread.virtual()
        && thread.frames().isEmpty()
        && thread.mount() == SeenThread.Mount.UNMOUNTED
        && !(thread.waitsFor() instanceof ThreadWait.Nothing);
  }

  /**
   * Reads two snapshots of the same JVM.
   *
   * @param first the earlier one
   */
  public SnapshotPair read(SnapshotInput first, SnapshotInput second) throws DataException {
    Map<Long, PrintedThread> printedFirst = PrintedThreads.read(first.printed(), stacks);
    Map<Long, PrintedThread> printedSecond = PrintedThreads.read(second.printed(), stacks);
    Optional<Set<Long>> running = running(printedFirst, printedSecond, RUNNING_PART);
    Set<Long> computing = running(printedFirst, printedSecond, COMPUTING_PART).orElse(Set.of());
    Threads earlier = new Threads(printedFirst, running, monitors);
    Threads later = new Threads(printedSecond, running, monitors);
    Read before = read(first, earlier, Map.of());
    Map<Long, SeenThread> known = new HashMap<>();
    before.threads().forEach(thread -> known.put(thread.id(), thread));
    Read after = read(second, later, known);
    OptionalLong apart = checkSame(before.header(), after.header());
    if (running.isPresent()) {
      Polling.limit(before.threads(), after.threads(), computing).ifPresent(limits::add);
    }
    // A thread that ran in between did not stand still, even if it was in the same place both
    // times.
    List<SeenThread> stood =
        before.threads().stream().filter(thread -> !earlier.isRunning(thread)).toList();
    return looks(
        after,
        snapshot(first.jvm(), before, stood),
        snapshot(second.jvm(), after, after.threads()),
        apart,
        second);
  }

  private SnapshotPair looks(
      Read last, Snapshot before, Snapshot after, OptionalLong apart, SnapshotInput look) {
    if (!last.header().whole()) {
      limits.add(
          last.header().source()
              + " ends too early: of the threads behind its end nothing is known.");
    }
    if (look.jvm().dumpsLackThreads()) {
      limits.add(
          "The JVM runs with jdk.trackAllThreads=false: virtual threads that no executor started"
              + " are in no dump.");
    }
    return new SnapshotPair(
        last.header().processId(),
        last.header().version(),
        before,
        after,
        apart,
        false,
        limits,
        hints());
  }

  private List<String> hints() {
    return monitors.missesSome()
        ? List.of(
            "Not all class files were at hand, so a monitor may be held that is not named; add"
                + " --classpath.")
        : List.of();
  }

  private Read read(SnapshotInput look, Threads threads, Map<Long, SeenThread> known)
      throws DataException {
    List<SeenThread> seen = new ArrayList<>();
    CarrierCount carriers = new CarrierCount();
    DumpReader.Header header;
    try (InputStream in = DumpFile.json(look.dump().open(), look.source())) {
      header =
          DumpReader.read(
              in,
              look.source(),
              stacks,
              dumped -> {
                carriers.add(dumped);
                SeenThread thread = threads.seen(dumped);
                SeenThread same = known.get(thread.id());
                // One that did not change is stored once.
                seen.add(thread.equals(same) ? same : thread);
              });
    } catch (IOException e) {
      throw new DataException(look.source() + " cannot be read; check the file", e);
    }
    Map<LockRef, Long> owners = threads.ownersOf(seen);
    if (!owners.isEmpty()) {
      seen.replaceAll(thread -> withOwner(thread, owners));
    }
    if (header.whole() && !look.jvm().dumpsLackThreads()) {
      Set<Long> ids = new HashSet<>();
      seen.forEach(thread -> ids.add(thread.id()));
      seen.replaceAll(thread -> withEndedOwner(thread, ids));
    }
    return new Read(header, seen, carriers);
  }

  /**
   * Marks a lock's owner as ended if it is not among all threads. Only for a dump of all threads.
   */
  private static SeenThread withEndedOwner(SeenThread thread, Set<Long> ids) {
    return thread.waitsFor() instanceof ThreadWait.Park park
            && park.holder() instanceof LockHolder.HeldBy by
            && !ids.contains(by.threadId())
        ? thread.with(
            new ThreadWait.Park(
                park.blocker(), new LockHolder.Ended(by.threadId(), "", false), park.timed()),
            thread.held())
        : thread;
  }

  /**
   * Adds the owner of a platform thread's lock, which another thread names that waits for the lock.
   */
  private static SeenThread withOwner(SeenThread thread, Map<LockRef, Long> owners) {
    if (thread.waitsFor() instanceof ThreadWait.Park park
        && park.holder() instanceof LockHolder.NotKnown
        && park.blocker().filter(owners::containsKey).isPresent()) {
      return thread.with(
          new ThreadWait.Park(
              park.blocker(),
              new LockHolder.HeldBy(owners.get(park.blocker().get())),
              park.timed()),
          thread.held());
    }
    return thread;
  }

  private static Snapshot snapshot(Jvm jvm, Read read, List<SeenThread> threads) {
    return snapshot(jvm, read, threads, Reachability.NOT_KNOWN);
  }

  private static Snapshot snapshot(
      Jvm jvm, Read read, List<SeenThread> threads, Reachability reach) {
    return new Snapshot(
        threads,
        0,
        new CarrierPool(
            jvm.parallelism(),
            jvm.carriers().isPresent() ? jvm.carriers() : read.carriers(),
            jvm.queued(),
            Optional.empty()),
        read.hasStates() && read.header().monitorsComplete(),
        reach,
        read.schedulers());
  }

  /** Returns the platform threads that used the processor in between. */
  private static Optional<Set<Long>> running(
      Map<Long, PrintedThread> first, Map<Long, PrintedThread> second, int part) {
    Set<Long> running = new HashSet<>();
    for (PrintedThread later : second.values()) {
      PrintedThread earlier = first.get(later.id());
      if (earlier != null && earlier.cpuNanos() >= 0 && later.cpuNanos() >= 0) {
        long elapsed = Math.max(0, later.elapsedNanos() - earlier.elapsedNanos());
        if (later.cpuNanos() - earlier.cpuNanos() > elapsed / part) {
          running.add(later.id());
        }
      }
    }
    // The same print twice says nothing of the time in between.
    return first.isEmpty() || second.isEmpty() || first.equals(second)
        ? Optional.empty()
        : Optional.of(running);
  }

  private static OptionalLong checkSame(DumpReader.Header first, DumpReader.Header second)
      throws DataException {
    if (!first.processId().equals(second.processId())
        || !first.version().equals(second.version())) {
      throw new DataException(
          first.source()
              + " is of process "
              + first.processId()
              + ", "
              + second.source()
              + " of process "
              + second.processId()
              + "; give two dumps of one JVM");
    }
    try {
      long apart =
          Duration.between(Instant.parse(first.time()), Instant.parse(second.time())).toNanos();
      if (apart == 0) {
        throw new DataException(
            first.source() + " and " + second.source() + " are the same dump; give one of them");
      }
      if (apart < 0) {
        throw new DataException(first.source() + " is the later one; give the earlier dump first");
      }
      return OptionalLong.of(apart);
    } catch (DateTimeException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }
}
