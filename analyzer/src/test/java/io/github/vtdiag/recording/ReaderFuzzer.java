package io.github.vtdiag.recording;

import io.github.vtdiag.model.DataException;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Optional;

/**
 * What Jazzer runs with every input it thinks of: the reader must end with data or a data error,
 * and twice in the same way. Time and memory are limited by Jazzer's and the JVM's options.
 */
public final class ReaderFuzzer {
  /** More than the seeds are long, and no chunk needs to be larger to be wrong. */
  private static final int MAX_CHUNK = 1 << 22;

  private ReaderFuzzer() {}

  /** Jazzer's entry point. */
  public static void fuzzerTestOneInput(byte[] input) {
    Object first = read(input);
    if (!first.equals(read(input))) {
      throw new AssertionError("read twice, it is not the same");
    }
  }

  /** What was read, or the error's message. */
  private static Object read(byte[] input) {
    try {
      RecordingReader reader =
          new RecordingReader(
              "input", TimeRange.ALL, true, new SeenChunks(), MAX_CHUNK, EventSelection.ALL, true);
      reader.add(new ByteArrayInputStream(input));
      Optional<RecordingData> data = reader.finish();
      if (data.isPresent() && data.get().facts().durationNanos() < 0) {
        throw new AssertionError("a negative duration");
      }
      return List.of(data);
    } catch (DataException e) {
      return e.getMessage();
    }
  }
}
