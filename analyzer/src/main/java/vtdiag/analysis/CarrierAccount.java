package vtdiag.analysis;

import java.util.Map;
import java.util.Set;
import vtdiag.account.Account;
import vtdiag.account.Account.Missing;
import vtdiag.account.Accounting;
import vtdiag.account.Accounting.Code;
import vtdiag.account.Looked;
import vtdiag.account.PinReason;
import vtdiag.model.Attribution;
import vtdiag.model.BlockingOperation;
import vtdiag.model.PinCause;
import vtdiag.model.StackTrace;
import vtdiag.pin.Events;
import vtdiag.pin.ThreadEvent;
import vtdiag.recording.EventTable;
import vtdiag.recording.RecordingFacts;
import vtdiag.recording.RecordingFacts.EventSetting;

/** The account of the carriers' time of one recording. */
final class CarrierAccount {
  /** The JDK's classes whose native methods are file I/O; the rest of it goes through these. */
  private static final Set<String> FILE_CODE =
      Set.of(
          "java.io.FileCleanable",
          "java.io.FileDescriptor",
          "java.io.FileInputStream",
          "java.io.FileOutputStream",
          "java.io.RandomAccessFile",
          "java.io.UnixFileSystem",
          "java.io.WinNTFileSystem",
          "java.nio.MappedMemoryUtils",
          "sun.nio.ch.FileChannelImpl",
          "sun.nio.ch.FileDispatcherImpl",
          "sun.nio.ch.UnixFileDispatcherImpl",
          "sun.nio.fs.UnixNativeDispatcher",
          "sun.nio.fs.LinuxNativeDispatcher",
          "sun.nio.fs.BsdNativeDispatcher",
          "sun.nio.fs.WindowsNativeDispatcher");

  private CarrierAccount() {}

  /** The account of a recording whose pins were put down to their causes. */
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
    events(recorded.events(), settings, accounting);
    return accounting.account();
  }

  private static boolean isOn(Map<String, EventSetting> settings, ThreadEvent event) {
    EventSetting setting = settings.get(event.eventName());
    return setting != null && setting.enabled();
  }

  private static void events(
      EventTable events, Map<String, EventSetting> settings, Accounting accounting) {
    boolean[] inFiles = new boolean[events.looks().size()];
    for (int look = 0; look < inFiles.length; look++) {
      inFiles[look] = isFileIo(events.looks().get(look).stack());
    }
    for (int row = 0; row < events.size(); row++) {
      switch (events.event(row)) {
        case EXECUTION_SAMPLE ->
            accounting.sample(
                Code.JAVA, events.startNanos(row), period(settings, ThreadEvent.EXECUTION_SAMPLE));
        case NATIVE_SAMPLE ->
            accounting.sample(
                inFiles[events.look(row)] ? Code.FILE : Code.NATIVE,
                events.startNanos(row),
                period(settings, ThreadEvent.NATIVE_SAMPLE));
        case FILE_READ, FILE_WRITE, FILE_FORCE -> accounting.file(events.durationNanos(row));
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
            ALLOCATION_SAMPLE -> {
          // These tell nothing of what carriers are at.
        }
      }
    }
  }

  private static long period(Map<String, EventSetting> settings, ThreadEvent event) {
    EventSetting setting = settings.get(event.eventName());
    return setting == null ? 0 : setting.periodNanos();
  }

  /** Whether the native code on top of a stack reads, writes or looks for files. */
  private static boolean isFileIo(StackTrace stack) {
    if (stack.frames().isEmpty()) {
      return false;
    }
    String type = stack.frames().getFirst().type().name();
    return FILE_CODE.contains(type);
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
