package io.github.vtdiag.report;

import io.github.vtdiag.analysis.OtherFinding;
import io.github.vtdiag.analysis.OtherFinding.Amount;
import io.github.vtdiag.analysis.OtherFinding.Detail;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.usage.KnownCaches;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What reports say of virtual threads that are used for what they are not made for. */
final class UsageWords {
  private static final String PAGE = "docs/good-practice.md#";
  private static final double MEGABYTE = 1e6;

  private UsageWords() {}

  /** What was seen of it, in lines. */
  static List<String> details(OtherFinding other) {
    List<String> lines = new ArrayList<>();
    String threads = number(other, "threads").map(n -> Figures.count(n, "thread")).orElse("");
    String samples = Figures.count(other.evidence().count(), "sample");
    switch (other.kind()) {
      case MONOPOLIZED_CARRIERS ->
          lines.add(
              threads
                  + " in "
                  + samples
                  + ", one for "
                  + number(other, "longest").map(Figures::duration).orElse("long")
                  + " without giving its carrier back, while others waited for one");
      case SPINNING ->
          lines.add(
              "%s in %s, %s of them in Thread.yield or onSpinWait"
                  .formatted(threads, samples, number(other, "yields").orElse(0L)));
      case FILE_IO -> {
        if (number(other, "forced").isEmpty()
            && number(other, "read").isEmpty()
            && number(other, "written").isEmpty()) {
          lines.add(threads + " in " + samples);
        } else {
          lines.add(threads + files(other) + ": " + operations(other));
        }
        number(other, "carriers")
            .ifPresent(
                carriers ->
                    lines.add(
                        "the JDK added carriers for it: up to %s in place of %s%s"
                            .formatted(
                                Figures.count(carriers),
                                number(other, "parallelism").orElse(0L),
                                bound(carriers, number(other, "maxPoolSize")))));
      }
      case NATIVE_CALL ->
          lines.add(threads + " in " + samples + ", which do not tell who waits from who computes");
      case NAME_LOOKUP, PROCESS_START -> lines.add(threads + " in " + samples);
      case POOLED_THREADS ->
          number(other, "idle")
              .ifPresent(
                  idle ->
                      lines.add(
                          idle == 0
                              ? "none of them had nothing to do: their queue is where tasks wait"
                              : Figures.count(idle) + " of them had nothing to do, on average"));
      case THREAD_LOCAL_CACHE -> {
        lines.add(
            other.subject()
                + ", made by "
                + threads
                + " in "
                + samples
                + other
                    .detail("bytesAThread")
                    .flatMap(Detail::amount)
                    .map(bytes -> ", " + megabytes(bytes) + " for each thread that was started")
                    .orElse(""));
        other.detail("known").ifPresent(known -> lines.add("a cache of " + known.text()));
      }
      case NO_BACKPRESSURE ->
          lines.add(
              "%s more a second; %s wait for the same thing"
                  .formatted(
                      Figures.count(number(other, "aSecond").orElse(0L)),
                      Figures.count(number(other, "waitAtOnePlace").orElse(0L))));
      case SUBMIT_FAILED -> {
        lines.add(
            "%s never began, as their starters were told; %s never went on"
                .formatted(
                    Figures.count(number(other, "notStarted").orElse(0L)),
                    Figures.count(number(other, "notResumed").orElse(0L))));
        other
            .detail("reason")
            .filter(reason -> !reason.text().isEmpty())
            .ifPresent(reason -> lines.add("the scheduler said: " + reason.text()));
      }
      case POOL, SEMAPHORE, LOCK, MONITOR, FULL_QUEUE, SIGNAL, FUTURE, REMOTE -> {}
    }
    return lines;
  }

  private static String bound(long carriers, Optional<Long> most) {
    return most.map(
            bound ->
                carriers >= bound
                    ? ", all that maxPoolSize allows"
                    : ", and maxPoolSize (" + Figures.count(bound) + ") was not reached")
        .orElse("");
  }

  private static String files(OtherFinding other) {
    return number(other, "files").map(files -> ", " + Figures.count(files, "file")).orElse("");
  }

  private static String operations(OtherFinding other) {
    List<String> parts = new ArrayList<>();
    for (String operation : List.of("forced", "written", "read")) {
      number(other, operation)
          .ifPresent(times -> parts.add(operation + " " + Figures.count(times, "time")));
    }
    long least = other.evidence().thresholdNanos().orElse(0);
    return String.join(", ", parts)
        + (least == 0 ? "" : ", each " + Figures.duration(least) + " or longer");
  }

  private static Optional<Long> number(OtherFinding other, String name) {
    return other.detail(name).flatMap(Detail::amount).map(amount -> Math.round(amount.value()));
  }

  static String megabytes(Amount bytes) {
    return bytes.value() < MEGABYTE
        ? Figures.count(Math.round(bytes.value() / 1e3)) + " KB"
        : Figures.count(Math.round(bytes.value() / MEGABYTE)) + " MB";
  }

  /** What to do about it, in a sentence, and where that is explained. */
  static String toDo(OtherFinding other) {
    return switch (other.kind()) {
      case MONOPOLIZED_CARRIERS ->
          "compute on platform threads, as many as there are processors, or in chunks with"
              + " Thread.yield in between."
              + see("computation");
      case SPINNING ->
          "wait for it with a Semaphore, a Condition or a queue, which take no carrier."
              + see("spinning");
      case FILE_IO -> "give it to a few platform threads, and wait for them." + see("files");
      case NATIVE_CALL ->
          "call it on a pool of platform threads, and wait for the Future."
              + see("native-calls-names-processes");
      case NAME_LOOKUP ->
          "keep the JDK's cache of names on and connections open, or look names up on platform"
              + " threads."
              + see("native-calls-names-processes");
      case PROCESS_START ->
          "start processes on a platform thread; to wait for their end takes no carrier."
              + see("native-calls-names-processes");
      case POOLED_THREADS ->
          "start a virtual thread for each task; put a Semaphore around what is to be limited."
              + see("never-pool");
      case THREAD_LOCAL_CACHE -> cache(other) + see("thread-local-caches");
      case NO_BACKPRESSURE ->
          "take a permit of a Semaphore before a thread starts, or refuse." + see("backpressure");
      case SUBMIT_FAILED ->
          (number(other, "notResumed").orElse(0L) > 0
                  ? "restart the program, for what these threads hold is never given back, and have"
                  : "have")
              + " fewer threads at a time."
              + see("refused-threads");
      case POOL, SEMAPHORE, LOCK, MONITOR, FULL_QUEUE, SIGNAL, FUTURE, REMOTE -> "";
    };
  }

  private static String cache(OtherFinding other) {
    return other
            .inside()
            .flatMap(KnownCaches.load()::of)
            .map(KnownCaches.Cache::toDo)
            .orElse("make it where it is used, or lend out as many as are in use at a time")
        + ".";
  }

  private static String see(String section) {
    return " See " + PAGE + section + ".";
  }
}
