package io.github.vtdiag.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The built command line, to be run as the launcher runs it: with its options for the JVM, and with
 * the archive of classes that it makes, which halve the processor time of a command.
 */
public final class CommandLine {
  private static final List<String> OPTIONS =
      List.of(
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xlog:disable",
          "-Xshare:auto",
          "-Djdk.reflect.useNativeAccessorOnly=true");

  private static final Map<Jdk, Path> ARCHIVES = new EnumMap<>(Jdk.class);

  private CommandLine() {}

  /** The jar that the analyzer's build makes. */
  public static Path jar() {
    return Jdks.projectFolder().resolve("analyzer/target/vtdiag-cli.jar");
  }

  /** What starts it on a Java, up to its own first argument. */
  public static List<String> start(Jdk jdk, String... jvmOptions) {
    List<String> command = new ArrayList<>();
    command.add(jdk.java().toString());
    command.addAll(OPTIONS);
    command.add("-XX:SharedArchiveFile=" + archive(jdk));
    command.addAll(Arrays.asList(jvmOptions));
    command.addAll(List.of("-jar", jar().toString()));
    return command;
  }

  /** The same with the arguments of a command. */
  public static List<String> command(Jdk jdk, List<String> arguments) {
    List<String> command = start(jdk);
    command.addAll(arguments);
    return command;
  }

  /** The archive of its classes, which the first who asks for it makes. */
  public static Path archive(Jdk jdk) {
    synchronized (ARCHIVES) {
      return ARCHIVES.computeIfAbsent(jdk, CommandLine::archived);
    }
  }

  private static Path archived(Jdk jdk) {
    Path archive = jar().resolveSibling("tests-" + jdk.release + ".jsa");
    try {
      if (Files.notExists(archive)
          || Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar())) < 0) {
        Path folder = Files.createTempDirectory(jar().getParent(), "archive");
        Path made = folder.resolve("made.jsa");
        List<String> command = new ArrayList<>(List.of(jdk.java().toString()));
        command.addAll(OPTIONS);
        command.addAll(
            List.of("-XX:ArchiveClassesAtExit=" + made, "-jar", jar().toString(), "warm-up"));
        Forked warmedUp = Forked.run(folder, Map.of(), command);
        if (warmedUp.exitCode() != 0) {
          throw new IllegalStateException("no archive of classes: " + warmedUp);
        }
        // Tests of another JVM may do the same: whoever has opened one keeps it.
        Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
        Files.delete(folder);
      }
      return archive;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
