package io.github.vtdiag.attach;

import io.github.vtdiag.model.DataException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;

/** Attaches vtdiag's agent to a running JVM, and detaches it. */
public final class AgentInside {
  private static final String RECORDING = "vtdiag.recording";
  private static final String REFUSED = "vtdiag.refused";

  /** The interval at which the agent is polled. */
  private static final Duration LOOK = Duration.ofMillis(50);

  private final long pid;
  private final RunningJvm jvm;
  private final Duration patience;

  /**
   * @param patience how long the agent may take to start or to end
   */
  public AgentInside(long pid, RunningJvm jvm, Duration patience) {
    this.pid = pid;
    this.jvm = jvm;
    this.patience = patience;
  }

  /** Returns the file that it records to; empty if it is not there. */
  public Optional<String> recording() throws DataException {
    return said(jvm.agentProperties(), RECORDING);
  }

  /**
   * Attaches the agent.
   *
   * @param options the agent's
   * @return the file that it records to
   */
  public String attach(Path jar, String options) throws DataException {
    Optional<String> there = recording();
    if (there.isPresent()) {
      throw new DataException(
          "vtdiag's agent is in process "
              + pid
              + " already and records to "
              + there.get()
              + "; vtdiag detach "
              + pid
              + " ends that");
    }
    jvm.loadAgent(jar, options, () -> 0);
    for (long look = 0; look < patience.dividedBy(LOOK); look++) {
      Properties said = jvm.agentProperties();
      if (said(said, REFUSED).isPresent()) {
        throw new DataException(
            "vtdiag's agent does not start in process "
                + pid
                + ": "
                + said.getProperty(REFUSED)
                + "; see what it needs with vtdiag attach --help");
      }
      Optional<String> recording = said(said, RECORDING);
      if (recording.isPresent()) {
        return recording.get();
      }
      pause();
    }
    throw new DataException(
        "vtdiag's agent did not say within "
            + patience.toSeconds()
            + " s that it records; the standard error of process "
            + pid
            + " may say why");
  }

  /**
   * Ends its recording, and detaches it.
   *
   * @return the file
   */
  public String detach() throws DataException {
    Optional<String> recording = recording();
    if (recording.isEmpty()) {
      throw new DataException(
          "vtdiag's agent is not in process " + pid + "; vtdiag attach " + pid + " puts it in");
    }
    String answer = jvm.ask("JFR.stop name=vtdiag");
    if (!answer.contains("Stopped")) {
      throw new DataException(
          "the recording of process "
              + pid
              + " cannot be stopped ("
              + answer.strip().lines().findFirst().orElse("no reason given")
              + "); see jcmd "
              + pid
              + " JFR.check");
    }
    for (long look = 0; look < patience.dividedBy(LOOK); look++) {
      Properties said = jvm.agentProperties();
      if (said(said, REFUSED).isPresent()) {
        throw new DataException(
            said.getProperty(REFUSED) + "; the file is " + recording.get() + " of process " + pid);
      }
      if (said(said, RECORDING).isEmpty()) {
        return recording.get();
      }
      pause();
    }
    throw new DataException(
        "the file is written, "
            + recording.get()
            + ", but the agent did not leave process "
            + pid
            + " within "
            + patience.toSeconds()
            + " s; its standard error may say why");
  }

  /** Returns a property, unless it is empty, as after the agent has ended. */
  private static Optional<String> said(Properties all, String name) {
    return Optional.ofNullable(all.getProperty(name)).filter(value -> !value.isEmpty());
  }

  private static void pause() throws DataException {
    try {
      Thread.sleep(LOOK);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DataException("interrupted", e);
    }
  }
}
