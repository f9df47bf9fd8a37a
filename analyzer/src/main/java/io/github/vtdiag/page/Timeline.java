package io.github.vtdiag.page;

import io.github.vtdiag.account.CarrierSample;
import io.github.vtdiag.analysis.PinsAlike;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.Watched;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The pins of a recording by time, as columns. If the recording has the carriers of pins, each
 * carrier has its lane. Recordings of Java 21 do not have them: there a pin goes into the first
 * free lane, and as many lanes are taken at a moment as carriers were pinned.
 *
 * @param columns start relative to the previous one, length, entry, lane, and thread id relative to
 *     the previous one; times in microseconds
 * @param lanes the number of lanes that were needed
 * @param carriers the carriers of the first lanes, by lane; empty if the pins have none
 * @param names the names of threads that have one, by id
 * @param queueAt the moments at which the queue was sampled, in microseconds after the start
 * @param queued the number of queued threads at these moments
 */
record Timeline(
    RecordingFacts facts,
    int pins,
    int lanes,
    List<String> carriers,
    long micros,
    String columns,
    Map<Long, String> names,
    List<Long> queueAt,
    List<Long> queued) {
  /** The most names of threads on a page; nobody reads more. */
  private static final int MOST_NAMES = 20_000;

  private static final long MICRO = 1_000;

  static Timeline of(RecordingFacts facts, List<PinsAlike> pins, EntryNumbers numbers) {
    int size = pins.stream().mapToInt(PinsAlike::count).sum();
    long[] starts = new long[size];
    long[] lengths = new long[size];
    int[] entries = new int[size];
    long[] threads = new long[size];
    ThreadRef[] onCarrier = new ThreadRef[size];
    Map<Long, String> names = new LinkedHashMap<>();
    long begin = facts.startNanos();
    for (PinsAlike alike : pins) {
      for (int i = 0; i < alike.count(); i++) {
        begin = Math.min(begin, alike.startNanos(i));
      }
    }
    int row = 0;
    for (PinsAlike alike : pins) {
      int entry = numbers.number(alike.site());
      for (int i = 0; i < alike.count(); i++) {
        starts[row] = (alike.startNanos(i) - begin) / MICRO;
        lengths[row] = Math.max(1, alike.durationNanos(i) / MICRO);
        entries[row] = entry;
        ThreadRef thread = alike.thread(i);
        threads[row] = thread.id();
        onCarrier[row] = alike.carrier(i).orElse(null);
        if (names.size() < MOST_NAMES
            && !thread.name().isEmpty()
            && !names.containsKey(thread.id())) {
          names.put(thread.id(), Printable.text(shortened(thread.name())));
        }
        row++;
      }
    }
    int[] order = order(starts);
    List<ThreadRef> carriers =
        Arrays.stream(onCarrier)
            .filter(Objects::nonNull)
            .distinct()
            .sorted(Comparator.comparingLong(ThreadRef::id))
            .toList();
    Map<ThreadRef, Integer> laneOf = new HashMap<>();
    carriers.forEach(carrier -> laneOf.put(carrier, laneOf.size()));
    int[] lane = lanes(order, starts, lengths, onCarrier, laneOf);
    Packed packed = new Packed();
    long last = 0;
    for (int each : order) {
      packed.add(starts[each] - last);
      last = starts[each];
    }
    for (int each : order) {
      packed.add(lengths[each]);
    }
    for (int each : order) {
      packed.add(entries[each]);
    }
    for (int each : order) {
      packed.add(lane[each]);
    }
    last = 0;
    for (int each : order) {
      packed.addSigned(threads[each] - last);
      last = threads[each];
    }
    long end = facts.startNanos() + facts.durationNanos() - begin;
    for (int each = 0; each < size; each++) {
      end = Math.max(end, (starts[each] + lengths[each]) * MICRO);
    }
    List<Long> queueAt = new ArrayList<>();
    List<Long> queued = new ArrayList<>();
    for (Waiting waiting : waiting(facts)) {
      long at = Math.max(0, waiting.atNanos - begin);
      if (at <= end) {
        queueAt.add(at / MICRO);
        queued.add(waiting.threads);
      }
    }
    int used = Arrays.stream(lane).max().orElse(-1) + 1;
    return new Timeline(
        facts,
        size,
        used,
        carriers.stream()
            .map(ThreadRef::name)
            .map(Timeline::shortened)
            .map(Printable::text)
            .toList(),
        Math.max(1, end / MICRO),
        packed.text(),
        names,
        queueAt,
        queued);
  }

  /** The number of queued threads at a moment. */
  record Waiting(long atNanos, long threads) {}

  /** Returns the longest queue of each second or, if it was not recorded, one sample of it. */
  private static List<Waiting> waiting(RecordingFacts facts) {
    List<Waiting> most = longest(facts.watched().map(Watched::looked).orElse(List.of()));
    return most.isEmpty()
        ? facts.watched().map(Watched::looks).orElse(List.of()).stream()
            .map(look -> new Waiting(look.atNanos(), look.queued()))
            .toList()
        : most;
  }

  /**
   * Returns the longest queue at both ends of each span, by time. A busy machine delays the event
   * at the end of a span, so that the next one may seem to begin before it.
   */
  static List<Waiting> longest(List<CarrierSample> samples) {
    List<Waiting> most = new ArrayList<>();
    long before = Long.MIN_VALUE;
    for (CarrierSample each :
        samples.stream().sorted(Comparator.comparingLong(CarrierSample::endNanos)).toList()) {
      most.add(
          new Waiting(Math.max(before, each.endNanos() - each.spanNanos()), each.mostQueued()));
      most.add(new Waiting(each.endNanos(), each.mostQueued()));
      before = each.endNanos();
    }
    return List.copyOf(most);
  }

  static String shortened(String name) {
    return name.length() <= 300 ? name : name.substring(0, 200) + "..." + name.length();
  }

  private static int[] order(long[] starts) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(starts.length);
    long latest = Arrays.stream(starts).max().orElse(0);
    if (Long.numberOfLeadingZeros(latest) <= bits) {
      return IntStream.range(0, starts.length)
          .boxed()
          .sorted(Comparator.comparingLong(each -> starts[each]))
          .mapToInt(Integer::intValue)
          .toArray();
    }
    // There may be a million pins. Time and number in one long are sorted without objects.
    long[] keys = new long[starts.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = (starts[i] << bits) | i;
    }
    Arrays.sort(keys);
    return Arrays.stream(keys).mapToInt(key -> (int) (key & ((1L << bits) - 1))).toArray();
  }

  /** Returns the lane of each pin; pins on no known carrier are behind the carriers' lanes. */
  private static int[] lanes(
      int[] order,
      long[] starts,
      long[] lengths,
      ThreadRef[] onCarrier,
      Map<ThreadRef, Integer> laneOf) {
    int[] lanes = new int[order.length];
    long[] ends = new long[laneOf.size() + 16];
    int used = laneOf.size();
    for (int each : order) {
      if (onCarrier[each] != null) {
        lanes[each] = laneOf.get(onCarrier[each]);
        continue;
      }
      int lane = laneOf.size();
      while (lane < used && ends[lane] > starts[each]) {
        lane++;
      }
      if (lane == used) {
        used++;
        ends = used > ends.length ? Arrays.copyOf(ends, used * 2) : ends;
      }
      ends[lane] = starts[each] + lengths[each];
      lanes[each] = lane;
    }
    return lanes;
  }
}
