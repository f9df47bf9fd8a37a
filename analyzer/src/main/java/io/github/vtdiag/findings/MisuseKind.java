package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.BehaviorKind;
import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.pin.ThreadEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The kinds of work that virtual threads are not made for, and the detectors that find them. */
public enum MisuseKind implements BehaviorKind {
  /** Few threads compute, and others get no carrier meanwhile. */
  MONOPOLIZED_CARRIERS(
      "carriers kept by computation",
      "computation",
      Bottleneck.COMPUTATION,
      "compute on platform threads, as many as there are processors, or in chunks with Thread.yield"
          + " in between.") {
    @Override
    public List<String> evidence(Observation seen) {
      return List.of(
          threads(seen)
              + " in "
              + samples(seen)
              + ", one for "
              + seen.number("longest").map(Figures::duration).orElse("long")
              + " without giving its carrier back, while others waited for one");
    }
  },
  /** Threads ask again and again for something, in place of waiting for it. */
  SPINNING(
      "threads that spin",
      "spinning",
      Bottleneck.COMPUTATION,
      "wait for it with a Semaphore, a Condition or a queue, which take no carrier.") {
    @Override
    public List<String> evidence(Observation seen) {
      return List.of(
          "%s in %s, %s of them in Thread.yield or onSpinWait"
              .formatted(threads(seen), samples(seen), seen.number("yields").orElse(0L)));
    }
  },
  /** Reading, writing or forcing files keeps carriers. */
  FILE_IO(
      "carriers kept by file I/O",
      "file-io",
      Bottleneck.FILE_IO,
      "give it to a few platform threads, and wait for them.") {
    @Override
    public List<String> evidence(Observation seen) {
      List<String> lines = new ArrayList<>();
      lines.add(fileOperations(seen).map(of -> threads(seen) + of).orElseGet(() -> seenIn(seen)));
      seen.number("carriers").map(carriers -> addedCarriers(seen, carriers)).ifPresent(lines::add);
      return lines;
    }
  },
  /** Native code keeps carriers. */
  NATIVE_CALL(
      "carriers kept in native code",
      "native-code",
      Bottleneck.NATIVE_CODE,
      "call it on a pool of platform threads, and wait for the Future.") {
    @Override
    public List<String> evidence(Observation seen) {
      return List.of(seenIn(seen) + ", which do not tell who waits from who computes");
    }
  },
  /** Looking up names in the network keeps carriers. */
  NAME_LOOKUP(
      "carriers kept by name lookups",
      "native-code",
      Bottleneck.NATIVE_CODE,
      "keep the JDK's cache of names on and connections open, or look names up on platform"
          + " threads."),
  /** Starting processes keeps carriers. */
  PROCESS_START(
      "carriers kept by starting processes",
      "native-code",
      Bottleneck.NATIVE_CODE,
      "start processes on a platform thread; to wait for their end takes no carrier."),
  /** Virtual threads are kept in a pool. */
  POOLED_THREADS(
      "virtual threads in a pool",
      "pooled-threads",
      Bottleneck.POOLED_THREADS,
      "start a virtual thread for each task; put a Semaphore around what is to be limited.") {
    @Override
    public List<String> evidence(Observation seen) {
      return seen
          .number("idle")
          .map(
              idle ->
                  idle == 0
                      ? "none of them had nothing to do: their queue is where tasks wait"
                      : Figures.count(idle) + " of them had nothing to do, on average")
          .stream()
          .toList();
    }

    @Override
    public boolean needsSnapshots() {
      return true;
    }
  },
  /** Each thread makes what was meant to be shared by many tasks of few threads. */
  THREAD_LOCAL_CACHE(
      "a cache that each thread makes anew",
      "a-cache-for-each-thread",
      Bottleneck.THREAD_LOCAL_CACHE,
      "make it where it is used, or lend out as many as are in use at a time.") {
    @Override
    public List<String> evidence(Observation seen) {
      List<String> lines = new ArrayList<>();
      lines.add(
          seen.subject()
              + ", made by "
              + threads(seen)
              + " in "
              + samples(seen)
              + seen.figure("bytesAThread")
                  .map(bytes -> ", " + Figures.bytes(bytes) + " for each thread that was started")
                  .orElse(""));
      seen.detail("known").ifPresent(known -> lines.add("a cache of " + known.text()));
      return lines;
    }

    @Override
    String toDo(Observation seen) {
      return seen.inside()
          .flatMap(KnownCaches.load()::of)
          .map(cache -> cache.toDo() + ".")
          .orElseGet(() -> super.toDo(seen));
    }
  },
  /** More threads are started than end. */
  NO_BACKPRESSURE(
      "more threads are started than end",
      "no-backpressure",
      Bottleneck.NO_BACKPRESSURE,
      "take a permit of a Semaphore before a thread starts, or refuse.") {
    @Override
    public List<String> evidence(Observation seen) {
      return List.of(
          "%s more a second; %s wait for the same thing"
              .formatted(
                  Figures.count(seen.number("aSecond").orElse(0L)),
                  Figures.count(seen.number("waitAtOnePlace").orElse(0L))));
    }

    @Override
    public boolean needsSnapshots() {
      return true;
    }
  },
  /** The scheduler did not take threads, which then never began or never went on. */
  SUBMIT_FAILED(
      "virtual threads that the scheduler refused",
      "refused-threads",
      Bottleneck.SUBMIT_FAILED,
      "have fewer threads at a time.") {
    @Override
    public List<String> evidence(Observation seen) {
      List<String> lines = new ArrayList<>();
      lines.add(
          "%s never began, as their starters were told; %s never went on"
              .formatted(
                  Figures.count(seen.number("notStarted").orElse(0L)),
                  Figures.count(seen.number("notResumed").orElse(0L))));
      seen.detail("reason")
          .filter(reason -> !reason.text().isEmpty())
          .ifPresent(reason -> lines.add("the scheduler said: " + reason.text()));
      return lines;
    }

    @Override
    String toDo(Observation seen) {
      return seen.number("notResumed").orElse(0L) > 0
          ? "restart the program, for what these threads hold is never given back, and "
              + super.toDo(seen)
          : super.toDo(seen);
    }
  };

  /** In the order in which they run: a later one leaves out what an earlier one tells. */
  static final List<Detector> DETECTORS =
      List.of(
          new Detector(BlockingUse.EVENTS, BlockingUse::find),
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
   * @param section that of the page of verdicts
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

  /** {@code , 3 files: forced 12 times, written 40 times}; empty if only samples tell. */
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
    return "the JDK added carriers for it: up to %s in place of %s%s"
        .formatted(Figures.count(carriers), seen.number("parallelism").orElse(0L), bound);
  }
}
