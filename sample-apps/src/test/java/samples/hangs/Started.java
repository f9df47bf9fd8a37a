package samples.hangs;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of these stories that has come to its end or to a stand; closing kills it. */
public record Started(Process process, String line, Path err) implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  /** Starts it and waits until it says that it stands still, or has ended. */
  public static Started of(Path folder, List<String> command) throws IOException {
    Path err = Files.createTempFile(folder, "err", ".txt");
    List<String> whole = new ArrayList<>(command);
    // What it leaves when it is killed goes with the test's folder.
    whole.add(1, "-Djava.io.tmpdir=" + folder);
    ProcessBuilder builder = new ProcessBuilder(whole).redirectError(err.toFile());
    builder.directory(folder.toFile());
    // Options that someone set for every JVM of this machine, and their notice on stderr.
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("JDK_JAVA_OPTIONS");
    Process process = builder.start();
    // Not closed with the reader: whoever has this may want to read on.
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String line = out.readLine();
    while (line != null && !line.startsWith("stands still: ") && !line.startsWith("ended: ")) {
      line = out.readLine();
    }
    return new Started(process, line == null ? "" : line, err);
  }

  public boolean standsStill() {
    return line.startsWith("stands still: ");
  }

  /** Asks it to end, as a service manager does, and waits until it has. */
  public int terminate() throws InterruptedException {
    process.destroy();
    return exitCode();
  }

  public int exitCode() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("does not end");
    }
    return process.exitValue();
  }

  /** What it has written to standard error so far. */
  public String errors() throws IOException {
    return Files.readString(err);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
