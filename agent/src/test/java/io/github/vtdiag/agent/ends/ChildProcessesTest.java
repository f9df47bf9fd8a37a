package io.github.vtdiag.agent.ends;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The processes are those of a shell, started by the test's JVM. */
class ChildProcessesTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final StartedProcesses started = new StartedProcesses();

  @AfterEach
  void end() {
    started.end();
  }

  private List<Long> start(String... command) throws IOException {
    return List.of(started.start(new ProcessBuilder(command)).pid());
  }

  private static boolean becomes(BooleanSupplier state) throws InterruptedException {
    long end = System.nanoTime() + LONG.toNanos();
    while (!state.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return true;
  }

  /** Waits until the process is in that call, the number of which is 0 or 63, or 1 or 64. */
  private static void awaitCall(long pid, String... numbers) throws InterruptedException {
    Path call = Path.of("/proc/" + pid + "/syscall");
    assertTrue(
        becomes(
            () -> {
              try {
                return List.of(numbers).contains(Files.readString(call).split(" ", -1)[0]);
              } catch (IOException e) {
                return false;
              }
            }));
  }

  @Test
  void withoutAProcessNothingGoesOn() {
    assertFalse(ChildProcesses.goOn(List.of()));
  }

  @Test
  void aProcessThatSleepsGoesOn() throws Exception {
    List<Long> sleeps = start("sleep", "1000");
    assertTrue(becomes(() -> ChildProcesses.goOn(sleeps)));
  }

  @Test
  void aProcessWhoseOutputNobodyReadsWaitsForUs() throws Exception {
    List<Long> writes = start("dd", "if=/dev/zero", "bs=65536");
    awaitCall(writes.getFirst(), "1", "64");
    assertTrue(becomes(() -> !ChildProcesses.goOn(writes)));
    List<Long> both = List.of(start("sleep", "1000").getFirst(), writes.getFirst());
    assertFalse(ChildProcesses.goOn(both));
  }

  @Test
  void aProcessThatReadsOurInputWaitsForUs() throws Exception {
    List<Long> reads = start("cat");
    awaitCall(reads.getFirst(), "0", "63");
    assertFalse(ChildProcesses.goOn(reads));
  }

  @Test
  void aProcessThatWasStoppedDoesNotGoOn() throws Exception {
    List<Long> stopped = start("sleep", "1000");
    assertTrue(becomes(() -> ChildProcesses.goOn(stopped)));
    new ProcessBuilder("kill", "-STOP", stopped.getFirst().toString()).start().waitFor();
    assertTrue(becomes(() -> !ChildProcesses.goOn(stopped)));
  }

  @Test
  void aProcessThatHasEndedDoesNotGoOn() throws Exception {
    Process ended = started.start(new ProcessBuilder("true"));
    ended.waitFor();
    assertFalse(ChildProcesses.goOn(List.of(ended.pid())));
  }
}
