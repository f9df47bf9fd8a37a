package io.github.vtdiag.dump;

import io.github.vtdiag.model.TemporaryFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A folder for what the library that reads heap dumps writes beside a dump: the index of its
 * objects. A later dump of the same name would be read by the index of the earlier one.
 *
 * @param folder empty if this system has no symbolic links, so that the index stands beside the
 *     dump
 * @param dump the heap dump, or the link to it
 */
record HeapIndex(Optional<Path> folder, Path dump) implements AutoCloseable {
  static HeapIndex of(Path dump) throws IOException {
    Path folder = Files.createTempDirectory("vtdiag-heap");
    try {
      Path link = Files.createSymbolicLink(folder.resolve("heap.hprof"), dump.toRealPath());
      return new HeapIndex(Optional.of(folder), link);
    } catch (UnsupportedOperationException | IOException e) {
      Files.delete(folder);
      return new HeapIndex(Optional.empty(), dump);
    }
  }

  @Override
  public void close() {
    folder.ifPresent(TemporaryFolders::delete);
  }
}
