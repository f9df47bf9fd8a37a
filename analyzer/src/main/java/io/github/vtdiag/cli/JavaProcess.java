package io.github.vtdiag.cli;

import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.util.List;

/** A forked JVM that shares this one's terminal. */
final class JavaProcess {
  private JavaProcess() {}

  /** Runs a command to its end and returns its exit code; stops it if vtdiag is stopped. */
  static int run(List<String> command) throws DataException {
    try {
      Process process = new ProcessBuilder(command).inheritIO().start();
      Thread end = new Thread(process::destroy);
      Runtime.getRuntime().addShutdownHook(end);
      int code = process.waitFor();
      Runtime.getRuntime().removeShutdownHook(end);
      return code;
    } catch (IOException e) {
      throw new DataException(
          "cannot run " + command.getFirst() + "; name a Java home with --jdk", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DataException("interrupted", e);
    }
  }
}
