package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.BehaviorKind;
import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.ThreadEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The kinds of work that virtual threads are not made for, and the detectors that find them. */
public enum MisuseKind implements BehaviorKind {
  /** A few threads compute, and others get no carrier meanwhile. */
  MONOPOLIZED_CARRIERS(
      "carriers monopolized by computation",
      "computation",
      Bottleneck.COMPUTATION,
      "Compute on one platform thread for each processor, or call Thread.yield regularly.") {
    @Override
    public List<String> evidence(Observation seen) {
      return List.of(
          threads(seen)
              + " in "
              + samples(seen)
              + ", one for at least "
              + seen.number("longest").map(Figures::duration).orElse("a while")
              + " without unmounting, while other threads were queued");
    }
  },
  /** Threads poll for something again and again, instead of waiting for it. */
  SPINNING(
      "threads that spin",
      "spinning",
      Bottleneck.COMPUTATION,
      "Wait with a Semaphore, a Condition or a queue: a waiting thread then takes no carrier.") {
    @Override
    public List<String> evidence(Observation seen) {
      return List.of(
          "%s in %s, %s of them in Thread.yield or onSpinWait"
              .formatted(threads(seen), samples(seen), seen.number("yields").orElse(0L)));
    }

    @Override
    String toDo(Observation seen) {
      return seen.owner() instanceof Owner.Library library
          ? "The loop is in "
              + library.coordinates().text()
              + ": before Java 24 call it without a monitor, so that Thread.yield leaves the"
              + " carrier; else use a version without such a loop."
          : super.toDo(seen);
    }
  },
  /** Reading, writing or forcing files blocks carriers. */
  FILE_IO(
      "carriers blocked by file I/O",
      "file-io",
      Bottleneck.FILE_IO,
      "Do the file I/O on a few platform threads, and wait for their results.") {
    @Override
    public List<String> evidence(Observation seen) {
      List<String> lines = new ArrayList<>();
      lines.add(fileOperations(seen).map(of -> threads(seen) + of).orElseGet(() -> seenIn(seen)));
      seen.number("carriers").map(carriers -> addedCarriers(seen, carriers)).ifPresent(lines::add);
      return lines;
    }
  },
  /** Native code blocks carriers. */
  NATIVE_CALL(
      "carriers blocked in native code",
      "native-code",
      Bottleneck.NATIVE_CODE,
      "Make the call on a pool of platform threads, and wait for the Future.") {
    @Override
    public List<String> evidence(Observation seen) {
      return List.of(seenIn(seen) + "; samples do not distinguish blocking from computing");
    }
  },
  /** Name lookups in the network block carriers. */
  NAME_LOOKUP(
      "carriers blocked by name lookups",
      "native-code",
      Bottleneck.NATIVE_CODE,
      "Keep the JDK's name cache on and connections open, or look names up on platform threads."),
  /** Process starts block carriers. */
  PROCESS_START(
      "carriers blocked by process starts",
      "native-code",
      Bottleneck.NATIVE_CODE,
      "Start processes on a platform thread. Waiting for their end takes no carrier."),
  /** Virtual threads are kept in a pool. */
  POOLED_THREADS(
      "virtual threads in a pool",
      "pooled-threads",
      Bottleneck.POOLED_THREADS,
      "Start a virtual thread for each task. Limit the scarce resource with a Semaphore.") {
    @Override
    public List<String> evidence(Observation seen) {
      return seen
          .number("idle")
          .map(
              idle ->
                  idle == 0
                      ? "no pooled thread was idle: tasks wait in the pool's queue"
                      : Figures.count(idle) + " pooled threads were idle on average")
          .stream()
          .toList();
    }

    @Override
    public boolean needsSnapshots() {
      return true;
    }
  },
  /** Each thread creates something that was meant to be shared by many tasks of few threads. */
  THREAD_LOCAL_CACHE(
      "a cache created by each thread",
      "a-cache-for-each-thread",
      Bottleneck.THREAD_LOCAL_CACHE,
      "Create it where it is used, or pool as many as are in use at a time.") {
    @Override
    public List<String> evidence(Observation seen) {
      List<String> lines = new ArrayList<>();
      lines.add(
          seen.subject()
              + ", created by "
              + threads(seen)
              + " in "
              + samples(seen)
              + seen.figure("bytesAThread")
                  .map(bytes -> ", " + Figures.bytes(bytes) + " for each started thread")
                  .orElse(""));
      seen.detail("known").ifPresent(known -> lines.add("a cache of " + known.text()));
      return lines;
    }

    @Override
    String toDo(Observation seen) {
      return seen.inside()
          .flatMap(ThreadLocalCaches.CACHES::of)
          .map(cache -> capitalized(cache.toDo()))
          .orElseGet(() -> super.toDo(seen));
    }
  },
  /** Threads are started faster than they end. */
  NO_BACKPRESSURE(
      "threads start faster than they end",
      "no-backpressure",
      Bottleneck.NO_BACKPRESSURE,
      "Acquire a permit of a Semaphore before a thread starts, or reject the task.") {
    @Override
    public List<String> evidence(Observation seen) {
      return List.of(
          "the backlog grows by "
              + Figures.count(seen.number("aSecond").orElse(0L))
              + " threads per second; "
              + seen.number("sleepAtOnePlace")
                  .map(sleep -> Figures.count(sleep) + " sleep at the same place")
                  .orElseGet(
                      () ->
                          Figures.count(seen.number("waitAtOnePlace").orElse(0L))
                              + " wait for the same object"));
    }

    @Override
    public boolean needsSnapshots() {
      return true;
    }
  },
  /** The scheduler did not accept threads, which then never began or never continued. */
  SUBMIT_FAILED(
      "virtual threads rejected by the scheduler",
      "refused-threads",
      Bottleneck.SUBMIT_FAILED,
      "Run fewer threads at a time.") {
    @Override
    public List<String> evidence(Observation seen) {
      List<String> lines = new ArrayList<>();
      lines.add(
          "%s threads never started (start() threw); %s never resumed"
              .formatted(
                  Figures.count(seen.number("notStarted").orElse(0L)),
                  Figures.count(seen.number("notResumed").orElse(0L))));
      seen.detail("reason")
          .filter(reason -> !reason.text().isEmpty())
          .ifPresent(reason -> lines.add("reason: " + reason.text()));
      return lines;
    }

    @Override
    String toDo(Observation seen) {
      return seen.number("notResumed").orElse(0L) > 0
          ? "Restart the program: whatever these threads hold is never released. "
              + super.toDo(seen)
          : super.toDo(seen);
    }
  };

  /**
   * The detectors in the order in which they run: a later one leaves out what an earlier one found.
   */
  static final List<Detector> DETECTORS =
      List.of(
          new Detector(
              Detector.all(
                  ThreadEvent.NATIVE_SAMPLE,
                  ThreadEvent.FILE_READ,
                  ThreadEvent.FILE_WRITE,
                  ThreadEvent.FILE_FORCE),
              BlockingUse::find),
          new Detector(Detector.all(ThreadEvent.EXECUTION_SAMPLE), SpinningThreads::find),
          new Detector(Detector.all(ThreadEvent.EXECUTION_SAMPLE), MonopolizedCarriers::find),
          new Detector(PooledThreads.EVENTS, PooledThreads::find),
          new Detector(ThreadLocalCaches.EVENTS, ThreadLocalCaches::find),
          new Detector(Detector.NO_EVENTS, Backlog::find),
          new Detector(Detector.all(ThreadEvent.SUBMIT_FAILED), RefusedThreads::find));

  private final String title;
  private final String section;
  private final Bottleneck bottleneck;
  private final String toDo;

  /**
   * @param section the section of the page of verdicts
   * @param toDo what to do about it, in a sentence
   */
  MisuseKind(String title, String section, Bottleneck bottleneck, String toDo) {
    this.title = title;
    this.section = section;
    this.bottleneck = bottleneck;
    this.toDo = toDo;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String page() {
    return "docs/verdicts.md#" + section;
  }

  @Override
  public Bottleneck bottleneck() {
    return bottleneck;
  }

  @Override
  public String advice(Observation seen) {
    return toDo(seen) + " See " + page() + ".";
  }

  String toDo(Observation seen) {
    return toDo;
  }

  private static String capitalized(String clause) {
    return Printable.upperFirst(clause) + ".";
  }

  @Override
  public List<String> evidence(Observation seen) {
    return List.of(seenIn(seen));
  }

  private static String seenIn(Observation seen) {
    return threads(seen) + " in " + samples(seen);
  }

  private static String threads(Observation seen) {
    return seen.number("threads").map(number -> Figures.count(number, "thread")).orElse("");
  }

  private static String samples(Observation seen) {
    return Figures.count(seen.evidence().count(), "sample");
  }

  /**
   * Returns a phrase such as {@code , 3 files: forced 12 times, written 40 times}; empty without
   * events.
   */
  private static Optional<String> fileOperations(Observation seen) {
    List<String> parts = new ArrayList<>();
    for (String operation : List.of("forced", "written", "read")) {
      seen.number(operation)
          .ifPresent(times -> parts.add(operation + " " + Figures.count(times, "time")));
    }
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    long least = seen.evidence().thresholdNanos().orElse(0);
    return Optional.of(
        seen.number("files").map(files -> ", " + Figures.count(files, "file")).orElse("")
            + ": "
            + String.join(", ", parts)
            + (least == 0 ? "" : ", each " + Figures.duration(least) + " or longer"));
  }

  private static String addedCarriers(Observation seen, long carriers) {
    String bound =
        seen.number("maxPoolSize")
            .map(
                most ->
                    carriers >= most
                        ? ", all that maxPoolSize allows"
                        : ", and maxPoolSize (" + Figures.count(most) + ") was not reached")
            .orElse("");
    return "the JDK added carriers to compensate: up to %s instead of %s%s"
        .formatted(Figures.count(carriers), seen.number("parallelism").orElse(0L), bound);
  }
}
