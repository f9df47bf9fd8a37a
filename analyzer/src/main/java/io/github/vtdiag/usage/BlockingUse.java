package io.github.vtdiag.usage;

import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.OtherFinding;
import io.github.vtdiag.analysis.OtherFinding.Kind;
import io.github.vtdiag.analysis.OtherFinding.Unit;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.EventTable;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.RecordingFacts.EventSetting;
import io.github.vtdiag.recording.Watched;
import io.github.vtdiag.usage.Used.ByPlace;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Calls that keep the carrier on every Java, because the system has no other way: files, native
 * code, names, processes.
 */
final class BlockingUse {
  private static final int FEW = 5;

  private final EventTable events;
  private final RecordingFacts facts;
  private final Samples samples;
  private final Places places;
  private final CarrierTime time;
  private final Map<Kind, ByPlace> sampled = new EnumMap<>(Kind.class);

  BlockingUse(
      EventTable events, RecordingFacts facts, Samples samples, Places places, CarrierTime time) {
    this.events = events;
    this.facts = facts;
    this.samples = samples;
    this.places = places;
    this.time = time;
    Used[] usedOf = new Used[events.looks().size()];
    for (int look : samples.looks()) {
      StackTrace stack = events.looks().get(look).stack();
      NativeCode.kind(stack)
          .ifPresent(
              kind ->
                  usedOf[look] =
                      place(sampled.computeIfAbsent(kind, k -> new ByPlace()), stack, kind));
    }
    for (int i = 0; i < samples.size(); i++) {
      Used used = usedOf[samples.look(i)];
      if (used != null) {
        used.add(samples.carrierNanos(1), samples.thread(i));
      }
    }
  }

  private Used place(ByPlace all, StackTrace stack, Kind kind) {
    return all.at(places.application(stack), inside(stack, kind));
  }

  /** The call into the JDK or into native code that says most. */
  private static Optional<Frame> inside(StackTrace stack, Kind kind) {
    return switch (kind) {
      case NATIVE_CALL -> stack.frames().stream().filter(Frame::isNative).findFirst();
      default -> Places.outsideJdk(stack.frames());
    };
  }

  /** What keeps carriers for a part of their time that is worth a word. */
  List<OtherFinding> find(List<Finding> pins) {
    List<OtherFinding> found = new ArrayList<>(files());
    found.addAll(sampled(Kind.NAME_LOOKUP));
    found.addAll(sampled(Kind.PROCESS_START));
    // Samples do not tell who computes in native code from who waits there. Where nobody had to
    // wait for a carrier, either is as it should be.
    if (time.isShortFor(Use.NATIVE)) {
      sampled(Kind.NATIVE_CALL).stream()
          .filter(call -> pins.stream().noneMatch(pin -> isOf(pin, call)))
          .forEach(found::add);
    }
    return found;
  }

  /** Whether a pin tells of the same call. */
  private static boolean isOf(Finding pin, OtherFinding call) {
    return pin.cause() instanceof PinCause.NativeFrame frame
        && call.inside().isPresent()
        && frame.frame().qualifiedMethod().equals(call.inside().get().qualifiedMethod());
  }

  private List<OtherFinding> sampled(Kind kind) {
    ByPlace all = sampled.getOrDefault(kind, new ByPlace());
    if (all.count() < FEW || !time.isLarge(samples.leastCarrierNanos(all.count()))) {
      return List.of();
    }
    return all.notable().stream()
        .map(
            used ->
                new Found(kind, used.inside)
                    .at(used.site, places)
                    .carrierNanos(used.amount)
                    .seen(used.count, samples.event)
                    .detail("threads", used.threads.size())
                    .limits(time.isShort())
                    .finding())
        .toList();
  }

  private List<OtherFinding> files() {
    ByPlace told = new ByPlace();
    Map<Used, Map<ThreadEvent, Long>> operations = new HashMap<>();
    Used[] usedOf = new Used[events.looks().size()];
    for (int number = 0; number < usedOf.length; number++) {
      EventTable.Look look = events.looks().get(number);
      long count = events.count(number);
      if (ThreadEvent.FILES.contains(look.event()) && count > 0) {
        Used used = place(told, look.stack(), Kind.FILE_IO);
        used.subjects.merge(look.text(), count, Long::sum);
        operations
            .computeIfAbsent(used, u -> new EnumMap<>(ThreadEvent.class))
            .merge(look.event(), count, Long::sum);
        usedOf[number] = used;
      }
    }
    for (int row = 0; row < events.size(); row++) {
      Used used = usedOf[events.look(row)];
      if (used != null) {
        used.add((double) events.durationNanos(row), events.threads().get(events.thread(row)).id());
      }
    }
    // Events are exact. Where all are too short for one, samples find them.
    return time.isLarge(told.amount())
        ? told.notable().stream().map(used -> told(used, operations.get(used))).toList()
        : sampled(Kind.FILE_IO);
  }

  private OtherFinding told(Used used, Map<ThreadEvent, Long> operations) {
    Found found =
        new Found(Kind.FILE_IO, used.inside)
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

  /** The carriers that the JDK added, which it does for some of these calls. */
  private void addCarriers(Found found) {
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
        .mapToInt(Watched.Look::carriers)
        .max()
        .orElse(0);
  }
}
