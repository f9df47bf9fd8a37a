package io.github.vtdiag.agent.ends;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The processes are those of a shell, started by the test's JVM. */
class ProcessActivityTest {
  /** The time between two looks, as in {@link Seldom}, but shorter. */
  private static final long PAUSE_MILLIS = 1_000;

  private static final int LOOKS = 30;

  private final ProcessActivity activity = new ProcessActivity();
  private final StartedProcesses started = new StartedProcesses();

  @AfterEach
  void end() {
    started.end();
  }

  private long start(String script) throws IOException {
    return started
        .start(
            new ProcessBuilder("sh", "-c", script)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD))
        .pid();
  }

  private boolean isActive(long pid) throws IOException {
    return activity.isActive(pid, ChildProcesses.started().getOrDefault(pid, List.of(pid)));
  }

  private boolean becomes(long pid, boolean active) throws Exception {
    Callable<Boolean> look = () -> isActive(pid) == active;
    look.call();
    for (int i = 0; i < LOOKS; i++) {
      Thread.sleep(PAUSE_MILLIS);
      if (look.call()) {
        return true;
      }
    }
    return false;
  }

  @Test
  void aProcessThatLooksAgainAndAgainMayDoSoForEver() throws Exception {
    long pid = start("while [ ! -e /nonexistent/file ]; do sleep 0.5; done");
    assertTrue(becomes(pid, false));
  }

  @Test
  void aPipelineOfThatReadsNothingFromOutside() throws Exception {
    assertTrue(becomes(start("while [ ! -e /nonexistent/file ]; do sleep 0.5; done | cat"), false));
  }

  @Test
  void aProcessThatWaitsForASignalDoesNothing() throws Exception {
    long pid = start("kill -STOP $$; true");
    assertTrue(becomes(pid, false));
    assertFalse(isActive(pid));
  }

  @Test
  void aProcessThatSleepsOnceEndsByItself() throws Exception {
    assertTrue(becomes(start("sleep 1000"), true));
  }

  @Test
  void aProcessThatComputesIsActiveFromItsBegin() throws Exception {
    long pid = start("while true; do head -c 1000000 /dev/zero | md5sum; done");
    assertTrue(becomes(pid, true));
    activity.retain(Set.of());
    assertTrue(isActive(pid));
  }
}
