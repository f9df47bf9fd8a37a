package io.github.vtdiag.attach;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.AttachOperationFailedException;
import com.sun.tools.attach.VirtualMachine;
import io.github.vtdiag.model.DataException;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** A running JVM that answers the commands of {@code jcmd}. */
public final class RunningJvm implements Closeable {
  private static final String NEEDS_JDK =
      "; run vtdiag with a JDK, or give it dumps made with jcmd PID Thread.dump_to_file"
          + " -format=json FILE";

  /** The number of bytes of an answer that are read at a time. */
  private static final int PART = 8_192;

  private final long pid;
  private final VirtualMachine jvm;
  private final Duration patience;

  private RunningJvm(long pid, VirtualMachine jvm, Duration patience) {
    this.pid = pid;
    this.jvm = jvm;
    this.patience = patience;
  }

  /**
   * Connects to a JVM. It prints nothing, and starts one thread, "Attach Listener".
   *
   * @param patience how long it may take to answer
   */
  public static RunningJvm attach(long pid, Duration patience) throws DataException {
    check(pid);
    return new RunningJvm(
        pid,
        bounded(pid, patience, () -> 0, () -> VirtualMachine.attach(Long.toString(pid))),
        patience);
  }

  /**
   * Checks whether a process can be attached to, as far as that can be seen from outside.
   *
   * @throws DataException with the reason why not
   */
  public static void check(long pid) throws DataException {
    checkModule();
    if (pid == ProcessHandle.current().pid()) {
      throw new DataException(pid + " is vtdiag itself; vtdiag ps lists the other JVMs");
    }
    if (ProcessFiles.areThere()) {
      new ProcessFiles(pid).check();
    } else {
      checkListed(pid);
    }
  }

  static void checkModule() throws DataException {
    if (ModuleLayer.boot().findModule("jdk.attach").isEmpty()) {
      throw new DataException("this Java lacks the module jdk.attach" + NEEDS_JDK);
    }
  }

  /** Checks that the JVM is listed. Without {@code /proc} no other JVMs are known. */
  private static void checkListed(long pid) throws DataException {
    if (ProcessHandle.of(pid).isEmpty()) {
      throw new DataException("there is no process " + pid + "; vtdiag ps lists the JVMs");
    }
    boolean listed =
        VirtualMachine.list().stream().anyMatch(each -> each.id().equals(Long.toString(pid)));
    if (!listed) {
      throw new DataException(
          "process "
              + pid
              + " is no JVM that can be asked by this user; vtdiag ps lists those there are");
    }
  }

  /** Returns its system properties. */
  public Properties properties() throws DataException {
    return bounded(pid, patience, () -> 0, jvm::getSystemProperties);
  }

  /** Returns the properties that its agents have set. */
  public Properties agentProperties() throws DataException {
    return bounded(pid, patience, () -> 0, jvm::getAgentProperties);
  }

  /** Returns the hangs that vtdiag's agent sees, if it is in that JVM. */
  public List<ToldHang> toldHangs() throws DataException {
    return ToldHang.of(agentProperties());
  }

  /**
   * Loads an agent. The JVM prints a warning each time, unless it was started with {@code
   * -XX:+EnableDynamicAgentLoading}.
   *
   * @param jar as a path here
   * @param progress grows as long as the agent is at work
   */
  public void loadAgent(Path jar, String options, LongSupplier progress) throws DataException {
    Path there = new FilesOfBoth(pid).given(jar);
    bounded(
        pid,
        patience,
        progress,
        () -> {
          jvm.loadAgent(there.toString(), options);
          return true;
        });
  }

  /** Returns the answer to a command of {@code jcmd}. */
  public String ask(String command) throws DataException {
    return ask(command, () -> 0);
  }

  /**
   * Returns the answer to a command that writes a file.
   *
   * @param progress grows as long as the command makes progress
   */
  String ask(String command, LongSupplier progress) throws DataException {
    return bounded(
        pid,
        patience,
        progress,
        () -> {
          try (InputStream answer = (InputStream) jcmd(command)) {
            return new String(read(answer), StandardCharsets.UTF_8);
          }
        });
  }

  /**
   * Has it dump all its threads, the virtual ones too, as JSON.
   *
   * @param file does not exist yet
   */
  public void dumpThreads(Path file) throws DataException {
    new DumpedToFile(pid, this).write(file);
  }

  /** Returns the path here of a file of the JVM's, which may run in a container. */
  public Path reached(Path file) {
    return new FilesOfBoth(pid).reached(file);
  }

  /**
   * Returns a folder into which the JVM can write: this one, or one of its own that does not exist
   * yet.
   */
  public Path folderFor(Path here) {
    return new FilesOfBoth(pid).areShared() ? here : Path.of("/tmp", "vtdiag-" + UUID.randomUUID());
  }

  /**
   * Reads all of an answer. Not by {@link InputStream#readAllBytes}: the stream of JDK 25.0.3 fails
   * where it is asked for the last few bytes of an array.
   */
  private static byte[] read(InputStream answer) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] part = new byte[PART];
    for (int read = answer.read(part); read >= 0; read = answer.read(part)) {
      all.write(part, 0, read);
    }
    return all.toByteArray();
  }

  /** Calls the method that every HotSpot has and no module exports. */
  private Object jcmd(String command) throws IOException {
    try {
      return jvm.getClass().getMethod("executeJCmd", String.class).invoke(jvm, command);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      }
      throw new IOException(e.getCause());
    } catch (NoSuchMethodException e) {
      throw new IOException("it is not HotSpot", e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(
          "the module jdk.attach does not export sun.tools.attach; start vtdiag with -jar", e);
    }
  }

  /**
   * Returns how long one of its threads could have run so far but got no processor.
   *
   * @param systemThread its id, as the operating system has it
   * @return empty where the operating system does not tell, or the JVM is in a container
   */
  public OptionalLong waitedForProcessor(long systemThread) {
    ProcessFiles files = new ProcessFiles(pid);
    return ProcessFiles.areThere() && !files.isInContainer()
        ? files.waitedForProcessor(systemThread)
        : OptionalLong.empty();
  }

  /** Returns whether a process is gone, even if its parent has not noticed yet. */
  public static boolean hasEnded(long pid) {
    return ProcessFiles.areThere()
        ? new ProcessFiles(pid).hasEnded()
        : ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty();
  }

  @Override
  public void close() {
    try {
      jvm.detach();
    } catch (IOException e) {
      // It is gone, and so is the connection.
    }
  }

  /**
   * Asks on a separate thread, because a wait for the other JVM cannot be interrupted. Gives up if
   * there is no progress for that long.
   */
  private static <T> T bounded(
      long pid, Duration patience, LongSupplier progress, Callable<T> question)
      throws DataException {
    FutureTask<T> task = new FutureTask<>(question);
    Thread thread = new Thread(task, "vtdiag-attach");
    thread.setDaemon(true);
    thread.start();
    long seen = progress.getAsLong();
    while (true) {
      try {
        return task.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        long now = progress.getAsLong();
        if (now == seen) {
          throw noAnswer(pid, patience, e);
        }
        seen = now;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new DataException("interrupted", e);
      } catch (ExecutionException e) {
        throw failed(pid, patience, e.getCause());
      }
    }
  }

  private static DataException noAnswer(long pid, Duration patience, Exception cause) {
    if (ProcessFiles.areThere()) {
      try {
        new ProcessFiles(pid).check();
      } catch (DataException reason) {
        // It was stopped, or ended, while it was asked.
        return reason;
      }
    }
    return new DataException(
        "process "
            + pid
            + " did not answer within "
            + patience.toSeconds()
            + " s: it is suspended, or busy with the garbage collector; try again with a longer"
            + " --timeout",
        cause);
  }

  private static DataException failed(long pid, Duration patience, Throwable cause) {
    if (cause instanceof DataException sentence) {
      return sentence;
    }
    if (hasEnded(pid)) {
      return new DataException("process " + pid + " has ended", cause);
    }
    String reason = String.valueOf(cause.getMessage());
    if (cause instanceof AttachNotSupportedException) {
      if (reason.contains("does not support the attach mechanism")) {
        return ProcessFiles.refused(pid);
      }
      if (reason.contains("respond")) {
        return ProcessFiles.areThere() && new ProcessFiles(pid).isInContainer()
            ? inContainer(pid, cause)
            : noAnswer(pid, patience, new IOException(cause));
      }
    }
    if (cause instanceof AgentLoadException || cause instanceof AgentInitializationException) {
      return new DataException(
          reason.contains("not enabled")
              ? "process "
                  + pid
                  + " lets no agent in while it runs (-XX:-EnableDynamicAgentLoading); start it"
                  + " with -javaagent"
              : "process "
                  + pid
                  + " did not load the agent ("
                  + reason.lines().findFirst().orElse("no reason given")
                  + "); its standard error may say why",
          cause);
    }
    if (cause instanceof AttachOperationFailedException) {
      return new DataException("process " + pid + " does not know the question: " + reason, cause);
    }
    return ProcessFiles.areThere() && new ProcessFiles(pid).isInContainer()
        ? inContainer(pid, cause)
        : new DataException(
            "process "
                + pid
                + " cannot be asked ("
                + reason.lines().findFirst().orElse("no reason given")
                + "); run vtdiag as the user that runs it",
            cause);
  }

  private static DataException inContainer(long pid, Throwable cause) {
    return new DataException(
        "process "
            + pid
            + " runs in a container and cannot be reached from here; run vtdiag as root, or inside"
            + " the container with the process id it has there",
        cause);
  }
}
