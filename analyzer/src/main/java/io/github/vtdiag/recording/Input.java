package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.ChunkWalker;
import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The input for a name on the command line.
 *
 * @param source the name for the user
 * @param files a file, or the chunk files of a JFR disk repository, which are one recording; none
 *     for standard input
 */
public record Input(String source, List<Path> files) {
  /** The name of standard input. */
  public static final String STANDARD_INPUT = "-";

  // The JDK's names: 2026_11_21_09_56_08.jfr, with _01 and so on for more in one second, and .part
  // while a remote stream copies one.
  private static final String TIME = "\\d{4}(_\\d\\d){5}";
  private static final Pattern CHUNK_FILE =
      Pattern.compile(TIME + "(_\\d+)?(\\.jfr|\\.part|\\.jfr\\.part)(\\.gz)?");
  private static final Pattern REPOSITORY = Pattern.compile(TIME + "_\\d+");

  public Input {
    files = List.copyOf(files);
  }

  /** Returns whether JFR gives such a name to a chunk in its repository. */
  static boolean isChunkFile(String name) {
    return CHUNK_FILE.matcher(name).matches();
  }

  /** Returns the number of bytes to read, or -1 if it is unknown. */
  public static long size(List<Input> inputs) {
    long size = 0;
    for (Input input : inputs) {
      if (input.files.isEmpty()) {
        return -1;
      }
      for (Path file : input.files) {
        if (!Files.isRegularFile(file)) {
          return -1;
        }
        size += file.toFile().length();
      }
    }
    return size;
  }

  /**
   * Finds the inputs for the names. A file is itself an input. A directory stands for all files in
   * it called {@code .jfr}, {@code .jfr.gz} or {@code .zip}, sorted by name. Files named as JFR
   * names chunks are together one recording, and so is each folder named as JFR names a repository.
   * Every other file is a recording of its own.
   *
   * @param notes receives what is left out
   */
  public static List<Input> find(List<String> names, Consumer<String> notes) throws DataException {
    List<Input> all = new ArrayList<>();
    for (String name : names) {
      if (name.equals(STANDARD_INPUT)) {
        all.add(new Input("standard input", List.of()));
      } else if (Files.isDirectory(Path.of(name))) {
        List<Input> found = new ArrayList<>();
        addDirectory(Path.of(name), found, notes);
        if (found.isEmpty()) {
          throw new DataException(
              name
                  + ": holds no recordings (*.jfr, *.jfr.gz, *.zip); name files or another folder");
        }
        all.addAll(found);
      } else {
        all.add(new Input(name, List.of(Path.of(name))));
      }
    }
    return withoutRepeated(all, notes);
  }

  private static void addDirectory(Path directory, List<Input> found, Consumer<String> notes)
      throws DataException {
    List<Path> chunks = new ArrayList<>();
    List<Input> others = new ArrayList<>();
    for (Path path : list(directory)) {
      String name = path.getFileName().toString();
      if (Files.isDirectory(path)) {
        if (REPOSITORY.matcher(name).matches()) {
          addDirectory(path, others, notes);
        } else {
          notes.accept("skipping the folder " + path);
        }
      } else if (isChunkFile(name)) {
        chunks.add(path);
      } else if (isRecordingName(name.toLowerCase(Locale.ROOT))) {
        others.add(new Input(path.toString(), List.of(path)));
      } else {
        notes.accept("skipping " + path + ": its name is not that of a recording");
      }
    }
    if (!chunks.isEmpty()) {
      found.add(new Input(directory.toString(), chunks));
    }
    found.addAll(others);
  }

  private static boolean isRecordingName(String name) {
    return name.endsWith(".jfr") || name.endsWith(".jfr.gz") || name.endsWith(".zip");
  }

  private static List<Path> list(Path directory) throws DataException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new DataException(
          directory
              + (Files.isReadable(directory) && Files.isExecutable(directory)
                  ? ": cannot be listed: " + ChunkWalker.reason(e)
                  : ": no permission to list it"),
          e);
    }
  }

  private static List<Input> withoutRepeated(List<Input> inputs, Consumer<String> notes) {
    Set<Object> seen = new HashSet<>();
    List<Input> all = new ArrayList<>();
    for (Input input : inputs) {
      List<Path> files = new ArrayList<>();
      for (Path file : input.files) {
        if (seen.add(identity(file))) {
          files.add(file);
        } else {
          notes.accept("skipping " + file + ": it is named twice");
        }
      }
      if (input.files.isEmpty() || !files.isEmpty()) {
        all.add(new Input(input.source, files));
      }
    }
    return Collections.unmodifiableList(all);
  }

  private static Object identity(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      return file; // reading it will say what is wrong with it
    }
  }
}
