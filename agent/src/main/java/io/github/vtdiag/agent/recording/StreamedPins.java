package io.github.vtdiag.agent.recording;

import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.Attributor;
import io.github.vtdiag.pin.Events;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;

/**
 * The pins of the stream, for all its followers. The attribution is looked up once for all pins
 * with the same stack. That also reads the lock maps of the classes there. Used on the stream's
 * thread alone.
 */
public final class StreamedPins {
  /**
   * The number of different stacks that are looked up between two flushes, unless one has to be.
   */
  private static final int BUDGET = 500;

  private final LoadedClasses classes;
  private final Attributor attributor;
  private final IdentityHashMap<RecordedStackTrace, StackTrace> stacks = new IdentityHashMap<>();
  private final IdentityHashMap<StackTrace, Map<Asked, Attribution>> attributions =
      new IdentityHashMap<>();
  private int budget = BUDGET;

  /** The input of an attribution, beside the stack. */
  private record Asked(
      PinEpisode.Kind kind, Optional<String> lockClass, Optional<String> pinnedReason) {}

  public StreamedPins(LoadedClasses classes) {
    this.classes = classes;
    this.attributor = new Attributor(Runtime.version().feature(), classes);
  }

  public RecordedValues values(RecordedEvent event) {
    return new RecordedValues(event, stacks);
  }

  /** Returns the pin that an event describes; empty if it is none. */
  public Optional<PinEpisode> of(RecordedEvent event) {
    return Events.episode(values(event), Runtime.version().feature());
  }

  /** Returns the attribution of a pin; empty if too many were looked up already. */
  public Optional<Attribution> attributionOf(PinEpisode pin) {
    Map<Asked, Attribution> known = known(pin);
    if (budget <= 0 && !known.containsKey(asked(pin))) {
      return Optional.empty();
    }
    return Optional.of(sureAttributionOf(pin));
  }

  /** Returns the attribution of a pin, however many were looked up already. */
  public Attribution sureAttributionOf(PinEpisode pin) {
    return known(pin)
        .computeIfAbsent(
            asked(pin),
            asked -> {
              budget--;
              classes.remember(pin);
              classes.read(List.of(pin.stack()));
              return attributor.attribute(pin, List.of());
            });
  }

  private Map<Asked, Attribution> known(PinEpisode pin) {
    return attributions.computeIfAbsent(pin.stack(), stack -> new HashMap<>());
  }

  private static Asked asked(PinEpisode pin) {
    return new Asked(pin.kind(), pin.lockClass(), pin.pinnedReason());
  }

  /** Drops them all: the stream's next events have stacks of their own. */
  public void flush() {
    budget = BUDGET;
    stacks.clear();
    attributions.clear();
  }
}
