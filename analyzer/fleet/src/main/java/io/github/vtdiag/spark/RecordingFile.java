package io.github.vtdiag.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A recording to read.
 *
 * @param number its place among those that are added
 * @param path where it is, as a URI
 * @param name as rows and messages name it
 */
record RecordingFile(long number, String path, String name, long bytes) implements Serializable {
  InputStream open(Configuration hadoop) throws IOException {
    Path at = new Path(URI.create(path));
    FileSystem files = at.getFileSystem(hadoop);
    try {
      // The raw file system has no checksums. The other one looks for a file beside it, and fails
      // if a name has a colon.
      return (files instanceof LocalFileSystem local ? local.getRawFileSystem() : files).open(at);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
