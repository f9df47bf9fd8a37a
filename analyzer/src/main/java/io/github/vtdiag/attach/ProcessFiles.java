package io.github.vtdiag.attach;

import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The files of a process in Linux's {@code /proc}. Other systems have no such folder. */
final class ProcessFiles {
  private static final Path PROC = Path.of("/proc");

  /** The bit of SIGQUIT, which asks a JVM to listen, in the masks of {@code /proc/PID/status}. */
  private static final long SIGQUIT = 1 << 2;

  /** The environment variables from which a JVM takes options. */
  private static final List<String> OPTION_VARIABLES =
      List.of("JAVA_TOOL_OPTIONS=", "JDK_JAVA_OPTIONS=", "_JAVA_OPTIONS=");

  private final long pid;
  private final Path folder;

  ProcessFiles(long pid) {
    this.pid = pid;
    this.folder = PROC.resolve(Long.toString(pid));
  }

  /** Returns whether the system has them. */
  static boolean areThere() {
    return Files.isReadable(PROC.resolve("self/status"));
  }

  /**
   * Refuses a process that must not, or cannot, be asked.
   *
   * @throws DataException with the reason
   */
  void check() throws DataException {
    if (!Files.exists(folder)) {
      throw new DataException("there is no process " + pid + "; vtdiag ps lists the JVMs");
    }
    List<String> status = lines("status");
    String group = field(status, "Tgid");
    if (!group.isEmpty() && !group.equals(Long.toString(pid))) {
      throw new DataException(pid + " is a thread of process " + group + "; name the process");
    }
    switch (field(status, "State").isEmpty() ? '?' : field(status, "State").charAt(0)) {
      case 'Z', 'X' -> throw new DataException("process " + pid + " has ended");
      case 'T' ->
          throw new DataException(
              "process "
                  + pid
                  + " is stopped, so it cannot answer; let it go on with kill -CONT "
                  + pid);
      case 't' ->
          throw new DataException(
              "process " + pid + " is stopped by a debugger, so it cannot answer; let it go on");
      default -> {}
    }
    checkUser();
    checkJvm();
    if (!mask(status, "SigCgt") && !listens(status)) {
      throw new DataException(
          "process "
              + pid
              + " does not listen for questions (SIGQUIT): it has only just started, or its"
              + " signals are switched off; try again");
    }
    if (refusesAttach()) {
      throw refused(pid);
    }
  }

  /** Returns how long a thread of it could have run but got no processor; empty if unknown. */
  OptionalLong waitedForProcessor(long thread) {
    try {
      // The three figures: the time on a processor, the time in the queue for one, and the count.
      String[] figures = lines("task/" + thread + "/schedstat").getFirst().split(" ", -1);
      return OptionalLong.of(Long.parseLong(figures[1]));
    } catch (DataException | RuntimeException e) {
      return OptionalLong.empty();
    }
  }

  boolean hasEnded() {
    try {
      return field(lines("status"), "State").matches("[ZX].*");
    } catch (DataException e) {
      return !Files.exists(folder);
    }
  }

  /** Returns whether the thread that answers has been started, so that no signal is needed. */
  private boolean listens(List<String> status) {
    String[] ids = field(status, "NSpid").split("\\s+", -1);
    String inside = ids[ids.length - 1].isEmpty() ? Long.toString(pid) : ids[ids.length - 1];
    return Files.exists(seenFromHere(Path.of("/tmp", ".java_pid" + inside)));
  }

  static DataException refused(long pid) {
    return new DataException(
        "process "
            + pid
            + " refuses to be asked (-XX:+DisableAttachMechanism); start it without that option, or"
            + " with the agent");
  }

  private void checkUser() throws DataException {
    Object owner = owner(folder);
    Object self = owner(PROC.resolve("self"));
    if (owner == null || self == null || self.equals(0) || owner.equals(self)) {
      return;
    }
    throw new DataException(
        "process " + pid + " belongs to " + userName() + "; run vtdiag as that user");
  }

  private String userName() {
    try {
      return Files.getOwner(folder).getName();
    } catch (IOException e) {
      return "another user";
    }
  }

  private static Object owner(Path path) {
    try {
      return Files.getAttribute(path, "unix:uid");
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return null;
    }
  }

  private void checkJvm() throws DataException {
    boolean hotspot = false;
    for (String line : lines("maps")) {
      hotspot |= line.endsWith("/libjvm.so");
      if (line.contains("/libj9vm")) {
        throw new DataException(
            "process " + pid + " is a JVM of OpenJ9, which vtdiag cannot ask; give it a dump");
      }
    }
    if (!hotspot) {
      throw new DataException("process " + pid + " is not a JVM; vtdiag ps lists those there are");
    }
  }

  /** Returns the home of the Java that runs in it, as a path here. */
  Optional<Path> javaHome() {
    try {
      return lines("maps").stream()
          .filter(line -> line.endsWith("/libjvm.so") && line.indexOf('/') >= 0)
          .map(line -> Path.of(line.substring(line.indexOf('/'))))
          // The library is lib/server/libjvm.so, on Java 8 with the processor's name between.
          .flatMap(library -> Stream.iterate(library.getParent(), Path::getParent).limit(5))
          .takeWhile(Objects::nonNull)
          .map(folder -> sharesFiles() ? folder : seenFromHere(folder))
          .filter(folder -> Files.isRegularFile(folder.resolve("release")))
          .findFirst();
    } catch (DataException e) {
      return Optional.empty();
    }
  }

  /** Returns the names of its platform threads, of 15 characters at most. */
  Optional<List<String>> threadNames() {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(folder.resolve("task"))) {
      for (Path task : tasks) {
        names.add(Files.readString(task.resolve("comm"), StandardCharsets.ISO_8859_1).strip());
      }
    } catch (NoSuchFileException e) {
      // A thread has ended meanwhile, or all have.
    } catch (IOException | DirectoryIteratorException e) {
      return Optional.empty();
    }
    return Optional.of(names);
  }

  private boolean refusesAttach() {
    Optional<String> last =
        Stream.concat(words("cmdline").stream(), environment())
            .filter(word -> word.endsWith("DisableAttachMechanism"))
            .reduce((earlier, later) -> later);
    return last.filter("-XX:+DisableAttachMechanism"::equals).isPresent();
  }

  private Stream<String> environment() {
    return words("environ").stream()
        .filter(variable -> OPTION_VARIABLES.stream().anyMatch(variable::startsWith))
        .flatMap(
            variable ->
                Arrays.stream(variable.substring(variable.indexOf('=') + 1).split("\\s+", -1)));
  }

  /**
   * Returns whether it sees the same files as this process, under the same names, and as the same
   * user.
   */
  boolean sharesFiles() {
    try {
      return Files.readSymbolicLink(folder.resolve("ns/mnt"))
              .equals(Files.readSymbolicLink(PROC.resolve("self/ns/mnt")))
          && Files.isSameFile(folder.resolve("root"), PROC.resolve("self/root"))
          && Objects.equals(owner(folder), owner(PROC.resolve("self")));
    } catch (IOException | SecurityException e) {
      return false;
    }
  }

  /** Returns a file of the process, as this process reaches it. */
  Path seenFromHere(Path file) {
    return folder.resolve("root").resolve(file.getRoot().relativize(file));
  }

  /** Returns whether it runs in a container's namespace of processes. */
  boolean isInContainer() {
    try {
      return field(lines("status"), "NSpid").split("\\s+", -1).length > 1;
    } catch (DataException e) {
      return false;
    }
  }

  private static String field(List<String> status, String name) {
    return status.stream()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse("");
  }

  private static boolean mask(List<String> status, String name) {
    try {
      return (Long.parseUnsignedLong(field(status, name), 16) & SIGQUIT) != 0;
    } catch (NumberFormatException e) {
      return true; // Unknown; the attach mechanism checks by itself.
    }
  }

  private List<String> lines(String file) throws DataException {
    try {
      return Files.readAllLines(folder.resolve(file), StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw new DataException("process " + pid + " has ended", e);
    } catch (IOException e) {
      if (!Files.exists(folder)) {
        throw new DataException("process " + pid + " has ended", e);
      }
      boolean ours = Objects.equals(owner(folder), owner(PROC.resolve("self")));
      throw new DataException(
          "process "
              + pid
              + " may not be looked into"
              + (ours
                  ? ": the system protects it from its own user, too"
                  : "; run vtdiag as its user"),
          e);
    }
  }

  private List<String> words(String file) {
    try {
      String all = Files.readString(folder.resolve(file), StandardCharsets.ISO_8859_1);
      return List.of(all.split("\0", -1));
    } catch (IOException e) {
      return List.of();
    }
  }
}
