package io.github.vtdiag.recording;

import io.github.vtdiag.hang.RecordedKind;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.model.Launch;
import io.github.vtdiag.model.ServiceInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What is known of a recording besides its pins.
 *
 * @param source the file, as the user named it
 * @param jdkVersion such as {@code 21.0.8+9-LTS}; empty if the recording does not say
 * @param jdk the feature number, such as 21; 0 if the recording does not say
 * @param startNanos the first chunk's start, in nanoseconds since the epoch
 * @param durationNanos the time that the chunks cover
 * @param processors the processors the JVM saw, if the recording says
 * @param parallelism how many carriers the scheduler aims at, if the recording says
 * @param settings the events' settings by event name; of the events that matter here
 * @param agent the agent that recorded, if it was vtdiag's
 * @param lostBytes the bytes that JFR itself reports lost
 * @param peakHeapBytes the most of the heap that was used, garbage included, at the moments of the
 *     time range at which the recording tells of it; empty if it never does
 * @param gcPauseNanos how long the garbage collector had stopped all threads, in pauses that began
 *     in the time range; 0 also if the recording does not tell
 * @param waitingThreads how many virtual threads waited for a carrier at a time, on average; empty
 *     if the recording does not tell
 * @param mostWaitingThreads the most of them at one of the moments at which the agent counted
 * @param shortAt the moments at which the agent counted any, in nanoseconds since the epoch
 * @param work how often each method that the agent counted returned, and under the empty name how
 *     many threads were created; none if the agent does not tell
 * @param watched what the agent's watch over the carriers saw; empty if none looked
 * @param hangs what the agent said of a program that stood still
 * @param lostNanos how long the agent had recorded already when what is left of it begins, because
 *     JFR had to keep within a size or an age; 0 if it is all there, or that was not asked for
 * @param end how it ends
 * @param launch what the JVM was started with
 * @param service what the JVM runs, as the agent was told
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
    List<Hang> hangs,
    long lostNanos,
    End end,
    Launch launch,
    ServiceInfo service,
    List<String> problems) {
  public RecordingFacts {
    settings = Map.copyOf(settings);
    shortAt = List.copyOf(shortAt);
    work = Map.copyOf(work);
    hangs = List.copyOf(hangs);
    problems = List.copyOf(problems);
  }

  /** How many carriers there are when all are needed, those of other schedulers among them. */
  public OptionalInt carriers() {
    int others = watched.map(seen -> seen.others().count()).orElse(0);
    return parallelism.isPresent() ? OptionalInt.of(parallelism.getAsInt() + others) : parallelism;
  }

  /** Of pins that are at hand without a recording: which Java ran, and nothing else. */
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
        ServiceInfo.UNKNOWN,
        List.of());
  }

  /**
   * That the program stood still, as the agent said it at that moment.
   *
   * @param kind what it is
   * @param deadlock whether it cannot end by itself
   * @param ended whether it had ended when the recording did
   * @param words the verdict first, then the evidence
   * @param places where its threads stand; none if an older agent told of it
   */
  public record Hang(
      long atNanos,
      RecordedKind kind,
      boolean deadlock,
      boolean ended,
      List<String> words,
      List<HangPlace> places) {
    public Hang {
      words = List.copyOf(words);
      places = List.copyOf(places);
    }

    /** Whether it went on at the end. */
    public boolean isOngoing() {
      return deadlock || !ended;
    }
  }

  /** How a recording ends. */
  public enum End {
    /** Its JVM wrote the end. */
    WRITTEN,
    /** The JVM was killed, or was still running when it was copied. */
    UNFINISHED,
    /** The agent ended it, because its disk was nearly full; the program went on. */
    DISK_FULL,
    /** Somebody stopped it; the program went on. */
    STOPPED,
    /** It goes on after the time that was asked for. */
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
        service,
        problems);
  }

  /**
   * How an event was recorded; where chunks differ, what every chunk has.
   *
   * @param enabled whether it was on
   * @param thresholdNanos shorter ones were not recorded
   * @param stackTrace whether with stacks
   * @param periodNanos how often, for what is sampled; 0 for the rest
   * @param throttle what is recorded of many, such as {@code 100/s}; empty for all of them
   */
  public record EventSetting(
      boolean enabled, long thresholdNanos, boolean stackTrace, long periodNanos, String throttle) {
    public EventSetting(boolean enabled, long thresholdNanos, boolean stackTrace) {
      this(enabled, thresholdNanos, stackTrace, 0, "");
    }
  }

  /**
   * vtdiag's agent.
   *
   * @param version its version
   * @param options the options it ran with
   * @param stackDepth the depth at which it had stacks cut
   * @param late whether a virtual thread had begun before it recorded
   * @param maxPoolSize how many carriers there may be, if it says so
   */
  public record Agent(
      String version, String options, int stackDepth, boolean late, OptionalInt maxPoolSize) {
    /** Whether it replaced monitors of the application by locks. */
    public boolean isWhatIf() {
      return ("," + options).contains(",rewrite=");
    }

    /** Whether it was told not to look at the carriers. */
    public boolean isWatchOff() {
      return ("," + options + ",").contains(",watch=off,");
    }
  }
}
