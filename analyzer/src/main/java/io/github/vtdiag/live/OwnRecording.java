package io.github.vtdiag.live;

import io.github.vtdiag.attach.RunningJvm;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.pin.LiveEvents;
import java.io.Closeable;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The recording in the JVM under observation. It ends by itself if it is not renewed, and its data
 * is discarded: so nothing stays behind of a vtdiag that is killed.
 */
final class OwnRecording implements Closeable {
  /** The time after which it ends if it is not renewed. */
  static final Duration LIFE = Duration.ofMinutes(2);

  /** The interval at which the JVM writes what it has recorded. */
  private static final Duration FLUSH = Duration.ofMillis(500);

  /** The discarded destination. The JVM writes its data regularly only for a recording on disk. */
  private static final String NOWHERE = "/dev/null";

  private static final Pattern REPOSITORY = Pattern.compile("(?m)^Repository path: (.+?)\\s*$");

  private final RunningJvm jvm;
  private final String name;
  private final List<List<String>> settings;
  private final Duration keep;
  private final Path repository;
  private int number = 1;
  private long startedNanos;

  private OwnRecording(RunningJvm jvm, List<List<String>> settings, Duration keep)
      throws DataException {
    this.jvm = jvm;
    this.settings = settings;
    this.keep = keep;
    this.name = "vtdiag-top-" + ProcessHandle.current().pid() + "-";
    Optional<Path> found = Optional.empty();
    try {
      start();
      found = repository(jvm.ask("JFR.configure"));
    } finally {
      if (found.isEmpty()) {
        close();
      }
    }
    repository =
        found
            .map(jvm::reached)
            .orElseThrow(() -> new DataException("the JVM does not say where it keeps recordings"));
  }

  /**
   * Starts it.
   *
   * @param keep how long the JVM has to keep what it recorded
   * @throws DataException with the reason why the JVM cannot record
   */
  static OwnRecording start(RunningJvm jvm, int feature, Duration keep) throws DataException {
    return new OwnRecording(jvm, LiveEvents.recordings(feature), keep);
  }

  /** Returns the folder into which the JVM writes it, as a path here. */
  Path repository() {
    return repository;
  }

  private void start() throws DataException {
    startedNanos = System.nanoTime();
    for (int part = 0; part < settings.size(); part++) {
      String answer =
          jvm.ask(
              "JFR.start name="
                  + name(number, part)
                  + " settings=none maxage="
                  + Math.max(1, keep.toSeconds())
                  + "s duration="
                  + LIFE.toSeconds()
                  + "s flush-interval="
                  + FLUSH.toMillis()
                  + "ms filename="
                  + NOWHERE
                  + " "
                  + String.join(" ", settings.get(part)));
      if (!answer.contains("Started recording")) {
        throw new DataException(answer.strip().lines().findFirst().orElse("no reason given"));
      }
    }
  }

  private String name(int which, int part) {
    return name + which + (char) ('a' + part);
  }

  /** Keeps it going. */
  void renew() throws DataException {
    if (System.nanoTime() - startedNanos > LIFE.toNanos() / 4 * 3) {
      number++;
      start();
      stop(number - 1);
    }
  }

  private void stop(int which) {
    for (int part = 0; part < settings.size(); part++) {
      try {
        jvm.ask("JFR.stop name=" + name(which, part));
      } catch (DataException e) {
        // The JVM has ended, the recording never began, or it has ended by itself.
      }
    }
  }

  @Override
  public void close() {
    stop(number);
  }

  private static Optional<Path> repository(String answer) {
    Matcher matcher = REPOSITORY.matcher(answer);
    try {
      return matcher.find() ? Optional.of(Path.of(matcher.group(1))) : Optional.empty();
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }
}
