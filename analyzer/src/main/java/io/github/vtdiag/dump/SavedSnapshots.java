package io.github.vtdiag.dump;

import io.github.vtdiag.dump.SnapshotReader.SnapshotInput;
import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** The snapshots of a JVM, saved in a folder, to be read again or elsewhere. */
public final class SavedSnapshots {
  private static final String SCHEDULER = "vtdiag.scheduler";

  private final Path folder;

  public SavedSnapshots(Path folder) {
    this.folder = folder;
  }

  /** Returns the file for the JSON of a snapshot; they are numbered from 1. */
  public Path dump(int look) {
    return folder.resolve("look-" + look + ".json");
  }

  /** Writes the rest of a snapshot. */
  public void write(int look, String printed, Jvm jvm) throws IOException {
    Files.writeString(printed(look), printed);
    Properties all = new Properties();
    all.putAll(jvm.properties());
    all.setProperty(SCHEDULER, jvm.scheduler());
    try (OutputStream out = Files.newOutputStream(jvm(look))) {
      all.store(out, "What the JVM said of itself");
    }
  }

  /** Deletes the snapshots of another process. */
  void clear() throws IOException {
    for (int look = 1; has(look) || Files.exists(dump(look)); look++) {
      Files.deleteIfExists(dump(look));
      Files.deleteIfExists(printed(look));
      Files.deleteIfExists(jvm(look));
    }
  }

  Path folder() {
    return folder;
  }

  /** Moves the dumps of snapshots from where the JVM wrote them, if that is elsewhere. */
  void take(Path from) throws IOException {
    if (from.equals(folder) || !Files.exists(from)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
      for (Path file : files) {
        Files.copy(file, folder.resolve(file.getFileName().toString()));
        Files.delete(file);
      }
    }
    Files.delete(from);
  }

  /** Returns the size of all files in a folder; 0 if it does not exist. */
  static long size(Path folder) {
    long size = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        size += Files.size(file);
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Not there yet, or being renamed.
    }
    return size;
  }

  public boolean has(int look) {
    return Files.exists(jvm(look));
  }

  /** Reads a saved snapshot. */
  public SnapshotInput read(int look) throws DataException {
    Properties all = new Properties();
    try (InputStream in = Files.newInputStream(jvm(look))) {
      all.load(in);
      return new SnapshotInput(
          dump(look).toString(),
          () -> Files.newInputStream(dump(look)),
          Files.readString(printed(look), StandardCharsets.UTF_8),
          new Jvm(all, all.getProperty(SCHEDULER, "")));
    } catch (IOException | IllegalArgumentException e) {
      throw new DataException(
          folder + " holds no looks of vtdiag hang --dump; name a dump in JSON, or such a folder",
          e);
    }
  }

  private Path printed(int look) {
    return folder.resolve("look-" + look + ".txt");
  }

  private Path jvm(int look) {
    return folder.resolve("look-" + look + ".properties");
  }
}
