package io.github.vtdiag.findings;

import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Finding.Misuse;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Observation.Unit;
import io.github.vtdiag.findings.UsageTally.ByPlace;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.NativeFrame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.EventTable;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.RecordingFacts.EventSetting;
import io.github.vtdiag.recording.Watched;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Finds calls that hold the carrier on every Java version, because the system has no other way:
 * files, native code, names, processes.
 */
final class BlockingUse {
  private static final int FEW = 5;

  private final EventTable events;
  private final RecordingFacts facts;
  private final Samples samples;
  private final Places places;
  private final CarrierTime time;
  private final Map<MisuseKind, ByPlace> sampled = new EnumMap<>(MisuseKind.class);

  BlockingUse(
      EventTable events, RecordingFacts facts, Samples samples, Places places, CarrierTime time) {
    this.events = events;
    this.facts = facts;
    this.samples = samples;
    this.places = places;
    this.time = time;
    UsageTally[] usedOf = new UsageTally[events.looks().size()];
    for (int look : samples.looks()) {
      StackTrace stack = events.looks().get(look).stack();
      NativeCode.kind(stack)
          .ifPresent(
              kind ->
                  usedOf[look] =
                      place(sampled.computeIfAbsent(kind, k -> new ByPlace()), stack, kind));
    }
    for (int i = 0; i < samples.size(); i++) {
      UsageTally used = usedOf[samples.look(i)];
      if (used != null) {
        used.add(samples.carrierNanos(1), samples.thread(i));
      }
    }
  }

  private UsageTally place(ByPlace all, StackTrace stack, MisuseKind kind) {
    return all.at(places.application(stack), inside(stack, kind));
  }

  /** Returns the most specific call into the JDK or into native code. */
  private static Optional<Frame> inside(StackTrace stack, MisuseKind kind) {
    return kind == MisuseKind.NATIVE_CALL
        ? stack.frames().stream().filter(Frame::isNative).findFirst()
        : Places.outsideJdk(stack.frames());
  }

  static List<Misuse> find(DetectorInput in) {
    RecordingData data = in.data();
    return new BlockingUse(data.events(), data.facts(), in.inNative(), in.places(), in.time())
        .find(in.pins());
  }

  /** Returns the calls that hold carriers for a considerable part of their time. */
  private List<Misuse> find(List<Pin> pins) {
    List<Misuse> found = new ArrayList<>(files());
    found.addAll(sampled(MisuseKind.NAME_LOOKUP));
    found.addAll(sampled(MisuseKind.PROCESS_START));
    // Samples do not distinguish computing in native code from waiting there. If no thread had to
    // wait for a carrier, either is fine.
    if (time.isShortFor(Use.NATIVE)) {
      sampled(MisuseKind.NATIVE_CALL).stream()
          .filter(call -> !isMostlyIn(pins, call))
          .forEach(found::add);
    }
    return found;
  }

  /**
   * Returns whether the pins show most of a call's time. Calls shorter than the agent's threshold
   * for native code are no pins, but hold the carriers as well.
   */
  static boolean isMostlyIn(List<Pin> pins, Misuse call) {
    long pinned = pins.stream().filter(pin -> isOf(pin, call)).mapToLong(Pin::total).sum();
    return 2 * pinned >= call.seen().amount().value();
  }

  /** Returns whether a pin is due to the same call. */
  private static boolean isOf(Pin pin, Misuse call) {
    return pin.cause() instanceof NativeFrame frame
        && call.seen().inside().isPresent()
        && frame.frame().qualifiedMethod().equals(call.seen().inside().get().qualifiedMethod());
  }

  private List<Misuse> sampled(MisuseKind kind) {
    ByPlace all = sampled.getOrDefault(kind, new ByPlace());
    if (all.count() < FEW || !time.isLarge(samples.leastCarrierNanos(all.count()))) {
      return List.of();
    }
    return all.notable().stream()
        .map(
            used ->
                new FindingBuilder(kind, used.inside)
                    .at(used.site, places)
                    .carrierNanos(used.amount)
                    .seen(used.count, samples.event)
                    .detail("threads", used.threads.size())
                    .limits(time.isShort())
                    .finding())
        .toList();
  }

  private List<Misuse> files() {
    ByPlace told = new ByPlace();
    Map<UsageTally, Map<ThreadEvent, Long>> operations = new HashMap<>();
    UsageTally[] usedOf = new UsageTally[events.looks().size()];
    for (int number = 0; number < usedOf.length; number++) {
      EventTable.Look look = events.looks().get(number);
      long count = events.count(number);
      if (ThreadEvent.FILES.contains(look.event()) && count > 0) {
        UsageTally used = place(told, look.stack(), MisuseKind.FILE_IO);
        used.subjects.merge(look.text(), count, Long::sum);
        operations
            .computeIfAbsent(used, u -> new EnumMap<>(ThreadEvent.class))
            .merge(look.event(), count, Long::sum);
        usedOf[number] = used;
      }
    }
    for (int row = 0; row < events.size(); row++) {
      UsageTally used = usedOf[events.look(row)];
      if (used != null) {
        used.add((double) events.durationNanos(row), events.threads().get(events.thread(row)).id());
      }
    }
    // Events are exact. If all calls are too short for an event, samples find them.
    return time.isLarge(told.amount())
        ? told.notable().stream().map(used -> told(used, operations.get(used))).toList()
        : sampled(MisuseKind.FILE_IO);
  }

  private Misuse told(UsageTally used, Map<ThreadEvent, Long> operations) {
    FindingBuilder found =
        new FindingBuilder(MisuseKind.FILE_IO, used.inside)
            .at(used.site, places)
            .amount(Unit.CARRIER_NANOS, used.amount, false)
            .detail("threads", used.threads.size())
            .limits(time.isShort() || areCarriersAdded());
    if (used.subjects.size() == 1) {
      found.subject(used.subject());
    } else {
      found.detail("files", used.subjects.size());
    }
    OptionalLong threshold = OptionalLong.empty();
    for (Map.Entry<ThreadEvent, Long> each : operations.entrySet()) {
      found.seen(each.getValue(), each.getKey());
      found.detail(name(each.getKey()), each.getValue());
      EventSetting setting = facts.settings().get(each.getKey().eventName());
      if (setting != null) {
        threshold = OptionalLong.of(Math.max(threshold.orElse(0), setting.thresholdNanos()));
      }
    }
    threshold.ifPresent(found::threshold);
    addCarriers(found);
    return found.finding();
  }

  private static String name(ThreadEvent event) {
    return switch (event) {
      case FILE_FORCE -> "forced";
      case FILE_READ -> "read";
      case FILE_WRITE -> "written";
      default -> throw new IllegalArgumentException(event.eventName());
    };
  }

  /** Adds the number of extra carriers, which the JDK adds for some of these calls. */
  private void addCarriers(FindingBuilder found) {
    if (areCarriersAdded()) {
      found.detail("carriers", mostCarriers());
      facts.parallelism().ifPresent(wanted -> found.detail("parallelism", wanted));
      facts.agent().stream()
          .flatMapToInt(agent -> agent.maxPoolSize().stream())
          .forEach(most -> found.detail("maxPoolSize", most));
    }
  }

  private boolean areCarriersAdded() {
    OptionalInt wanted = facts.parallelism();
    return wanted.isPresent() && mostCarriers() > wanted.getAsInt();
  }

  private int mostCarriers() {
    return facts.watched().stream()
        .flatMap(watched -> watched.looks().stream())
        .mapToInt(Watched.Sample::carriers)
        .max()
        .orElse(0);
  }
}
