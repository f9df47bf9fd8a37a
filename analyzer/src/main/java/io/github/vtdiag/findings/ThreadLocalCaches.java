package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Finding.Misuse;
import io.github.vtdiag.analysis.Observation.Unit;
import io.github.vtdiag.findings.UsageTally.ByPlace;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.EventSelection;
import io.github.vtdiag.recording.EventSelection.Detail;
import io.github.vtdiag.recording.EventTable;
import io.github.vtdiag.recording.EventTable.Look;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Finds objects that were meant to be kept by a thread for its next task. A virtual thread has one
 * task, so each makes them anew; a pool of platform threads made as many as it had threads.
 */
final class ThreadLocalCaches {
  private static final double MEGABYTE = 1e6;
  private static final double SECOND = 1e9;

  /** The fewest bytes that are worth a change. */
  private static final double LEAST_BYTES = 8 * MEGABYTE;

  private static final double LEAST_BYTES_A_SECOND = MEGABYTE;

  /** The least share of the bytes that virtual threads allocate. */
  private static final double LEAST_SHARE = 0.1;

  private static final int FEW_THREADS = 8;

  static final KnownCaches CACHES = KnownCaches.load();

  /**
   * Totals of thread starts and allocations, and rows for the allocations that may be of a cache.
   */
  static final EventSelection EVENTS =
      (event, frames) ->
          switch (event) {
            case ALLOCATION_SAMPLE -> mayMake(frames, CACHES) ? Detail.ROWS : Detail.TOTALS;
            case THREAD_START -> Detail.TOTALS;
            default -> Detail.NONE;
          };

  private ThreadLocalCaches() {}

  /**
   * Returns whether a stack may be in the creation of such an object. Of all other allocations only
   * the sum is needed.
   */
  static boolean mayMake(List<Frame> frames, KnownCaches known) {
    for (Frame frame : frames) {
      if (isInitialValue(frame) || known.of(frame).isPresent()) {
        return true;
      }
    }
    return false;
  }

  static List<Misuse> find(DetectorInput in) {
    return find(in.data().events(), CACHES, in.places(), in.time());
  }

  static List<Misuse> find(EventTable events, KnownCaches known, Places places, CarrierTime time) {
    ByPlace caches = new ByPlace();
    double all = 0;
    long started = 0;
    IdentityHashMap<StackTrace, Optional<Frame>> makers = new IdentityHashMap<>();
    UsageTally[] usedOf = new UsageTally[events.looks().size()];
    for (int number = 0; number < usedOf.length; number++) {
      Look look = events.looks().get(number);
      if (look.event() == ThreadEvent.THREAD_START) {
        started += events.count(number);
      } else if (look.event() == ThreadEvent.ALLOCATION_SAMPLE && events.count(number) > 0) {
        all += events.sum(number);
        Optional<Frame> maker =
            makers.computeIfAbsent(
                look.stack(),
                stack -> mayMake(stack.frames(), known) ? maker(stack, known) : Optional.empty());
        if (maker.isPresent()) {
          usedOf[number] = caches.at(user(look.stack(), places), maker);
          usedOf[number].subjects.merge(look.text(), events.sum(number), Long::sum);
        }
      }
    }
    for (int row = 0; row < events.size(); row++) {
      UsageTally used = usedOf[events.look(row)];
      if (used != null) {
        used.add((double) events.number(row), events.threads().get(events.thread(row)).id());
      }
    }
    long startedThreads = started;
    double share = all == 0 ? 0 : caches.amount() / all;
    if (share < LEAST_SHARE
        || caches.amount() < LEAST_BYTES
        || caches.amount() < LEAST_BYTES_A_SECOND * time.span() / SECOND) {
      return List.of();
    }
    return caches.notable().stream()
        .filter(used -> used.threads.size() >= FEW_THREADS)
        .map(
            used -> {
              FindingBuilder found =
                  new FindingBuilder(MisuseKind.THREAD_LOCAL_CACHE, used.inside)
                      .at(used.site, places)
                      .subject(readable(used.subject()))
                      .amount(Unit.BYTES, used.amount, true)
                      .seen(used.count, ThreadEvent.ALLOCATION_SAMPLE)
                      .detail("threads", used.threads.size())
                      .limits(true);
              if (startedThreads > 0) {
                found.detail("bytesAThread", Unit.BYTES, used.amount / startedThreads);
              }
              used.inside
                  .flatMap(known::of)
                  .ifPresent(cache -> found.detail("known", cache.name()));
              return found.finding();
            })
        .toList();
  }

  /** Returns the method that made the object for the thread to keep. */
  private static Optional<Frame> maker(StackTrace stack, KnownCaches known) {
    Optional<Frame> last = Optional.empty();
    for (Frame frame : stack.frames()) {
      if (known.of(frame).isPresent()) {
        return Optional.of(frame);
      }
      if (isInitialValue(frame)) {
        // The thread's own map is not the cache.
        return last;
      }
      if (frame.type().isWritten()) {
        last = Optional.of(frame);
      }
    }
    return Optional.empty();
  }

  private static boolean isInitialValue(Frame frame) {
    return frame.is("java.lang.ThreadLocal", "setInitialValue")
        || frame.is("java.lang.ThreadLocal", "initialValue");
  }

  /** Returns the place where the application asks for the object. */
  private static Optional<Frame> user(StackTrace stack, Places places) {
    List<Frame> frames = stack.frames();
    int last = 0;
    for (int i = 0; i < frames.size(); i++) {
      if (frames.get(i).is("java.lang.ThreadLocal", "get")) {
        last = i;
      }
    }
    return frames.subList(last, frames.size()).stream().filter(places::isApplication).findFirst();
  }

  /** Returns {@code byte[]} for {@code [B}, the name that JFR gives. */
  private static String readable(String type) {
    int dimensions = type.lastIndexOf('[') + 1;
    String element = type.substring(dimensions);
    String name =
        switch (dimensions == 0 || element.length() > 1 ? "" : element) {
          case "B" -> "byte";
          case "C" -> "char";
          case "D" -> "double";
          case "F" -> "float";
          case "I" -> "int";
          case "J" -> "long";
          case "S" -> "short";
          case "Z" -> "boolean";
          default ->
              dimensions > 0 && element.startsWith("L") && element.endsWith(";")
                  ? element.substring(1, element.length() - 1)
                  : element;
        };
    return name + "[]".repeat(dimensions);
  }
}
