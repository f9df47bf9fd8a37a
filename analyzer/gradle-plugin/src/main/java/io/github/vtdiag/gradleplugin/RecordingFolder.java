package io.github.vtdiag.gradleplugin;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.gradle.api.Action;
import org.gradle.api.Task;
import org.gradle.api.file.Directory;
import org.gradle.api.provider.Provider;

/** Makes the folder of a task's recordings, without those of an earlier run if they are results. */
final class RecordingFolder implements Action<Task> {
  private final Provider<Boolean> enabled;
  private final Provider<Directory> directory;
  private final boolean isResult;

  RecordingFolder(RecordedTask recorded, boolean isResult) {
    this.enabled = recorded.getEnabled();
    this.directory = recorded.getDirectory();
    this.isResult = isResult;
  }

  @Override
  public void execute(Task task) {
    File folder = directory.get().getAsFile();
    if (enabled.get() && !folder.isDirectory() && !folder.mkdirs()) {
      task.getLogger().warn("vtdiag: {} cannot be made", folder);
    }
    if (!isResult) {
      return;
    }
    for (File file : in(folder)) {
      if (!file.delete()) {
        task.getLogger().warn("vtdiag: {} is of an earlier run, and cannot be deleted", file);
      }
    }
  }

  /** Returns the recordings in a folder, sorted. */
  static List<File> in(File folder) {
    File[] files = folder.listFiles((in, name) -> name.endsWith(".jfr"));
    List<File> sorted = files == null ? new ArrayList<>() : new ArrayList<>(Arrays.asList(files));
    Collections.sort(sorted);
    return sorted;
  }
}
