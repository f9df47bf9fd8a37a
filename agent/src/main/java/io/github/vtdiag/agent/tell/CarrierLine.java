package io.github.vtdiag.agent.tell;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Account.Missing;
import io.github.vtdiag.account.Accounting;
import io.github.vtdiag.account.Accounting.Code;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.agent.recording.RecordedValues;
import io.github.vtdiag.agent.recording.Recorder;
import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.PinReason;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.pin.CarrierUse;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.GcPause;
import io.github.vtdiag.pin.OtherCarriers;
import io.github.vtdiag.pin.ThreadEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedThread;

/**
 * The line about where the carriers' time went. It uses the same data as the command line, so that
 * both report the same for a recording.
 */
final class CarrierLine {
  private final List<Events.WatchLook> looks = new ArrayList<>();
  private final List<Code> samples = new ArrayList<>();
  private final Map<PinReason, Long> pins = new EnumMap<>(PinReason.class);
  private final List<GcPause> pauses = new ArrayList<>();
  private final long recordedNanos;
  private long fileNanos;

  /** The time of the watch's last event. */
  private OptionalLong exitNanos = OptionalLong.empty();

  /**
   * @param recordedNanos when the recording that is read ends
   */
  CarrierLine(long recordedNanos) {
    this.recordedNanos = recordedNanos;
  }

  /** Adds a summary of the watch. */
  void add(Events.WatchLook look) {
    looks.add(look);
    if (look.atExit()) {
      exitNanos = OptionalLong.of(look.startNanos());
    }
  }

  /** Adds an event; only events about virtual threads in native code count. */
  void add(RecordedValues event) {
    ThreadEvent kind = ThreadEvent.named(event.type());
    if (kind == ThreadEvent.NATIVE_SAMPLE && isVirtual(event, kind)) {
      samples.add(CarrierUse.inNativeCode(event.stack()));
    } else if (kind != null && ThreadEvent.FILES.contains(kind) && isVirtual(event, kind)) {
      fileNanos += event.durationNanos();
    }
  }

  private static boolean isVirtual(RecordedValues event, ThreadEvent kind) {
    RecordedThread thread = event.event().getThread(kind.threadField());
    return thread != null && thread.isVirtual();
  }

  /** Adds a pause of the garbage collector. */
  void add(GcPause pause) {
    pauses.add(pause);
  }

  /** Adds a pin; all summaries of the watch are there by now. */
  void add(PinEpisode pin, Attribution attribution) {
    long nanos =
        Math.clamp(exitNanos.orElse(Long.MAX_VALUE) - pin.startNanos(), 0L, pin.durationNanos());
    CarrierUse.whilePinned(attribution).ifPresent(reason -> pins.merge(reason, nanos, Long::sum));
  }

  Optional<Events.WatchLook> lastLook() {
    return looks.stream().max(Comparator.comparingLong(Events.WatchLook::startNanos));
  }

  /**
   * Returns the line; empty if there was no watch, or it saw no carrier do anything.
   *
   * @param fromNanos when the recording began
   */
  Optional<String> text(long fromNanos) {
    Accounting accounting =
        new Accounting(fromNanos, endNanos(), OptionalInt.of(Recorder.parallelism()));
    for (Events.WatchLook look : looks) {
      accounting.look(look.looked());
      accounting.elsewhere(look.others().count() * look.looked().spanNanos());
    }
    pins.forEach(accounting::pin);
    accounting.file(fileNanos);
    samples.forEach(code -> accounting.sample(code, 0, 0));
    return text(accounting.account());
  }

  /** Returns the carriers that the line leaves out, if there were any. */
  Optional<String> others() {
    return looks.stream()
        .map(Events.WatchLook::others)
        .max(Comparator.comparingInt(OtherCarriers::count))
        .filter(others -> others.count() > 0)
        .map(
            others ->
                Figures.count(others.count(), "more carrier")
                    + " of other schedulers ("
                    + Printable.text(others.names())
                    + "): their pins are told, where their time went is not");
  }

  /** Returns the share of the time in which all threads were paused; empty if it is small. */
  Optional<String> pauses(long fromNanos) {
    long end = endNanos();
    long paused = pauses.stream().mapToLong(pause -> pause.nanosBefore(end)).sum();
    return GcPause.told(paused, end - fromNanos).map(told -> "the " + told);
  }

  /** Returns when the program ended; if the watch did not see that, when the recording ends. */
  long endNanos() {
    return exitNanos.orElse(recordedNanos);
  }

  private static Optional<String> text(Account account) {
    if (account.missing().contains(Missing.WATCH)
        || account.named().stream().allMatch(use -> use == Use.IDLE || use == Use.UNKNOWN)) {
      return Optional.empty();
    }
    return Optional.of(
        "carriers: "
            + account.named().stream().map(account::text).collect(Collectors.joining(", "))
            + account
                .queue()
                .filter(line -> line.most() > 0)
                .map(
                    line ->
                        "; up to "
                            + Figures.count(line.most(), "virtual thread")
                            + " waited for one")
                .orElse(""));
  }
}
