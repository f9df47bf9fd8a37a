package io.github.vtdiag.recording;

import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.model.Launch;
import io.github.vtdiag.model.ServiceInfo;
import io.github.vtdiag.pin.SeenHang;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The facts about a recording besides its pins.
 *
 * @param source the file, as the user named it
 * @param jdkVersion such as {@code 21.0.8+9-LTS}; empty if the recording does not have it
 * @param jdk the feature number, such as 21; 0 if the recording does not have it
 * @param startNanos the first chunk's start, in nanoseconds since the epoch
 * @param durationNanos the time that the chunks cover
 * @param processors the processors the JVM saw, if the recording has them
 * @param parallelism the number of carriers that the scheduler aims at, if the recording has it
 * @param settings the settings of relevant events, by event name
 * @param agent the agent that recorded, if it was vtdiag's
 * @param lostBytes the bytes that JFR itself reports lost
 * @param peakHeapBytes the most of the heap that was used, garbage included, at the recorded
 *     moments of the time range; empty if there are none
 * @param gcPauseNanos the time for which the garbage collector had stopped all threads until the
 *     program ended, in pauses that began in the time range; 0 also if the recording does not have
 *     it
 * @param waitingThreads the mean number of virtual threads that waited for a carrier; empty if the
 *     recording does not have it
 * @param mostWaitingThreads the most of them at one of the moments at which the agent counted
 * @param shortAt the moments at which the agent counted any, in nanoseconds since the epoch
 * @param work how often each method that the agent counted returned, and under the empty name the
 *     number of threads that were created; none if the agent did not count
 * @param watched the samples of the agent's watch over the carriers; empty if there was no watch
 * @param hangs the hangs that the agent reported
 * @param lostNanos the recorded time before the beginning of what is left, which JFR dropped to
 *     keep within a size or an age; 0 if it is complete, or was not meant to be
 * @param end the way in which it ends
 * @param launch the jar or class with which the JVM was started
 * @param command the JVM's options and the program's arguments
 * @param service the service that the JVM runs, as the agent was told
 * @param ports the TCP ports at which the JVM listened, in ascending order; none if unknown
 * @param problems what could not be read, one sentence each
 */
public record RecordingFacts(
    String source,
    String jdkVersion,
    int jdk,
    long startNanos,
    long durationNanos,
    OptionalInt processors,
    OptionalInt parallelism,
    Map<String, EventSetting> settings,
    Optional<Agent> agent,
    long lostBytes,
    OptionalLong peakHeapBytes,
    long gcPauseNanos,
    OptionalDouble waitingThreads,
    OptionalLong mostWaitingThreads,
    List<Long> shortAt,
    Map<String, Long> work,
    Optional<Watched> watched,
    List<SeenHang> hangs,
    long lostNanos,
    End end,
    Launch launch,
    StartCommand command,
    ServiceInfo service,
    List<Integer> ports,
    List<String> problems) {
  public RecordingFacts {
    settings = Map.copyOf(settings);
    shortAt = List.copyOf(shortAt);
    work = Map.copyOf(work);
    hangs = List.copyOf(hangs);
    ports = List.copyOf(ports);
    problems = List.copyOf(problems);
  }

  /** Returns the number of carriers when all are needed, those of other schedulers included. */
  public OptionalInt carriers() {
    int others = watched.map(seen -> seen.others().count()).orElse(0);
    return parallelism.isPresent() ? OptionalInt.of(parallelism.getAsInt() + others) : parallelism;
  }

  /** Returns when the program was about to end; empty if no agent saw it. */
  public OptionalLong exitNanos() {
    return watched.map(Watched::exitNanos).orElse(OptionalLong.empty());
  }

  /** Returns the recorded time of the program: what JFR and the agent then write takes longer. */
  public long programNanos() {
    long end = startNanos + durationNanos;
    return Math.max(0, Math.min(end, exitNanos().orElse(end)) - startNanos);
  }

  /** Creates the facts for pins without a recording: the JDK that ran, and nothing else. */
  public static RecordingFacts ofJava(String source, String jdkVersion, int jdk) {
    return new RecordingFacts(
        source,
        jdkVersion,
        jdk,
        0,
        0,
        OptionalInt.empty(),
        OptionalInt.empty(),
        Map.of(),
        Optional.empty(),
        0,
        OptionalLong.empty(),
        0,
        OptionalDouble.empty(),
        OptionalLong.empty(),
        List.of(),
        Map.of(),
        Optional.empty(),
        List.of(),
        0,
        End.WRITTEN,
        Launch.UNKNOWN,
        StartCommand.UNKNOWN,
        ServiceInfo.UNKNOWN,
        List.of(),
        List.of());
  }

  /** Returns whether a hang of this kind went on at its end. */
  public boolean endsIn(DiagnosisKind kind) {
    return hangs.stream().anyMatch(hang -> hang.isOngoing() && hang.kind().is(kind));
  }

  /** The ways in which a recording ends. */
  public enum End {
    /** Its JVM wrote the end. */
    WRITTEN,
    /** The JVM was killed, or was still running when it was copied. */
    UNFINISHED,
    /** The agent ended it, because its disk was nearly full; the program went on. */
    DISK_FULL,
    /** It was stopped; the program went on. */
    STOPPED,
    /** It goes on after the requested time. */
    LATER
  }

  RecordingFacts asOn(int feature) {
    return new RecordingFacts(
        source,
        jdkVersion,
        feature,
        startNanos,
        durationNanos,
        processors,
        parallelism,
        settings,
        agent,
        lostBytes,
        peakHeapBytes,
        gcPauseNanos,
        waitingThreads,
        mostWaitingThreads,
        shortAt,
        work,
        watched,
        hangs,
        lostNanos,
        end,
        launch,
        command,
        service,
        ports,
        problems);
  }

  /**
   * The setting of an event; if chunks differ, the one that holds for every chunk.
   *
   * @param enabled whether it was on
   * @param thresholdNanos shorter ones were not recorded
   * @param stackTrace whether with stacks
   * @param periodNanos the period of sampled events; 0 for others
   * @param throttle the limit for frequent events, such as {@code 100/s}; empty if there is none
   */
  public record EventSetting(
      boolean enabled,
      long thresholdNanos,
      boolean stackTrace,
      long periodNanos,
      String throttle) {}

  /**
   * The agent of vtdiag.
   *
   * @param version its version
   * @param options the options it ran with
   * @param late whether a virtual thread had begun before it recorded
   * @param maxPoolSize the most carriers there may be, if the agent recorded it
   */
  public record Agent(String version, String options, boolean late, OptionalInt maxPoolSize) {
    /** Returns whether it replaced monitors of the application by locks. */
    public boolean isWhatIf() {
      return ("," + options).contains(",rewrite=");
    }

    /** Returns whether its watch over the carriers was switched off. */
    public boolean isWatchOff() {
      return ("," + options + ",").contains(",watch=off,");
    }
  }
}
