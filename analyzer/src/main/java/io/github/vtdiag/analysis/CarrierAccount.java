package io.github.vtdiag.analysis;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Account.Missing;
import io.github.vtdiag.account.Accounting;
import io.github.vtdiag.account.Accounting.Code;
import io.github.vtdiag.pin.CarrierUse;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.EventTable;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.RecordingFacts.EventSetting;
import java.util.Map;

/** Computes the account of the carriers' time of one recording. */
final class CarrierAccount {
  private CarrierAccount() {}

  /** Returns the account of a recording whose pins are attributed to their causes. */
  static Account of(Attributed recorded) {
    RecordingFacts facts = recorded.facts();
    // The account ends when the program does: what the agent still writes then is not part of it.
    long until = facts.exitNanos().orElse(Long.MAX_VALUE);
    Accounting accounting =
        new Accounting(
            facts.startNanos(), facts.startNanos() + facts.programNanos(), facts.parallelism());
    Map<String, EventSetting> settings = facts.settings();
    if (!settings.containsKey(Events.PINNED) || !settings.get(Events.PINNED).enabled()) {
      accounting.missing(Missing.PINNED_EVENTS);
    }
    facts
        .watched()
        .ifPresent(
            watched -> {
              watched.looked().forEach(accounting::look);
              accounting.elsewhere(watched.elsewhereNanos());
            });
    for (PinGroup alike : recorded.alike()) {
      CarrierUse.whilePinned(alike.attribution)
          .ifPresent(reason -> accounting.pin(reason, alike.nanosUntil(until)));
    }
    for (ThreadEvent event : ThreadEvent.FILES) {
      if (!isOn(settings, event)) {
        accounting.missing(Missing.FILE_EVENTS);
      }
    }
    if (!isOn(settings, ThreadEvent.EXECUTION_SAMPLE)) {
      accounting.missing(Missing.JAVA_SAMPLES);
    }
    if (!isOn(settings, ThreadEvent.NATIVE_SAMPLE)) {
      accounting.missing(Missing.NATIVE_SAMPLES);
    }
    events(recorded.events(), settings, until, accounting);
    return accounting.account();
  }

  private static boolean isOn(Map<String, EventSetting> settings, ThreadEvent event) {
    EventSetting setting = settings.get(event.eventName());
    return setting != null && setting.enabled();
  }

  private static void events(
      EventTable events, Map<String, EventSetting> settings, long until, Accounting accounting) {
    Code[] codes = new Code[events.looks().size()];
    for (int look = 0; look < codes.length; look++) {
      if (events.looks().get(look).event() == ThreadEvent.NATIVE_SAMPLE) {
        codes[look] = CarrierUse.inNativeCode(events.looks().get(look).stack());
      }
    }
    long javaPeriod = period(settings, ThreadEvent.EXECUTION_SAMPLE);
    long nativePeriod = period(settings, ThreadEvent.NATIVE_SAMPLE);
    for (int row = 0; row < events.size(); row++) {
      if (events.startNanos(row) > until) {
        continue;
      }
      switch (events.event(row)) {
        case EXECUTION_SAMPLE -> accounting.sample(Code.JAVA, events.startNanos(row), javaPeriod);
        case NATIVE_SAMPLE ->
            accounting.sample(codes[events.look(row)], events.startNanos(row), nativePeriod);
        case FILE_READ, FILE_WRITE, FILE_FORCE ->
            accounting.file(
                Math.clamp(until - events.startNanos(row), 0L, events.durationNanos(row)));
        case CPU_SAMPLE,
            PARK,
            SLEEP,
            MONITOR_ENTER,
            MONITOR_WAIT,
            SOCKET_READ,
            SOCKET_WRITE,
            THREAD_START,
            THREAD_END,
            SUBMIT_FAILED,
            ALLOCATION_SAMPLE,
            TEST_MARK -> {
          // These events say nothing about what carriers do.
        }
      }
    }
  }

  private static long period(Map<String, EventSetting> settings, ThreadEvent event) {
    EventSetting setting = settings.get(event.eventName());
    return setting == null ? 0 : setting.periodNanos();
  }
}
