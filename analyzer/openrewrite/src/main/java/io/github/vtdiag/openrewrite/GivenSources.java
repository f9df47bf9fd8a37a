package io.github.vtdiag.openrewrite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.openrewrite.PrintOutputCapture;
import org.openrewrite.SourceFile;
import org.openrewrite.marker.Generated;
import org.openrewrite.marker.Marker;
import org.openrewrite.marker.SourceSet;

/** The source files of a run, as they are before any recipe of it has changed them. */
public final class GivenSources {
  private static final Pattern SOURCE = Pattern.compile(".+\\.(java|kt|scala|groovy)");
  private static final Pattern TESTS = Pattern.compile("(.*/)?src/[^/]*test[^/]*/.*");

  /** The name of the marker, which is not loaded where there is no rewrite-maven. */
  private static final String RESOLVED_POM = "org.openrewrite.maven.tree.MavenResolutionResult";

  private final Map<Path, SourceFile> files = new LinkedHashMap<>();
  private final List<Marker> poms = new ArrayList<>();

  /** The files that have their planned change. */
  private final Set<Path> written = new HashSet<>();

  /** The files that stay because another recipe has changed one of the same lock. */
  private final Set<Path> leftOut = new HashSet<>();

  private Optional<PatchPlan> plan = Optional.empty();

  /** Takes a file, if it is a source or a POM. */
  public void add(SourceFile file) {
    if (SOURCE.matcher(unix(file.getSourcePath())).matches()
        && !file.getMarkers().findFirst(Generated.class).isPresent()) {
      files.put(file.getSourcePath(), file);
    }
    for (Marker marker : file.getMarkers().getMarkers()) {
      if (marker.getClass().getName().equals(RESOLVED_POM)) {
        poms.add(marker);
      }
    }
  }

  /** Returns whether there is no source. */
  public boolean isEmpty() {
    return files.isEmpty();
  }

  /** Keeps what was planned for them. */
  public void plan(PatchPlan made) {
    plan = Optional.of(made);
  }

  Optional<PatchPlan> plan() {
    return plan;
  }

  Set<Path> written() {
    return written;
  }

  Set<Path> leftOut() {
    return leftOut;
  }

  Map<Path, SourceFile> files() {
    return files;
  }

  List<Marker> poms() {
    return poms;
  }

  /** Returns whether a file belongs to the tests, by its source set or else by its folder. */
  static boolean isOfTests(SourceFile file) {
    Optional<String> set =
        file.getMarkers().findFirst(SourceSet.class).map(marker -> marker.getName());
    return set.isPresent()
        ? set.get().toLowerCase(Locale.ROOT).contains("test")
        : TESTS.matcher(unix(file.getSourcePath()).toLowerCase(Locale.ROOT)).matches();
  }

  static String unix(Path path) {
    return path.toString().replace('\\', '/');
  }

  /** Returns the text of a file, without what other recipes marked in it. */
  static String text(SourceFile file) {
    return file.printAll(
        new PrintOutputCapture<Integer>(0, PrintOutputCapture.MarkerPrinter.SANITIZED));
  }
}
