package io.github.vtdiag.mavenplugin;

import java.io.File;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The recordings in a folder. */
final class ForkRecordings {
  private ForkRecordings() {}

  static List<File> in(File folder) {
    File[] files = folder.listFiles((in, name) -> name.endsWith(".jfr"));
    if (files == null) {
      return Collections.emptyList();
    }
    Arrays.sort(files);
    return Arrays.asList(files);
  }
}
