package io.github.vtdiag.pin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class EventsTest {
  private record Values(String type, boolean virtual, Map<String, Object> fields)
      implements EventValues {
    @Override
    public long startNanos() {
      return 1_000;
    }

    @Override
    public long durationNanos() {
      return 50;
    }

    @Override
    public ThreadRef thread() {
      return new ThreadRef(7, "t", virtual);
    }

    @Override
    public StackTrace stack() {
      return StackTrace.ABSENT;
    }

    @Override
    public String text(String field) {
      return (String) fields.getOrDefault(field, "");
    }

    @Override
    public long number(String field) {
      return (long) fields.getOrDefault(field, 0L);
    }
  }

  private static Values event(String type, Object... fields) {
    Map<String, Object> map = new HashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      map.put((String) fields[i], fields[i + 1]);
    }
    return new Values(type, true, map);
  }

  private static String version(String jvmVersion) {
    return Events.jdkVersion(event(Events.JVM, "jvmVersion", jvmVersion));
  }

  @Test
  void findsNoVersionWhereThereIsNone() {
    assertEquals("", version(""));
    assertEquals("", version("()"));
    assertEquals("", version("JRE ("));
    assertEquals("", version("Some VM (build unknown)"));
    assertEquals("", Events.jdkVersion(event(Events.JVM)));
    assertEquals(0, Events.feature(""));
    assertEquals(0, Events.feature("x21"));
    assertEquals(0, Events.feature("99999999999999999999"));
  }

  @Test
  void findsTheVersion() {
    assertEquals(
        "21.0.8+9-LTS",
        version(
            "OpenJDK 64-Bit Server VM (21.0.8+9-LTS) for linux-amd64 JRE (21.0.8+9-LTS), built on"
                + " 2025-07-15T00:00:00Z by \"admin\" with gcc 11.3.0"));
    assertEquals(
        "1.8.0_402-b06",
        version("OpenJDK 64-Bit Server VM (25.402-b06) for linux-amd64 JRE (1.8.0_402-b06), ..."));
    assertEquals(
        "21.0.5+11-LTS",
        version(
            "OpenJDK 64-Bit Server VM (21.0.5+11-LTS) for linux-amd64 JRE (Zulu21.38+21-CA)"
                + " (21.0.5+11-LTS), built ..."));
    assertEquals("25-ea+36-3489", version("Java HotSpot(TM) 64-Bit Server VM (25-ea+36-3489) for"));
    assertEquals(21, Events.feature("21.0.8+9-LTS"));
    assertEquals(25, Events.feature("25-ea+36-3489"));
    assertEquals(8, Events.feature("1.8.0_402-b06"));
  }

  private static OptionalInt parallelism(String arguments) {
    return Events.parallelismOption(event(Events.JVM, "jvmArguments", arguments));
  }

  @Test
  void readsTheParallelismThatIsSet() {
    assertEquals(OptionalInt.empty(), parallelism(""));
    assertEquals(OptionalInt.empty(), parallelism("-Djdk.virtualThreadScheduler.parallelism="));
    assertEquals(OptionalInt.empty(), parallelism("-Djdk.virtualThreadScheduler.parallelism=x"));
    assertEquals(OptionalInt.empty(), parallelism("-Djdk.virtualThreadScheduler.parallelism=-1"));
    assertEquals(OptionalInt.empty(), parallelism("-Djdk.virtualThreadScheduler.maxPoolSize=4"));
    assertEquals(
        OptionalInt.of(4),
        parallelism(
            "-Xmx1g -Djdk.virtualThreadScheduler.parallelism=2 -ea"
                + " -Djdk.virtualThreadScheduler.parallelism=4"));
  }

  @Test
  void readsTheProcessors() {
    assertEquals(
        OptionalInt.of(3),
        Events.processorsOption(
            event(Events.JVM, "jvmArguments", "-XX:ActiveProcessorCount=3 -ea")));
    assertEquals(OptionalInt.empty(), Events.processorsOption(event(Events.JVM)));
    assertEquals(OptionalInt.of(8), Events.processors(event(Events.CPU, "hwThreads", 8L)));
    assertEquals(OptionalInt.empty(), Events.processors(event(Events.CPU)));
    assertEquals(
        OptionalInt.of(2), Events.processors(event(Events.CONTAINER, "effectiveCpuCount", 2L)));
    assertEquals(
        OptionalInt.empty(), Events.processors(event(Events.CONTAINER, "effectiveCpuCount", -1L)));
    assertEquals(OptionalInt.empty(), Events.processors(event(Events.JVM, "hwThreads", 2L)));
  }

  @Test
  void readsTheHeap() {
    assertEquals(
        OptionalLong.of(5), Events.usedHeapBytes(event(Events.HEAP_AT_GC, "heapUsed", 5L)));
    assertEquals(OptionalLong.of(6), Events.usedHeapBytes(event(Events.HEAP_USAGE, "used", 6L)));
    assertEquals(OptionalLong.empty(), Events.usedHeapBytes(event(Events.HEAP_USAGE)));
    assertEquals(
        OptionalLong.empty(), Events.usedHeapBytes(event(Events.HEAP_AT_GC, "heapUsed", -1L)));
    assertEquals(OptionalLong.empty(), Events.usedHeapBytes(event(Events.CPU, "used", 6L)));
  }

  @Test
  void takesMonitorEventsOfPlatformThreadsAndNewJdksForNoPins() {
    Values enter = event(Events.MONITOR_ENTER, "monitorClass", "C");
    assertEquals(Optional.empty(), Events.episode(enter, JavaRelease.UNPINNED_MONITORS));
    assertEquals(
        Optional.empty(), Events.episode(new Values(Events.MONITOR_ENTER, false, Map.of()), 21));
    assertEquals(Optional.empty(), Events.episode(event("jdk.ThreadPark"), 21));
    for (int jdk : new int[] {0, 21, 23}) {
      PinEpisode episode = Events.episode(enter, jdk).orElseThrow();
      assertEquals(PinEpisode.Kind.MONITOR_ENTER, episode.kind());
      assertEquals(Optional.of("C"), episode.lockClass());
      assertEquals(1_050, episode.endNanos());
    }
    assertTrue(Events.episode(event(Events.PINNED), 25).isPresent());
  }

  @Test
  void namesLoadersAndFrameTypes() {
    assertEquals("", Events.loaderName("", ""));
    assertEquals("", Events.loaderName("bootstrap", ""));
    assertEquals(
        "app", Events.loaderName("app", "jdk.internal.loader.ClassLoaders$AppClassLoader"));
    assertEquals("com.example.Loader", Events.loaderName("", "com.example.Loader"));
    assertEquals(Frame.Kind.INLINED, Events.frameKind("Inlined"));
    assertEquals(Frame.Kind.NATIVE, Events.frameKind("Native"));
    assertEquals(Frame.Kind.INTERPRETED, Events.frameKind("Interpreted"));
    assertEquals(Frame.Kind.COMPILED, Events.frameKind("JIT compiled"));
    assertEquals(Frame.Kind.UNKNOWN, Events.frameKind("Quantum"));
  }

  private static Values kept(String waitsFor, String stack) {
    return event(
        Events.CARRIER_KEPT,
        "wait",
        3L,
        "threadId",
        40L,
        "threadName",
        "v",
        "kept",
        600L,
        "age",
        700L,
        "ended",
        1L,
        "waitsFor",
        waitsFor,
        "lockClass",
        "app.Lock",
        "ownerId",
        -1L,
        "stack",
        stack);
  }

  @Test
  void refusesWhatTheWatchDoesNotWrite() {
    String frame = "app.C app m ()V 1 5 7 UNKNOWN\n";
    assertThrows(IllegalArgumentException.class, () -> Events.keptCarrier(kept("HOLIDAYS", frame)));
    assertThrows(
        IllegalArgumentException.class, () -> Events.keptCarrier(kept("PARK", "app.C app m\n")));
    assertThrows(
        IllegalArgumentException.class,
        () -> Events.keptCarrier(kept("PARK", "app.C app m ()V 1 5 x UNKNOWN\n")));
  }

  @Test
  void readsWhatTheWatchSaw() {
    Frame frame =
        new Frame(new ClassRef("app.C D", "a\nb\\"), "m", "()V", 0x21, 5, 7, Frame.Kind.UNKNOWN);
    Frame noBytes = new Frame(new ClassRef("x.Y", ""), "n", "", 0, -1, -1, Frame.Kind.NATIVE);
    Frame kotlin = frame.withSource("a b.kt");
    List<Frame> read = StackText.parse(StackText.write(List.of(kotlin, frame)));
    assertEquals("a b.kt", read.getFirst().type().file());
    assertEquals("", read.getLast().type().source());
    String stack = StackText.write(List.of(noBytes, frame));
    KeptCarrier kept = Events.keptCarrier(kept("MONITOR_ENTRY", stack));
    assertEquals(List.of(noBytes, frame), kept.stack().frames());
    assertEquals(300, kept.startNanos());
    assertEquals(600, kept.nanos());
    assertTrue(kept.ended());
    assertEquals(new ThreadRef(40, "v", true), kept.thread());

    PinEpisode on21 = kept.episode(21);
    assertEquals(PinEpisode.Kind.MONITOR_ENTER, on21.kind());
    assertEquals(Optional.of("app.Lock"), on21.lockClass());
    PinEpisode on25 = kept.episode(25);
    assertEquals(PinEpisode.Kind.PINNED, on25.kind());
    assertEquals(Optional.of("Contended monitor enter"), on25.blockingOperation());

    KeptCarrier initialization = Events.keptCarrier(kept("CLASS_INITIALIZATION", stack));
    assertEquals(Optional.of("[I"), initialization.episode(21).lockClass());
    assertEquals(
        Optional.of("Waited for initialization of app/Lock by another thread"),
        initialization.episode(25).pinnedReason());
    for (int jdk : new int[] {21, 25}) {
      assertEquals(
          PinEpisode.Kind.NATIVE, Events.keptCarrier(kept("NATIVE", stack)).episode(jdk).kind());
      assertEquals(
          PinEpisode.Kind.PINNED, Events.keptCarrier(kept("PARK", stack)).episode(jdk).kind());
    }
  }
}
