package io.github.vtdiag.fleet;

import io.github.vtdiag.model.DataException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * The file system of a lake. A path is relative to the lake, with slashes; the lake itself is the
 * empty path.
 */
public interface LakeStore {
  /** Returns the place of the lake, as messages name it. */
  String name();

  boolean exists(String path) throws IOException;

  boolean isFolder(String path) throws IOException;

  /** Returns the names of the entries of a folder; none if there is no such folder. */
  List<String> list(String folder) throws IOException;

  /** Returns the paths of the files in a folder and below it; none if there is no such folder. */
  List<String> walk(String folder) throws IOException;

  String read(String file) throws IOException;

  /** Writes a file as a whole or not at all. */
  void write(String file, String text) throws IOException;

  void makeFolder(String folder) throws IOException;

  /** Moves a file into a folder, and creates the folder if it does not exist. */
  void move(String file, String to) throws IOException;

  /** Deletes a file or a folder with all below it, if it is there. */
  void delete(String path) throws IOException;

  /** Keeps others from writing until the lock is closed; refused if somebody else has it. */
  Closeable lock() throws IOException, DataException;
}
