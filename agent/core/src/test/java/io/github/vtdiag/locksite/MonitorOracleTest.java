package io.github.vtdiag.locksite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.locksite.oracle.Constructs;
import io.github.vtdiag.locksite.oracle.Program;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares every frame of recorded stacks with what the JVM itself says that it holds: how many
 * monitors, which, and in what order. The programs are in {@link Constructs}; each is run
 * interpreted, compiled and inlined, by both compilers, on Java 21 and 25. At each point the thread
 * also parks, so that on Java 21 the JVM's pinned event is compared, too.
 */
class MonitorOracleTest {
  private static final String CONSTRUCTS = Constructs.class.getName();

  /** Its frames end the comparison: below, JFR shows the mounting of the virtual thread. */
  private static final String PROGRAM = Program.class.getName();

  private static final String COMPILED = "JIT compiled";
  private static final String INLINED = "Inlined";

  /**
   * A class initializer runs once, and so does the branch to it. HotSpot compiles no method that
   * locks one local variable twice over: its own pairing (GenerateOopMap) cannot tell them apart.
   */
  private static final Set<String> NEVER_COMPILED =
      Set.of("staticInitializer", "reentrantOnOneVariable");

  /** A line of the probe's that names a monitor after class, method, descriptor and bci. */
  private static final Pattern HOLDS = Pattern.compile("([^|]*\\|){4}.*");

  private static final String C1 = "-XX:TieredStopAtLevel=1 ";
  private static final String C2 = "-XX:-TieredCompilation ";

  /** How the JVM is made to run the constructs, and the frame type by which JFR confirms it. */
  enum Mode {
    INTERPRETED("Interpreted", 0, "-Xint"),
    COMPILED_BY_C1(COMPILED, 1_000, C1 + inlining("dontinline")),
    COMPILED_BY_C2(COMPILED, 3_000, C2 + inlining("dontinline")),
    INLINED_BY_C1(INLINED, 1_000, C1 + inlining("inline")),
    INLINED_BY_C2(INLINED, 3_000, C2 + inlining("inline"));

    private final String frameType;
    private final int warmUp;
    private final String options;

    Mode(String frameType, int warmUp, String options) {
      this.frameType = frameType;
      this.warmUp = warmUp;
      this.options = options;
    }

    private static String inlining(String command) {
      return "-XX:CompileCommand=" + command + "," + CONSTRUCTS + "*::*";
    }
  }

  /** What was compared, in one run or in all. */
  private static final class Compared {
    private final Set<String> constructs = new TreeSet<>();
    private final Map<String, Integer> framesByType = new TreeMap<>();
    private int stacks;
    private int frames;
    private int monitors;
    private int pins;

    synchronized void add(Compared run) {
      constructs.addAll(run.constructs);
      run.framesByType.forEach((type, count) -> framesByType.merge(type, count, Integer::sum));
      stacks += run.stacks;
      frames += run.frames;
      monitors += run.monitors;
      pins += run.pins;
    }
  }

  private static final Compared ALL = new Compared();

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(names = {"INTERPRETED", "INLINED_BY_C2"})
  void everyFrameOnJava21HoldsWhatTheJvmSays(Mode mode) throws Exception {
    compare(Jdks.java21(), mode);
  }

  @ParameterizedTest
  @EnumSource(names = {"INTERPRETED", "INLINED_BY_C2"})
  void everyFrameOnJava25HoldsWhatTheJvmSays(Mode mode) throws Exception {
    compare(Jdks.java25(), mode);
  }

  /** The map of a method is the same in all modes: what these add is HotSpot's own records. */
  @Tag("full")
  @ParameterizedTest
  @EnumSource(names = {"COMPILED_BY_C1", "COMPILED_BY_C2", "INLINED_BY_C1"})
  void everyFrameOnJava21HoldsWhatTheJvmSaysInOtherModes(Mode mode) throws Exception {
    compare(Jdks.java21(), mode);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(names = {"COMPILED_BY_C1", "COMPILED_BY_C2", "INLINED_BY_C1"})
  void everyFrameOnJava25HoldsWhatTheJvmSaysInOtherModes(Mode mode) throws Exception {
    compare(Jdks.java25(), mode);
  }

  @AfterAll
  static void report() {
    System.out.printf(
        "oracle: %d constructs, %d stacks, %d frames %s holding %d monitors compared, %d of the"
            + " stacks pinned%n",
        ALL.constructs.size(), ALL.stacks, ALL.frames, ALL.framesByType, ALL.monitors, ALL.pins);
  }

  private void compare(Path home, Mode mode) throws Exception {
    Path recording = record(home, mode);
    Map<String, Set<String>> typesByConstruct = new TreeMap<>();
    Compared compared = new Compared();
    try (FileSystem image =
        FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", home.toString()))) {
      LockMapsOfRun lockMaps = new LockMapsOfRun(image);
      List<RecordedEvent> hits = events(recording, "oracle.Hit");
      compared.pins =
          comparePins(
              hits, events(recording, "jdk.VirtualThreadPinned"), home.equals(Jdks.java21()));
      for (RecordedEvent event : hits) {
        Set<String> types =
            typesByConstruct.computeIfAbsent(event.getString("construct"), name -> new TreeSet<>());
        types.addAll(compareStack(event, lockMaps, compared));
      }
    }
    assertTrue(typesByConstruct.size() >= 55, "constructs: " + typesByConstruct.size());
    assertTrue(compared.monitors >= 390, "monitors: " + compared.monitors);
    List<String> otherwise = new ArrayList<>();
    typesByConstruct.forEach(
        (construct, types) -> {
          if (!types.contains(mode.frameType) && !NEVER_COMPILED.contains(construct)) {
            otherwise.add(construct);
          }
        });
    assertEquals(List.of(), otherwise, "never seen " + mode.frameType);
    compared.constructs.addAll(typesByConstruct.keySet());
    ALL.add(compared);
  }

  private static List<RecordedEvent> events(Path recording, String type) throws IOException {
    return RecordingFile.readAllEvents(recording).stream()
        .filter(event -> event.getEventType().getName().equals(type))
        .sorted(Comparator.comparing(RecordedEvent::getStartTime))
        .toList();
  }

  /**
   * On Java 21 a held monitor pins, on both a class initializer does, and the pin's stack is the
   * hit's. That nothing else pins is not claimed: HotSpot may also fail to unmount for a moment. A
   * park may return at once (its contract allows that), so now and then a hit has no pin.
   */
  private static int comparePins(
      List<RecordedEvent> hits, List<RecordedEvent> pinned, boolean monitorsPin) {
    int pins = 0;
    int expected = 0;
    int missing = 0;
    for (RecordedEvent hit : hits) {
      List<RecordedEvent> within =
          pinned.stream()
              .filter(pin -> !pin.getStartTime().isBefore(hit.getStartTime()))
              .filter(pin -> !pin.getEndTime().isAfter(hit.getEndTime()))
              .toList();
      boolean holds =
          hit.getString("frames").lines().anyMatch(line -> HOLDS.matcher(line).matches());
      boolean initializes = hit.getString("frames").contains("|<clinit>|");
      if ((monitorsPin && holds) || initializes) {
        expected++;
        if (within.isEmpty()) {
          missing++;
          continue;
        }
        assertEquals(1, within.size(), hit::toString);
        assertEquals(framesBelowProbe(hit), framesBelowProbe(within.getFirst()));
        pins++;
      }
    }
    assertTrue(missing * 20 <= expected, missing + " of " + expected + " pins are missing");
    return pins;
  }

  private static List<String> framesBelowProbe(RecordedEvent event) {
    return event.getStackTrace().getFrames().stream()
        .dropWhile(frame -> !frame.getMethod().getType().getName().endsWith(".Probe"))
        .skip(1)
        .takeWhile(frame -> !frame.getMethod().getType().getName().equals(PROGRAM))
        .map(MonitorOracleTest::where)
        .toList();
  }

  private static String where(RecordedFrame frame) {
    return frame.getMethod().getType().getName()
        + "."
        + frame.getMethod().getName()
        + ":"
        + frame.getLineNumber()
        + " bci "
        + frame.getBytecodeIndex();
  }

  /** Runs the constructs in a JVM of its own. */
  private Path record(Path home, Mode mode) throws IOException, InterruptedException {
    Path recording = directory.resolve("oracle.jfr");
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/java").toString());
    command.addAll(List.of(mode.options.split(" ", -1)));
    command.addAll(
        List.of(
            "-Xbatch",
            // Nothing else: compiling what starts the JVM and JFR would take longer than the rest.
            "-XX:CompileCommand=compileonly,io.github.vtdiag.locksite.oracle.*::*",
            "-XX:CompileThresholdScaling=0.1",
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=dontinline,io.github.vtdiag.locksite.oracle.Probe::hit",
            "-XX:FlightRecorderOptions:stackdepth=256",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-cp",
            Path.of(Constructs.class.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString(),
            Program.class.getName(),
            Integer.toString(mode.warmUp),
            recording.toString()));
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertTrue(process.waitFor(300, TimeUnit.SECONDS), "the program does not end");
    assertEquals(0, process.exitValue(), Files.readString(output));
    return recording;
  }

  /** Compares one stack frame by frame; returns the types of the frames that held a monitor. */
  private static Set<String> compareStack(
      RecordedEvent event, LockMapsOfRun lockMaps, Compared compared) {
    List<RecordedFrame> recorded =
        event.getStackTrace().getFrames().stream()
            .filter(frame -> !frame.getMethod().getType().getName().endsWith(".Probe"))
            .takeWhile(frame -> !frame.getMethod().getType().getName().equals(PROGRAM))
            .toList();
    List<String> said =
        event
            .getString("frames")
            .lines()
            .takeWhile(line -> !line.startsWith(PROGRAM + "|"))
            .toList();
    assertTrue(
        !event.getStackTrace().isTruncated() && recorded.size() == said.size(),
        "frames of " + event);
    Set<String> types = new TreeSet<>();
    for (int i = 0; i < recorded.size(); i++) {
      RecordedFrame frame = recorded.get(i);
      String[] words = said.get(i).split("\\|", -1);
      String className = ClassRef.withoutHiddenSuffix(frame.getMethod().getType().getName());
      String where = event.getString("construct") + ": " + where(frame);
      assertEquals(
          List.of(ClassRef.withoutHiddenSuffix(words[0]), words[1], words[2], words[3]),
          List.of(
              className,
              frame.getMethod().getName(),
              frame.getMethod().getDescriptor(),
              Integer.toString(frame.getBytecodeIndex())),
          where);
      List<String> expected = List.of(words).subList(4, words.length);
      Optional<ClassMonitors> map = lockMaps.of(className);
      List<String> held = List.of();
      if (map.isPresent()) {
        MethodMonitors method =
            map.get()
                .method(frame.getMethod().getName(), frame.getMethod().getDescriptor())
                .orElseThrow();
        assertTrue(method.exact(), where);
        assertTrue(method.fits(frame.getBytecodeIndex(), frame.getLineNumber()), where);
        held =
            method.heldAt(frame.getBytecodeIndex()).stream()
                .map(region -> region.lock().text())
                .toList();
      }
      if (className.startsWith("java.")) { // of the JDK's locks the probe knows no names
        assertEquals(expected.size(), held.size(), where);
      } else {
        assertEquals(expected, held, where);
      }
      compared.frames++;
      compared.monitors += held.size();
      compared.framesByType.merge(frame.getType(), 1, Integer::sum);
      if (className.startsWith(CONSTRUCTS)) {
        types.add(frame.getType());
      }
    }
    compared.stacks++;
    return types;
  }

  /** The lock maps of the classes of one run, read once. Classes made at run time have none. */
  private static final class LockMapsOfRun {
    private final FileSystem image;
    private final Map<String, Optional<ClassMonitors>> maps = new HashMap<>();

    LockMapsOfRun(FileSystem image) {
      this.image = image;
    }

    Optional<ClassMonitors> of(String className) {
      return maps.computeIfAbsent(className, this::read);
    }

    private Optional<ClassMonitors> read(String className) {
      String file = className.replace('.', '/') + ".class";
      try (var own = Constructs.class.getClassLoader().getResourceAsStream(file)) {
        Path path = image.getPath("/modules/java.base", file);
        byte[] bytes;
        if (className.startsWith("io.github.vtdiag.") && own != null) {
          bytes = own.readAllBytes();
        } else if (Files.exists(path)) {
          bytes = Files.readAllBytes(path);
        } else {
          return Optional.empty();
        }
        return Optional.of(
            LockMaps.read(
                bytes, new ClassRef(className, ""), "", ClassMonitors.Evidence.LOADED_CLASS));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
