package io.github.vtdiag.cli;

import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.recording.Input;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The recordings of a run, as a build names them. Recordings that are absent, or empty because
 * their JVM died, tell nothing, and that is no fault of the user.
 *
 * @param inputs the recordings that are not empty
 * @param missing the others
 */
record ReadableFiles(List<Input> inputs, List<Gap> missing) {

  static ReadableFiles of(InputOptions input, OutputOptions output, Console console)
      throws DataException {
    List<String> found = new ArrayList<>();
    List<Gap> missing = new ArrayList<>();
    for (String name : input.files) {
      Path path = Path.of(name);
      if (name.equals(Input.STANDARD_INPUT)) {
        found.add(name);
      } else if (Files.notExists(path)) {
        missing.add(nothing(input.shown(name), "there is no such recording"));
      } else if (Files.isDirectory(path) && holdsNothing(path)) {
        missing.add(
            nothing(input.shown(name), "the folder holds no recordings (*.jfr, *.jfr.gz, *.zip)"));
      } else {
        found.add(name);
      }
    }
    List<Input> inputs = new ArrayList<>();
    for (Input each : input.find(found, sentence -> output.note(console, sentence))) {
      if (!each.files().isEmpty() && each.files().stream().allMatch(ReadableFiles::isEmpty)) {
        missing.add(
            nothing(
                each.source(), "the recording is empty: its JVM was killed, or is still running"));
      } else {
        inputs.add(each);
      }
    }
    return new ReadableFiles(inputs, missing);
  }

  private static Gap nothing(String source, String why) {
    return new Gap(Gap.Kind.NOTHING_RECORDED, source, why);
  }

  private static boolean isEmpty(Path file) {
    return Files.isRegularFile(file) && file.toFile().length() == 0;
  }

  /** Returns whether a folder is known to be empty. One that cannot be listed is not. */
  private static boolean holdsNothing(Path folder) {
    try {
      return Input.find(List.of(folder.toString()), sentence -> {}).isEmpty();
    } catch (DataException e) {
      return Files.isReadable(folder) && Files.isExecutable(folder);
    }
  }
}
