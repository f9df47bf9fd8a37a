package io.github.vtdiag.agent.recording;

import io.github.vtdiag.agent.jvm.Log;
import io.github.vtdiag.model.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/**
 * The file of a recording. In a folder that collects the files of many JVMs it has another name
 * until it is complete, so that nobody who moves files away takes one that JFR still writes. JFR
 * writes it when the recording stops, then it notifies its listeners: at exit, too.
 */
final class OutputFile implements FlightRecorderListener {
  private static final String INCOMPLETE = ".part";

  private final Recording recording;
  private final Path complete;
  private final Path written;

  private OutputFile(Recording recording, Path complete, Path written) {
    this.recording = recording;
    this.complete = complete;
    this.written = written;
  }

  /** Sets the file that the user named; if it cannot be written, one in the temporary folder. */
  static OutputFile set(Recording recording, String output) throws IOException {
    String name = RecordingName.of(output);
    try {
      Path path = Path.of(name).toAbsolutePath();
      if (!RecordingName.isFolder(output)) {
        recording.setDestination(path);
        return new OutputFile(recording, path, path);
      }
      Files.createDirectories(path.getParent());
      Path part = path.resolveSibling(path.getFileName() + INCOMPLETE);
      recording.setDestination(part);
      OutputFile file = new OutputFile(recording, path, part);
      FlightRecorder.addListener(file);
      return file;
    } catch (IOException | InvalidPathException e) {
      Path fallback = Files.createTempFile("vtdiag-", ".jfr");
      String reason = e instanceof IOException failed ? WholeFile.reason(failed) : e.getMessage();
      Log.line("cannot write " + name + " (" + reason + "); recording to " + fallback);
      recording.setDestination(fallback);
      return new OutputFile(recording, fallback, fallback);
    }
  }

  /** Returns its name once it is complete. */
  Path complete() {
    return complete;
  }

  /** Returns the name that it has now. */
  Path now() {
    return Files.exists(complete) ? complete : written;
  }

  @Override
  public void recordingStateChanged(Recording changed) {
    if (changed.getId() == recording.getId() && changed.getState() == RecordingState.STOPPED) {
      try {
        rename();
      } catch (IOException | RuntimeException e) {
        Log.failure("the recording keeps the name " + written, e);
      }
    }
  }

  private void rename() throws IOException {
    if (!Files.exists(written)) {
      return; // It was renamed before.
    }
    if (Files.size(written) == 0) {
      Files.delete(written); // It was stopped with another file's name.
    } else if (WrittenFile.isWhole(written)) {
      Files.move(written, complete, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  void leave() {
    FlightRecorder.removeListener(this);
  }
}
