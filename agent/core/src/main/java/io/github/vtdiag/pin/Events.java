package io.github.vtdiag.pin;

import io.github.vtdiag.account.CarrierSample;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.JarContent;
import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.model.MonitorSample;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The JFR events and fields that vtdiag reads and writes. */
public final class Events {
  public static final String PINNED = "jdk.VirtualThreadPinned";
  public static final String MONITOR_ENTER = "jdk.JavaMonitorEnter";
  public static final String MONITOR_WAIT = "jdk.JavaMonitorWait";
  public static final String JVM = "jdk.JVMInformation";
  public static final String CPU = "jdk.CPUInformation";
  public static final String CONTAINER = "jdk.ContainerConfiguration";
  public static final String SETTING = "jdk.ActiveSetting";
  public static final String DATA_LOSS = "jdk.DataLoss";
  public static final String HEAP_AT_GC = "jdk.GCHeapSummary";
  public static final String HEAP_USAGE = "jdk.GCHeapMemoryUsage";

  /** The agent's event for the number of queued virtual threads, about once a second. */
  public static final String WAITING = "vtdiag.Waiting";

  /** The agent's event for its version, options and environment, once a chunk. */
  public static final String AGENT = "vtdiag.Agent";

  /** The agent's event for the lock map of one class seen in a pin. */
  public static final String LOCK_MAP = "vtdiag.LockMap";

  /** The agent's event for the monitors that a sampled pinned thread really held. */
  public static final String MONITOR_SAMPLE = "vtdiag.MonitorSample";

  /** The agent's event for a virtual thread that waits and has not unmounted. */
  public static final String CARRIER_KEPT = "vtdiag.CarrierKept";

  /** The agent's event for the samples of its watch over the carriers, about once a second. */
  public static final String WATCH = "vtdiag.Watch";

  /** The agent's event for a hang: a deadlock, or carriers that are never freed. */
  public static final String HANG = "vtdiag.Hang";

  /** The agent's event for a snapshot of the virtual threads that wait without a carrier. */
  public static final String WAIT_LOOK = "vtdiag.WaitLook";

  /** The agent's event for the threads that such a snapshot found at one place. */
  public static final String WAIT_CROWD = "vtdiag.WaitCrowd";

  /** The agent's event for a stack and its number in these events. */
  public static final String WAIT_STACK = "vtdiag.WaitStack";

  /** The agent's event for the end of a chunk, and with the last one of the recording. */
  public static final String END = "vtdiag.End";

  /** The test extension's event; everything before it is in the recording. */
  public static final String TEST_MARK = "vtdiag.TestMark";

  /** The field of {@link #TEST_MARK} for the number of the mark. */
  public static final String MARK_NUMBER = "number";

  /** The field of a pin for HotSpot's reason why the thread could not unmount (JDK 24+). */
  public static final String PINNED_REASON = "pinnedReason";

  /** The field of a pin for what the thread was about to do (JDK 24+). */
  public static final String BLOCKING_OPERATION = "blockingOperation";

  /** The field of a monitor event for the class of the object. */
  public static final String LOCK_CLASS = "monitorClass";

  /** The events that can be a pin. */
  public static final List<String> EPISODES = List.of(PINNED, MONITOR_ENTER, MONITOR_WAIT);

  /** The JDK's events that describe the JVM and its machine, to be recorded once a chunk. */
  public static final List<String> ENVIRONMENT = List.of(JVM, CPU, CONTAINER);

  /** The JDK's events that a recording of the agent needs as they are, without a setting. */
  public static final List<String> WITHOUT_SETTINGS =
      List.of(HEAP_AT_GC, GcPause.EVENT, SETTING, DATA_LOSS);

  private Events() {}

  /**
   * Reads an episode.
   *
   * @param jdk the feature number of the JDK that ran; on 24+ monitor events are no pins
   * @return empty if the event is not about a virtual thread that occupies its carrier
   */
  public static Optional<PinEpisode> episode(EventValues event, int jdk) {
    Optional<PinEpisode.Kind> found = kind(event.type()).filter(kind -> isPin(kind, jdk));
    if (found.isEmpty()) {
      return Optional.empty();
    }
    PinEpisode.Kind kind = found.get();
    boolean monitor =
        switch (kind) {
          case PINNED, NATIVE -> false;
          case MONITOR_ENTER, MONITOR_WAIT -> true;
        };
    // Most are of platform threads, whose other fields are not needed.
    if (monitor && !event.thread().virtual()) {
      return Optional.empty();
    }
    return Optional.of(
        new PinEpisode(
            kind,
            event.startNanos(),
            event.durationNanos(),
            event.thread(),
            event.stack(),
            present(event.text(PINNED_REASON)),
            present(event.text(BLOCKING_OPERATION)),
            monitor ? present(event.text(LOCK_CLASS)) : Optional.empty()));
  }

  /** Returns the kind of pin that an event of this type can be. */
  public static Optional<PinEpisode.Kind> kind(String type) {
    return switch (type) {
      case PINNED -> Optional.of(PinEpisode.Kind.PINNED);
      case MONITOR_ENTER -> Optional.of(PinEpisode.Kind.MONITOR_ENTER);
      case MONITOR_WAIT -> Optional.of(PinEpisode.Kind.MONITOR_WAIT);
      default -> Optional.empty();
    };
  }

  /** Returns whether an event of this kind can be a pin on that JDK, or on an unknown JDK (0). */
  public static boolean isPin(PinEpisode.Kind kind, int jdk) {
    return switch (kind) {
      case PINNED, NATIVE -> true;
      case MONITOR_ENTER, MONITOR_WAIT -> jdk < JavaRelease.UNPINNED_MONITORS;
    };
  }

  /** Reads how a frame was running. */
  public static Frame.Kind frameKind(String type) {
    return switch (type) {
      case "Interpreted" -> Frame.Kind.INTERPRETED;
      case "JIT compiled" -> Frame.Kind.COMPILED;
      case "Inlined" -> Frame.Kind.INLINED;
      case "Native" -> Frame.Kind.NATIVE;
      default -> Frame.Kind.UNKNOWN;
    };
  }

  /** Returns the name of a class loader as in {@link io.github.vtdiag.model.ClassRef}. */
  public static String loaderName(String name, String className) {
    // JFR invents this name for the loader that has no object.
    String loader = name.isEmpty() ? className : name;
    return loader.equals("bootstrap") ? "" : loader;
  }

  /** Returns the version in a {@link #JVM} event, as {@code 21.0.8+9-LTS}; empty if not found. */
  public static String jdkVersion(EventValues event) {
    // "OpenJDK 64-Bit Server VM (21.0.8+9-LTS) for linux-amd64 JRE (21.0.8+9-LTS), built on ..."
    String text = event.text("jvmVersion");
    String version = versionAfter(text, "JRE (");
    return version.isEmpty() ? versionAfter(text, "(") : version;
  }

  /** Returns when the JVM of a {@link #JVM} event started, in epoch milliseconds; else 0. */
  public static long jvmStartMillis(EventValues event) {
    return event.number("jvmStartTime");
  }

  /** Returns the started jar or class in a {@link #JVM} event, with the program's arguments. */
  public static String command(EventValues event) {
    return event.text("javaArguments");
  }

  private static String versionAfter(String text, String prefix) {
    for (int at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
      int start = at + prefix.length();
      int end = text.indexOf(')', start);
      if (end > start && isDigit(text.charAt(start))) {
        return text.substring(start, end);
      }
    }
    return "";
  }

  /** Returns the feature number: 21 of {@code 21.0.8+9}, 8 of {@code 1.8.0_402}; else 0. */
  public static int feature(String version) {
    String digits = version.startsWith("1.") ? version.substring(2) : version;
    int feature = 0;
    for (int i = 0; feature <= 10_000 && i < digits.length() && isDigit(digits.charAt(i)); i++) {
      feature = feature * 10 + digits.charAt(i) - '0';
    }
    return feature > 10_000 ? 0 : feature;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Returns the scheduler's parallelism that the command line in a {@link #JVM} event sets. */
  public static OptionalInt parallelismOption(EventValues event) {
    return option(event, "-Djdk.virtualThreadScheduler.parallelism=");
  }

  /** Returns the number of processors that the command line in a {@link #JVM} event sets. */
  public static OptionalInt processorsOption(EventValues event) {
    return option(event, "-XX:ActiveProcessorCount=");
  }

  private static OptionalInt option(EventValues event, String prefix) {
    OptionalInt number = OptionalInt.empty();
    for (String argument : event.text("jvmArguments").split(" ", -1)) {
      if (argument.startsWith(prefix)) {
        try {
          // The last one counts, as in the JVM.
          number = positive(Long.parseLong(argument.substring(prefix.length())));
        } catch (NumberFormatException e) {
          // The JDK ignores it too.
        }
      }
    }
    return number;
  }

  /** Returns the number of processors that a container allows, or that the machine has. */
  public static OptionalInt processors(EventValues event) {
    return switch (event.type()) {
      case CONTAINER -> positive(event.number("effectiveCpuCount"));
      case CPU -> positive(event.number("hwThreads"));
      default -> OptionalInt.empty();
    };
  }

  private static OptionalInt positive(long number) {
    return number > 0 && number <= Integer.MAX_VALUE
        ? OptionalInt.of((int) number)
        : OptionalInt.empty();
  }

  /**
   * One setting of an event type.
   *
   * @param eventId the type's number in that chunk's metadata
   */
  public record Setting(long eventId, String name, String value) {}

  public static Setting setting(EventValues event) {
    return new Setting(event.number("id"), event.text("name"), event.text("value"));
  }

  /** Returns the bytes lost since the previous {@link #DATA_LOSS} event. */
  public static long lostBytes(EventValues event) {
    return Math.max(0, event.number("amount"));
  }

  /** Returns the bytes that objects took in the heap, dead ones too, when the event was written. */
  public static OptionalLong usedHeapBytes(EventValues event) {
    long bytes =
        switch (event.type()) {
          case HEAP_AT_GC -> event.number("heapUsed");
          case HEAP_USAGE -> event.number("used");
          default -> 0;
        };
    return bytes > 0 ? OptionalLong.of(bytes) : OptionalLong.empty();
  }

  /** Returns the number of queued virtual threads in a {@link #WAITING} event. */
  public static long waitingThreads(EventValues event) {
    return Math.max(0, event.number("threads"));
  }

  /** The agent's version, options and environment, from an {@link #AGENT} event. */
  public record Agent(
      String version,
      String options,
      boolean attached,
      boolean late,
      OptionalInt processors,
      OptionalInt parallelism,
      OptionalInt maxPoolSize) {}

  public static Agent agent(EventValues event) {
    return new Agent(
        event.text("version"),
        event.text("options"),
        event.number("attached") != 0,
        event.number("late") > 0,
        positive(event.number("processors")),
        positive(event.number("parallelism")),
        positive(event.number("maxPoolSize")));
  }

  /** A part of the lock map of one class; JFR limits the length of a string. */
  public record LockMapPart(
      ClassRef type,
      String location,
      JarContent jar,
      String changedBy,
      int part,
      int parts,
      String map) {}

  public static LockMapPart lockMapPart(EventValues event) {
    return new LockMapPart(
        new ClassRef(event.text("className"), event.text("classLoader"), event.text("sourceFile")),
        event.text("location"),
        new JarContent(event.text("jarHash"), event.text("coordinates")),
        event.text("changedBy"),
        (int) event.number("part"),
        (int) event.number("parts"),
        event.text("map"));
  }

  /** Reads the monitors that a sampled thread held, or throws IllegalArgumentException. */
  public static MonitorSample monitorSample(EventValues event) {
    return new MonitorSample(
        event.thread().id(), event.startNanos(), MonitorSamples.parse(event.text("frames")));
  }

  /**
   * Reads a wait that the watch saw.
   *
   * @throws IllegalArgumentException if its texts are malformed
   */
  public static KeptCarrier keptCarrier(EventValues event) {
    long nanos = Math.max(0, event.number("kept"));
    return new KeptCarrier(
        event.number("wait"),
        new ThreadRef(event.number("threadId"), event.text("threadName"), true),
        new ThreadRef(event.number("carrierId"), event.text("carrierName"), false),
        event.startNanos() - Math.max(nanos, event.number("age")),
        nanos,
        event.number("ended") != 0,
        KeptCarrier.Kind.valueOf(event.text("waitsFor")),
        event.text("lockClass"),
        (int) event.number("lockIdentity"),
        new ThreadRef(
            event.number("ownerId"), event.text("ownerName"), event.number("ownerVirtual") != 0),
        new StackTrace(StackText.parse(event.text("stack")), event.number("truncated") != 0));
  }

  /**
   * The state of the watch since its previous event.
   *
   * @param thresholdNanos a wait of this length is a pin in progress
   * @param nativeNanos a wait of this length in native code is recorded
   * @param periodNanos the time between two samples, unless the watch is late
   * @param longestGapNanos the longest time between two samples
   * @param carriers the number of carriers in the last sample; 0 as long as there are none
   * @param kept the number of carriers whose thread waited for the threshold or longer
   * @param idle the number of carriers without a virtual thread from the last sample but one to the
   *     last
   * @param queued the number of virtual threads that waited for a carrier
   * @param exact whether each mount is counted, so that no wait is missed or taken for another
   * @param atExit whether the program was about to end, and this was the last sample
   * @param others carriers of other schedulers than the JDK's, which all other fields leave out
   */
  public record WatchLook(
      long startNanos,
      long thresholdNanos,
      long nativeNanos,
      long periodNanos,
      long looks,
      long longestGapNanos,
      int carriers,
      int kept,
      int idle,
      long queued,
      boolean exact,
      boolean atExit,
      OtherCarriers others,
      CarrierSample looked) {}

  public static WatchLook watchLook(EventValues event) {
    return new WatchLook(
        event.startNanos(),
        event.number("threshold"),
        event.number("nativeThreshold"),
        event.number("period"),
        event.number("looks"),
        event.number("longestGap"),
        (int) event.number("carriers"),
        (int) event.number("kept"),
        (int) event.number("idle"),
        event.number("queued"),
        event.number("exact") != 0,
        event.number("atExit") != 0,
        OtherCarriers.of(event),
        CarrierSampleFields.of(event));
  }

  private static Optional<String> present(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }
}
