package io.github.vtdiag.agent.ends;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The processes that a test has started. */
final class StartedProcesses {
  private final List<Process> started = new ArrayList<>();

  Process start(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    started.add(process);
    return process;
  }

  /** Ends them, and those that they have started. */
  void end() {
    for (Process each : started) {
      try (Stream<ProcessHandle> all = each.descendants()) {
        all.forEach(ProcessHandle::destroyForcibly);
      }
      each.destroyForcibly();
    }
  }
}
