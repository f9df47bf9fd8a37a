package io.github.vtdiag.spark;

import io.github.vtdiag.fleet.FolderStore;
import io.github.vtdiag.fleet.LakeStore;
import io.github.vtdiag.model.DataException;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** A lake in a file system that Hadoop knows, such as HDFS. */
final class HadoopStore implements LakeStore {
  private static final String LOCK = "lock.job";

  private final FileSystem files;
  private final Path lake;

  private HadoopStore(FileSystem files, Path lake) {
    this.files = files;
    this.lake = lake;
  }

  /** Returns the store of a lake; a folder has the lock of {@code vtdiag fleet add}. */
  static LakeStore of(Path lake, Configuration configuration) throws IOException {
    FileSystem files = lake.getFileSystem(configuration);
    return files instanceof LocalFileSystem
        ? new FolderStore(java.nio.file.Path.of(lake.toUri().getPath()))
        : new HadoopStore(files, lake);
  }

  private Path at(String path) {
    return path.isEmpty() ? lake : new Path(lake, path);
  }

  @Override
  public String name() {
    return lake.toString();
  }

  @Override
  public boolean exists(String path) throws IOException {
    return files.exists(at(path));
  }

  @Override
  public boolean isFolder(String path) throws IOException {
    try {
      return files.getFileStatus(at(path)).isDirectory();
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  @Override
  public List<String> list(String folder) throws IOException {
    try {
      return Arrays.stream(files.listStatus(at(folder)))
          .map(FileStatus::getPath)
          .map(Path::getName)
          .toList();
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  @Override
  public List<String> walk(String folder) throws IOException {
    List<String> found = new ArrayList<>();
    try {
      RemoteIterator<LocatedFileStatus> all = files.listFiles(at(folder), true);
      while (all.hasNext()) {
        found.add(lake.toUri().relativize(all.next().getPath().toUri()).getPath());
      }
    } catch (FileNotFoundException e) {
      return List.of();
    }
    return found;
  }

  @Override
  public String read(String file) throws IOException {
    try (FSDataInputStream in = files.open(at(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void write(String file, String text) throws IOException {
    Path whole = at(file + "." + UUID.randomUUID() + ".tmp");
    try (FSDataOutputStream out = files.create(whole, false)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    // Unlike a folder of this machine, not all of these file systems replace what is there.
    if (files.exists(at(file))) {
      files.delete(at(file), false);
    }
    rename(whole, at(file));
  }

  @Override
  public void makeFolder(String folder) throws IOException {
    files.mkdirs(at(folder));
  }

  @Override
  public void move(String file, String to) throws IOException {
    files.mkdirs(at(to).getParent());
    rename(at(file), at(to));
  }

  private void rename(Path from, Path to) throws IOException {
    if (!files.rename(from, to)) {
      throw new IOException(from + " cannot be moved to " + to);
    }
  }

  @Override
  public void delete(String path) throws IOException {
    files.delete(at(path), true);
  }

  @Override
  public Closeable lock() throws IOException, DataException {
    Path lock = at(LOCK);
    try {
      files.create(lock, false).close();
    } catch (FileAlreadyExistsException e) {
      throw new DataException(
          name()
              + ": is in use by another job; wait until that is done, or delete "
              + lock
              + " if it was killed",
          e);
    }
    files.deleteOnExit(lock);
    return () -> files.delete(lock, false);
  }
}
