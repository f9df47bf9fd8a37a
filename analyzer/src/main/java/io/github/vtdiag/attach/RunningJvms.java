package io.github.vtdiag.attach;

import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;

/** The JVMs of this machine that this user sees. None of them is asked anything. */
public final class RunningJvms {
  /**
   * The name of the thread that ends timed waits, as far as the system has it, which is 15
   * characters.
   */
  private static final String UNPARKER = "VirtualThread-u";

  private static final String AGENT_THREAD = "vtdiag live";
  private static final int VIRTUAL_THREADS = 21;

  private RunningJvms() {}

  /** Returns all but this one, by process id. */
  public static List<SeenJvm> list() throws DataException {
    RunningJvm.checkModule();
    List<SeenJvm> all = new ArrayList<>();
    for (VirtualMachineDescriptor each : VirtualMachine.list()) {
      long pid = Long.parseLong(each.id());
      if (pid != ProcessHandle.current().pid()) {
        all.add(seen(pid, each.displayName()));
      }
    }
    all.sort(Comparator.comparingLong(SeenJvm::pid));
    return all;
  }

  private static SeenJvm seen(long pid, String displayName) {
    String command = displayName.strip();
    int end = command.indexOf(' ');
    String java = java(pid);
    Optional<List<String>> threads =
        ProcessFiles.areThere() ? new ProcessFiles(pid).threadNames() : Optional.empty();
    return new SeenJvm(
        pid,
        end < 0 ? command : command.substring(0, end),
        java,
        virtualThreads(java, threads),
        OptionalLong.empty(),
        threads.map(names -> names.contains(AGENT_THREAD)));
  }

  /**
   * Returns whether a JVM has virtual threads. Carriers have no characteristic name, but the thread
   * that ends timed waits shows that there are some.
   */
  private static Optional<Boolean> virtualThreads(String java, Optional<List<String>> threads) {
    if (!java.isEmpty() && feature(java) < VIRTUAL_THREADS) {
      return Optional.of(false);
    }
    return threads.filter(names -> names.contains(UNPARKER)).map(names -> true);
  }

  /**
   * Returns the feature number of a version, such as 21 of {@code 21.0.8} and 8 of {@code
   * 1.8.0_292}.
   */
  public static int feature(String version) {
    String[] numbers = version.split("\\D", 3);
    try {
      int first = Integer.parseInt(numbers[0]);
      return first == 1 && numbers.length > 1 ? Integer.parseInt(numbers[1]) : first;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Returns the version by the file {@code release} in its home. */
  private static String java(long pid) {
    Optional<Path> home =
        ProcessFiles.areThere() ? new ProcessFiles(pid).javaHome() : Optional.empty();
    if (home.isEmpty()) {
      return "";
    }
    try {
      Properties release = new Properties();
      release.load(new StringReader(Files.readString(home.get().resolve("release"))));
      return release.getProperty("JAVA_VERSION", "").replace("\"", "");
    } catch (IOException | IllegalArgumentException e) {
      return "";
    }
  }
}
