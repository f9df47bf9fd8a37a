package io.github.vtdiag.analysis;

import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.MonitorSample;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.recording.EventTable;
import io.github.vtdiag.recording.PinTable;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.RecordingFacts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A recording whose pins are attributed to their causes: once for each distinct look, and once for
 * each pin that was sampled.
 */
public final class Attributed {
  /** Determines what a pin was due to, given the monitors sampled during it. */
  @FunctionalInterface
  public interface Attributor {
    Attribution attribute(PinEpisode episode, List<MonitorSample> samples);
  }

  private final RecordingFacts facts;
  private final EventTable events;
  private final List<PinGroup> alike;
  private final List<ThreadRef> threads;
  private final List<ThreadRef> carriers;

  private Attributed(
      RecordingFacts facts,
      EventTable events,
      List<PinGroup> alike,
      List<ThreadRef> threads,
      List<ThreadRef> carriers) {
    this.facts = facts;
    this.events = events;
    this.alike = alike;
    this.threads = threads;
    this.carriers = List.copyOf(carriers);
  }

  /** Attributes the pins of a recording. */
  public static Attributed of(RecordingData data, Attributor attributor) {
    PinTable pins = data.pins();
    Map<Integer, List<MonitorSample>> sampled = SampledPins.of(data);
    int[] kindOf = kinds(pins, sampled);
    int kinds = pins.looks().size() + sampled.size();
    int[] first = firstRows(pins, kindOf, kinds);
    int[] begin = new int[kinds + 1];
    for (int kind : kindOf) {
      begin[kind + 1]++;
    }
    for (int kind = 0; kind < kinds; kind++) {
      begin[kind + 1] += begin[kind];
    }
    // A second copy of the columns, in which the rows of one kind are contiguous.
    long[] starts = new long[pins.size()];
    long[] durations = new long[pins.size()];
    int[] threads = new int[pins.size()];
    int[] carriers = new int[pins.size()];
    long[] from = new long[kinds];
    long[] to = new long[kinds];
    Arrays.fill(from, Long.MAX_VALUE);
    Arrays.fill(to, Long.MIN_VALUE);
    int[] next = Arrays.copyOf(begin, kinds);
    int[] threadNumbers = threadNumbers(pins);
    for (int row = 0; row < kindOf.length; row++) {
      int kind = kindOf[row];
      int place = next[kind]++;
      starts[place] = pins.startNanos(row);
      durations[place] = pins.durationNanos(row);
      threads[place] = threadNumbers[pins.thread(row)];
      carriers[place] = pins.carrier(row);
      from[kind] = Math.min(from[kind], pins.startNanos(row));
      to[kind] = Math.max(to[kind], pins.endNanos(row));
    }
    List<PinGroup> alike = new ArrayList<>();
    inOrder(pins, first)
        .forEach(
            kind -> {
              PinEpisode pin = pins.episode(first[kind]);
              List<MonitorSample> samples = sampled.getOrDefault(first[kind], List.of());
              alike.add(
                  new PinGroup(
                      attributor.attribute(pin, samples),
                      pin.stack(),
                      pin.ended(),
                      from[kind],
                      to[kind],
                      starts,
                      durations,
                      threads,
                      carriers,
                      begin[kind],
                      begin[kind + 1]));
            });
    return new Attributed(
        data.facts(), data.events(), alike, names(pins, threadNumbers), pins.carriers());
  }

  /** Returns the kind of each row: the row's look or, for a sampled pin, a kind of its own. */
  private static int[] kinds(PinTable pins, Map<Integer, List<MonitorSample>> sampled) {
    int[] kinds = new int[pins.size()];
    for (int row = 0; row < kinds.length; row++) {
      kinds[row] = pins.look(row);
    }
    int kind = pins.looks().size();
    for (int row : sampled.keySet()) {
      kinds[row] = kind++;
    }
    return kinds;
  }

  /** Returns the row of each kind that began first, or -1 for a kind without rows. */
  private static int[] firstRows(PinTable pins, int[] kindOf, int kinds) {
    int[] first = new int[kinds];
    Arrays.fill(first, -1);
    for (int row = 0; row < kindOf.length; row++) {
      int kind = kindOf[row];
      if (first[kind] < 0 || pins.startNanos(row) < pins.startNanos(first[kind])) {
        first[kind] = row;
      }
    }
    return first;
  }

  /** Returns the kinds that have rows, in the order in which the first row of each began. */
  private static IntStream inOrder(PinTable pins, int[] first) {
    return IntStream.range(0, first.length)
        .filter(kind -> first[kind] >= 0)
        .boxed()
        .sorted(
            Comparator.comparingLong((Integer kind) -> pins.startNanos(first[kind]))
                .thenComparingInt(kind -> first[kind]))
        .mapToInt(Integer::intValue);
  }

  /** Returns a number for each of the table's threads; all names of a thread have the same one. */
  private static int[] threadNumbers(PinTable pins) {
    Map<Long, Integer> numbers = new HashMap<>();
    return pins.threads().stream()
        .mapToInt(thread -> numbers.computeIfAbsent(thread.id(), id -> numbers.size()))
        .toArray();
  }

  /** Returns the threads by these numbers, each under the first of its names. */
  private static List<ThreadRef> names(PinTable pins, int[] numbers) {
    ThreadRef[] names = new ThreadRef[Arrays.stream(numbers).max().orElse(-1) + 1];
    for (int thread = numbers.length - 1; thread >= 0; thread--) {
      names[numbers[thread]] = pins.threads().get(thread);
    }
    return List.of(names);
  }

  RecordingFacts facts() {
    return facts;
  }

  /** Returns the other events of the recording's virtual threads. */
  EventTable events() {
    return events;
  }

  List<PinGroup> alike() {
    return alike;
  }

  /** Returns the carriers of the pins, by number, as far as the recording has them. */
  List<ThreadRef> carriers() {
    return carriers;
  }

  /** Returns an upper bound: all thread numbers are lower. */
  int threads() {
    return threads.size();
  }

  ThreadRef thread(int number) {
    return threads.get(number);
  }

  /** Returns the names of the classes whose monitors are not known for sure. */
  public Set<String> unreadClasses() {
    Set<String> unread = new LinkedHashSet<>();
    alike.forEach(each -> unread.addAll(each.attribution.unreadClasses()));
    return unread;
  }

  /** Returns the classes that findings name, whose owners therefore matter. */
  public Set<ClassRef> namedClasses() {
    Set<ClassRef> named = new LinkedHashSet<>();
    for (PinGroup each : alike) {
      for (PinCause cause : each.attribution.causes()) {
        cause.type().ifPresent(named::add);
      }
      Site.caller(each.attribution.primary(), each.stack).ifPresent(f -> named.add(f.type()));
    }
    return named;
  }

  /** Returns the classes on the stacks that can be the application's. */
  public Set<ClassRef> classesOnStacks() {
    Set<ClassRef> types = new LinkedHashSet<>();
    // By identity: equal stacks are one object, and so are equal frames.
    Set<StackTrace> stacks = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<Frame> frames = Collections.newSetFromMap(new IdentityHashMap<>());
    for (PinGroup each : alike) {
      if (stacks.add(each.stack)) {
        for (Frame frame : each.stack.frames()) {
          if (frames.add(frame) && ApplicationFrames.canBeOfApplication(frame.type())) {
            types.add(frame.type());
          }
        }
      }
    }
    return types;
  }
}
