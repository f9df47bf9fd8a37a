package vtdiag.advice;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import vtdiag.recording.Coordinates;

/**
 * The libraries whose later versions are known not to pin any more, from {@code known-fixes.tsv}.
 */
public final class KnownFixes {

  private record Fix(String group, String artifact, String fixedIn) {

    /**
     * Whether it is about this library. A jar without a POM may not tell its group: then the class
     * has to be in the package that the group names.
     */
    boolean concerns(Coordinates library, String className) {
      return artifact.equals(library.artifact())
          && (library.group().isEmpty()
              ? className.startsWith(group + ".")
              : group.equals(library.group()));
    }
  }

  private static final String RESOURCE = "known-fixes.tsv";

  private final List<Fix> fixes;

  private KnownFixes(List<Fix> fixes) {
    this.fixes = fixes;
  }

  public static KnownFixes load() {
    try (InputStream in = KnownFixes.class.getResourceAsStream(RESOURCE);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return new KnownFixes(
          lines.lines().filter(line -> !line.startsWith("#")).map(KnownFixes::parse).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The first version that is known to be mended, if the library's is older.
   *
   * @param className a class of the library, the one that held the carrier
   */
  public Optional<String> fixedIn(Coordinates library, String className) {
    if (library.version().isEmpty()) {
      return Optional.empty();
    }
    return fixes.stream()
        .filter(fix -> fix.concerns(library, className))
        .map(Fix::fixedIn)
        .filter(version -> !version.equals("-"))
        .filter(version -> MavenVersion.compare(library.version(), version) < 0)
        .findFirst();
  }

  private static Fix parse(String line) {
    String[] columns = line.split("\t", -1);
    String[] names = columns[0].split(":", -1);
    return new Fix(names[0], names[1], columns[2]);
  }
}
