package io.github.vtdiag.fleet;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.WholeFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A lake in a folder of this machine. */
public final class FolderStore implements LakeStore {
  private final Path folder;

  public FolderStore(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  @Override
  public String name() {
    return folder.toString();
  }

  @Override
  public boolean exists(String path) {
    return Files.exists(folder.resolve(path));
  }

  @Override
  public boolean isFolder(String path) {
    return Files.isDirectory(folder.resolve(path));
  }

  @Override
  public List<String> list(String path) throws IOException {
    if (!isFolder(path)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder.resolve(path))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Override
  public List<String> walk(String path) throws IOException {
    if (!isFolder(path)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder.resolve(path))) {
      return files
          .filter(file -> !Files.isDirectory(file))
          .map(file -> folder.relativize(file).toString().replace('\\', '/'))
          .toList();
    }
  }

  @Override
  public String read(String file) throws IOException {
    return Files.readString(folder.resolve(file));
  }

  @Override
  public void write(String file, String text) throws IOException {
    WholeFile.write(folder.resolve(file), text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void makeFolder(String path) throws IOException {
    Files.createDirectories(folder.resolve(path));
  }

  @Override
  public void move(String file, String to) throws IOException {
    Path target = folder.resolve(to);
    Files.createDirectories(target.getParent());
    Files.move(folder.resolve(file), target);
  }

  @Override
  public void delete(String path) throws IOException {
    Path top = folder.resolve(path);
    if (!isFolder(path)) {
      Files.deleteIfExists(top);
      return;
    }
    try (Stream<Path> all = Files.walk(top)) {
      // In reverse order, the contents of a folder come before the folder.
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  @Override
  public Closeable lock() throws IOException, DataException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another thread of this JVM has the lock.
    }
    if (lock == null) {
      channel.close();
      throw new DataException(
          folder + ": is in use by another 'vtdiag fleet add'; wait until that is done");
    }
    return channel;
  }
}
