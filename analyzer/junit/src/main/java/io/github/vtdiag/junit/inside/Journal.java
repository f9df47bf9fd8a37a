package io.github.vtdiag.junit.inside;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.EventTable;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.Recordings;
import io.github.vtdiag.recording.TimeRange;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventSettings;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;

/**
 * The events of virtual threads: one recording for the whole run. When a test is over, a snapshot
 * ends the current chunk, with all events so far, and only that chunk is read. A stream would bring
 * them up to two seconds later. A mark, written last, proves that all of them are there.
 */
final class Journal {
  /**
   * The length from which pins are always recorded; shorter ones are while a test asks for them.
   */
  static final Duration THRESHOLD = Duration.ofMillis(20);

  /** The longest wait for the events up to a test's end. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final long MOST_BYTES = 64 << 20;
  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  @Name(Events.TEST_MARK)
  @Label("vtdiag Test Mark")
  @Description("A test is over: all that came before is in the recording")
  @Category("vtdiag")
  @StackTrace(false)
  static final class TestMark extends Event {
    @Label("Number")
    long number;
  }

  private final Duration patience;
  private final Recording recording = new Recording();
  private final Recordings reader = new Recordings(TimeRange.ALL, note -> {}, count -> {});
  private final TreeMap<Duration, Integer> wanted = new TreeMap<>(Map.of(THRESHOLD, 1));

  private final List<PinEpisode> pins = new ArrayList<>();
  private final Map<Long, Long> started = new HashMap<>();
  private final Set<Long> ended = new HashSet<>();
  private Instant readTo;
  private long readAt = Long.MIN_VALUE;
  private long marks;
  private long lastMark;
  private long lostBytes;

  Journal() {
    this(PATIENCE);
  }

  Journal(Duration patience) {
    this.patience = patience;
    if (!FlightRecorder.isAvailable()) {
      throw new IllegalStateException(
          "this JVM runs without Flight Recorder; leave out -XX:-FlightRecorder, or use a JVM that"
              + " has it");
    }
    deepStacks();
    recording.setName("vtdiag-junit");
    recording.setToDisk(true);
    recording.setMaxSize(MOST_BYTES);
    setThreshold();
    for (ThreadEvent event : List.of(ThreadEvent.THREAD_START, ThreadEvent.THREAD_END)) {
      recording.enable(event.eventName()).withoutStackTrace();
    }
    for (String event : List.of(Events.JVM, Events.DATA_LOSS, Events.SETTING, Events.TEST_MARK)) {
      recording.enable(event);
    }
    try {
      recording.start();
    } catch (IllegalStateException | SecurityException | UncheckedIOException e) {
      throw new IllegalStateException("JFR does not record: " + e.getMessage(), e);
    }
    readTo = Instant.now();
  }

  /**
   * Raises the depth of stacks. Frameworks have more frames than the 64 that JFR takes by default.
   */
  private static void deepStacks() {
    if (FlightRecorder.isInitialized()) {
      return;
    }
    try {
      ManagementFactory.getPlatformMBeanServer()
          .invoke(
              new ObjectName("com.sun.management:type=DiagnosticCommand"),
              "jfrConfigure",
              new Object[] {new String[] {"stackdepth=512"}},
              new String[] {String[].class.getName()});
    } catch (JMException | RuntimeException | LinkageError e) {
      // Then stacks may be truncated, and the report says so.
    }
  }

  private void setThreshold() {
    for (String event : Events.EPISODES) {
      if (Events.kind(event)
          .filter(kind -> Events.isPin(kind, Runtime.version().feature()))
          .isPresent()) {
        EventSettings settings = recording.enable(event).withStackTrace();
        settings.withThreshold(wanted.firstKey());
      }
    }
  }

  /** Begins a test that asks for pins of that length. */
  synchronized void want(Duration length) {
    Duration before = wanted.firstKey();
    wanted.merge(length, 1, Integer::sum);
    if (!before.equals(wanted.firstKey())) {
      setThreshold();
    }
  }

  /** Ends such a test. */
  synchronized void release(Duration length) {
    Duration before = wanted.firstKey();
    wanted.computeIfPresent(length, (l, count) -> count == 1 ? null : count - 1);
    if (!before.equals(wanted.firstKey())) {
      setThreshold();
    }
  }

  /**
   * Reads all events up to now. Tests that end together are read together.
   *
   * @return whether all of them came within {@link #PATIENCE}
   */
  boolean read() {
    long now = System.nanoTime();
    synchronized (this) {
      if (readAt == Long.MIN_VALUE || readAt - now < 0) {
        readAt = System.nanoTime();
        readToMark();
      }
      return lastMark == marks;
    }
  }

  private void readToMark() {
    TestMark mark = new TestMark();
    mark.number = ++marks;
    mark.commit();
    readChunks();
    while (lastMark != marks && System.nanoTime() - readAt < patience.toNanos()) {
      LockSupport.parkNanos(AGAIN_NANOS);
      readChunks();
    }
  }

  private void readChunks() {
    try (Recording snapshot = FlightRecorder.getFlightRecorder().takeSnapshot()) {
      Instant from = readTo;
      readTo = Instant.now();
      Path file = Files.createTempFile("vtdiag-junit", ".jfr");
      try {
        try (InputStream chunks = snapshot.getStream(from, readTo)) {
          if (chunks == null) {
            return;
          }
          Files.copy(chunks, file, StandardCopyOption.REPLACE_EXISTING);
        }
        if (Files.size(file) > 0) {
          reader.read(new Input("the tests' recording", List.of(file))).forEach(this::add);
        }
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException | DataException e) {
      throw new IllegalStateException("what JFR recorded cannot be read: " + e.getMessage(), e);
    }
  }

  private void add(RecordingData data) {
    pins.addAll(data.pins().episodes());
    lostBytes += data.facts().lostBytes();
    EventTable events = data.events();
    for (int row = 0; row < events.size(); row++) {
      switch (events.event(row)) {
        case THREAD_START -> started.putIfAbsent(events.number(row), events.startNanos(row));
        case THREAD_END -> ended.add(events.number(row));
        case TEST_MARK -> lastMark = Math.max(lastMark, events.number(row));
        default -> {
          // The event is of another recording in this JVM.
        }
      }
    }
  }

  /** Returns the pins that began at a time or later. */
  synchronized List<PinEpisode> pinsSince(long nanos) {
    return pins.stream().filter(pin -> pin.startNanos() >= nanos).toList();
  }

  /** Returns when each virtual thread began to run, by its number. */
  synchronized Map<Long, Long> started() {
    return Map.copyOf(started);
  }

  /** Returns the virtual threads that have begun and not ended. */
  synchronized Set<Long> living() {
    Set<Long> living = new HashSet<>(started.keySet());
    living.removeAll(ended);
    return living;
  }

  synchronized long lostBytes() {
    return lostBytes;
  }

  void close() {
    recording.close();
  }
}
