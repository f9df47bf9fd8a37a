package vtdiag.recording;

import java.nio.file.Path;

/** Opens recordings. */
public final class Recordings {
  private Recordings() {}

  /**
   * Reads what a recording says about pinning. A recording that is cut off or damaged yields what
   * can be read, and says the rest in {@link RecordingFacts#problems}.
   *
   * @throws DataException if nothing can be read
   */
  public static RecordingData read(Path file) throws DataException {
    throw new DataException(file + ": not implemented");
  }
}
