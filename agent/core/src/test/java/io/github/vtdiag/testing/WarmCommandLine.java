package io.github.vtdiag.testing;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The built command line in one JVM for each JDK, which runs the commands of many tests: one that
 * is warm takes a tenth of the processor time. It is for tests of what is said of a program. Its
 * working folder is nobody's, so all paths have to be absolute; what depends on the process
 * (standard input, the environment, how it ends) is tested with {@link CommandLine}.
 */
public final class WarmCommandLine {
  private static final long PATIENCE_SECONDS = 300;
  private static final Map<Jdk, WarmCommandLine> RUNNING = new EnumMap<>(Jdk.class);

  private final Process process;
  private final DataOutputStream requests;
  private final Map<Integer, CompletableFuture<Forked>> waiting = new ConcurrentHashMap<>();
  private int asked;

  private WarmCommandLine(Jdk jdk) throws IOException {
    Path classes = Jdks.projectFolder().resolve("analyzer/target/test-classes");
    ProcessBuilder builder =
        new ProcessBuilder(
                jdk.java().toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-exports=jdk.attach/sun.tools.attach=ALL-UNNAMED",
                "-cp",
                CommandLine.jar() + File.pathSeparator + classes,
                "io.github.vtdiag.cli.Served")
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder
        .environment()
        .put("XDG_CACHE_HOME", CommandLine.jar().resolveSibling("tests-cache").toString());
    process = builder.start();
    // It ends when its standard input does, at the latest with the JVM of the tests.
    requests = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    Thread.ofPlatform().daemon().start(this::takeAnswers);
  }

  /** Runs a command, beside those of other tests. */
  public static Forked run(Jdk jdk, String... arguments) throws InterruptedException {
    // Asked every time, so that the test counts for its JDK.
    Path java = jdk.java();
    try {
      return running(jdk).ask(List.of(arguments)).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (IOException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException("no answer from " + java + " to " + List.of(arguments), e);
    }
  }

  private static WarmCommandLine running(Jdk jdk) throws IOException {
    synchronized (RUNNING) {
      WarmCommandLine line = RUNNING.get(jdk);
      if (line == null || !line.process.isAlive()) {
        line = new WarmCommandLine(jdk);
        RUNNING.put(jdk, line);
      }
      return line;
    }
  }

  private synchronized CompletableFuture<Forked> ask(List<String> arguments) throws IOException {
    CompletableFuture<Forked> answer = new CompletableFuture<>();
    waiting.put(++asked, answer);
    requests.writeInt(asked);
    requests.writeInt(arguments.size());
    for (String argument : arguments) {
      requests.writeUTF(argument);
    }
    requests.flush();
    return answer;
  }

  private void takeAnswers() {
    try (DataInputStream answers = new DataInputStream(process.getInputStream())) {
      while (true) {
        CompletableFuture<Forked> answer = waiting.remove(answers.readInt());
        answer.complete(new Forked(answers.readInt(), text(answers), text(answers)));
      }
    } catch (IOException e) {
      UncheckedIOException ended = new UncheckedIOException(e);
      waiting.values().forEach(answer -> answer.completeExceptionally(ended));
    }
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
  }
}
