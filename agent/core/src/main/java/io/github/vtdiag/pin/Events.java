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

  /** The agent's own: how many virtual threads wait for a carrier, about once a second. */
  public static final String WAITING = "vtdiag.Waiting";

  /** The agent's own: what it is and where it runs, once a chunk. */
  public static final String AGENT = "vtdiag.Agent";

  /** The agent's own: the lock map of one class seen in a pin. */
  public static final String LOCK_MAP = "vtdiag.LockMap";

  /** The agent's own: the monitors a sampled pinned thread really held. */
  public static final String MONITOR_SAMPLE = "vtdiag.MonitorSample";

  /** The agent's own: a virtual thread that waits and has not left its carrier. */
  public static final String CARRIER_KEPT = "vtdiag.CarrierKept";

  /** The agent's own: what its watch over the carriers saw, about once a second. */
  public static final String WATCH = "vtdiag.Watch";

  /** The agent's own: threads that wait for each other, or carriers that nobody gives back. */
  public static final String HANG = "vtdiag.Hang";

  /** The agent's own: what it saw of virtual threads that wait without a carrier. */
  public static final String WAIT_LOOK = "vtdiag.WaitLook";

  /** The agent's own: those that such a look saw at one place. */
  public static final String WAIT_CROWD = "vtdiag.WaitCrowd";

  /** The agent's own: the stack that has a number in these. */
  public static final String WAIT_STACK = "vtdiag.WaitStack";

  /** The agent's own: why a chunk ends, and with the last one the recording. */
  public static final String END = "vtdiag.End";

  /** The extension for tests: all that came before it is in the recording. */
  public static final String TEST_MARK = "vtdiag.TestMark";

  /** The field of {@link #TEST_MARK}: which mark it is. */
  public static final String MARK_NUMBER = "number";

  /** Of a pin, HotSpot's words for why the thread could not leave its carrier (JDK 24+). */
  public static final String PINNED_REASON = "pinnedReason";

  /** Of a pin, what the thread was about to do (JDK 24+). */
  public static final String BLOCKING_OPERATION = "blockingOperation";

  /** Of a monitor event, the class of the object. */
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
   * @return empty where the event is not about a virtual thread that keeps its carrier
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
    // Most are of platform threads, of which nothing more need be read.
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

  /** The kind of pin that an event of this type can be. */
  public static Optional<PinEpisode.Kind> kind(String type) {
    return switch (type) {
      case PINNED -> Optional.of(PinEpisode.Kind.PINNED);
      case MONITOR_ENTER -> Optional.of(PinEpisode.Kind.MONITOR_ENTER);
      case MONITOR_WAIT -> Optional.of(PinEpisode.Kind.MONITOR_WAIT);
      default -> Optional.empty();
    };
  }

  /** Whether an event of this kind can be a pin on that JDK; if it is not known (0), it can. */
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

  /** What {@link io.github.vtdiag.model.ClassRef} calls a class loader. */
  public static String loaderName(String name, String className) {
    // JFR makes up this name for the loader that has no object.
    String loader = name.isEmpty() ? className : name;
    return loader.equals("bootstrap") ? "" : loader;
  }

  /** The version in a {@link #JVM} event, such as {@code 21.0.8+9-LTS}; empty if not found. */
  public static String jdkVersion(EventValues event) {
    // "OpenJDK 64-Bit Server VM (21.0.8+9-LTS) for linux-amd64 JRE (21.0.8+9-LTS), built on ..."
    String text = event.text("jvmVersion");
    String version = versionAfter(text, "JRE (");
    return version.isEmpty() ? versionAfter(text, "(") : version;
  }

  /** When the JVM in a {@link #JVM} event started, in milliseconds since the epoch; else 0. */
  public static long jvmStartMillis(EventValues event) {
    return event.number("jvmStartTime");
  }

  /** The jar or class in a {@link #JVM} event that was started, with the program's arguments. */
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

  /** The feature number of a version: 21 of {@code 21.0.8+9}, 8 of {@code 1.8.0_402}; else 0. */
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

  /** The scheduler's parallelism as the command line in a {@link #JVM} event sets it. */
  public static OptionalInt parallelismOption(EventValues event) {
    return option(event, "-Djdk.virtualThreadScheduler.parallelism=");
  }

  /** The processors as the command line in a {@link #JVM} event sets them. */
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

  /** The processors that a container allows, or that the machine has. */
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

  /** The bytes that a {@link #DATA_LOSS} event says were lost since the one before. */
  public static long lostBytes(EventValues event) {
    return Math.max(0, event.number("amount"));
  }

  /** The bytes of the heap that objects took, dead ones too, when the event was written. */
  public static OptionalLong usedHeapBytes(EventValues event) {
    long bytes =
        switch (event.type()) {
          case HEAP_AT_GC -> event.number("heapUsed");
          case HEAP_USAGE -> event.number("used");
          default -> 0;
        };
    return bytes > 0 ? OptionalLong.of(bytes) : OptionalLong.empty();
  }

  /** How many virtual threads waited for a carrier when a {@link #WAITING} event was written. */
  public static long waitingThreads(EventValues event) {
    return Math.max(0, event.number("threads"));
  }

  /** What the {@link #AGENT} says of itself and of where it runs. */
  public record Agent(
      String version,
      String options,
      int stackDepth,
      boolean attached,
      boolean late,
      OptionalInt processors,
      OptionalInt parallelism,
      OptionalInt maxPoolSize) {}

  public static Agent agent(EventValues event) {
    return new Agent(
        event.text("version"),
        event.text("options"),
        (int) event.number("stackDepth"),
        event.number("attached") != 0,
        event.number("late") > 0,
        positive(event.number("processors")),
        positive(event.number("parallelism")),
        positive(event.number("maxPoolSize")));
  }

  /** A part of the lock map of one class: JFR limits how long a string can be. */
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

  /** Reads the monitors that a sampled thread held; an IllegalArgumentException if it cannot. */
  public static MonitorSample monitorSample(EventValues event) {
    return new MonitorSample(
        event.thread().id(), event.startNanos(), MonitorSamples.parse(event.text("frames")));
  }

  /**
   * Reads what the watch saw of a wait.
   *
   * @throws IllegalArgumentException if its texts are none
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
   * What the watch saw since it said so last.
   *
   * @param thresholdNanos a wait of this length is a pin in progress
   * @param nativeNanos a wait of this length in native code is recorded
   * @param periodNanos the time between two looks, if nothing keeps the watch from looking
   * @param longestGapNanos the longest time between two looks
   * @param carriers how many carriers there were at the last look; 0 as long as there are none
   * @param kept how many of them were kept by a thread that waited for the threshold or longer
   * @param idle how many carried no virtual thread at the last two looks, and none between
   * @param queued how many virtual threads waited for a carrier
   * @param exact whether each mount is counted, so that no wait is missed or taken for another
   * @param atExit whether the program was about to end, and this was the last that it saw
   * @param others carriers of other schedulers than the JDK's, which all the rest leaves out
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
