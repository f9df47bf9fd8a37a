package vtdiag.analysis;

import java.util.Map;
import vtdiag.account.Account;
import vtdiag.account.Account.Missing;
import vtdiag.account.Accounting;
import vtdiag.account.Looked;
import vtdiag.account.PinReason;
import vtdiag.model.Attribution;
import vtdiag.model.BlockingOperation;
import vtdiag.model.PinCause;
import vtdiag.pin.Events;
import vtdiag.recording.RecordingFacts;
import vtdiag.recording.RecordingFacts.EventSetting;

/** The account of the carriers' time of one recording. */
final class CarrierAccount {
  private CarrierAccount() {}

  static Account of(Attributed recorded) {
    RecordingFacts facts = recorded.facts();
    Accounting accounting =
        new Accounting(
            facts.startNanos(), facts.startNanos() + facts.durationNanos(), facts.parallelism());
    Map<String, EventSetting> settings = facts.settings();
    if (!settings.containsKey(Events.PINNED) || !settings.get(Events.PINNED).enabled()) {
      accounting.missing(Missing.PINNED_EVENTS);
    }
    facts
        .watched()
        .ifPresent(
            watched -> {
              for (Looked look : watched.looked()) {
                accounting.look(look);
              }
            });
    recorded.alike().forEach(alike -> pins(alike, accounting));
    return accounting.account();
  }

  private static void pins(Alike alike, Accounting accounting) {
    Attribution attribution = alike.attribution;
    // Its thread is in native code, and that is where its time counts.
    if (attribution.operation().kind() == BlockingOperation.Kind.NATIVE) {
      return;
    }
    accounting.pin(reason(attribution.primary()), alike.nanos());
  }

  private static PinReason reason(PinCause cause) {
    return switch (cause) {
      case PinCause.HeldMonitor held -> PinReason.MONITOR;
      case PinCause.MonitorEntry entry -> PinReason.MONITOR_ENTRY;
      case PinCause.ObjectWait wait -> PinReason.OBJECT_WAIT;
      case PinCause.NativeFrame frame -> PinReason.NATIVE_FRAME;
      case PinCause.HiddenVmFrame frame -> PinReason.NATIVE_FRAME;
      case PinCause.ClassInitializer initializer -> PinReason.CLASS;
      case PinCause.AwaitedInitialization awaited -> PinReason.CLASS;
      case PinCause.ClassLoading loading -> PinReason.CLASS;
      case PinCause.Unexplained unexplained -> PinReason.UNEXPLAINED;
    };
  }
}
