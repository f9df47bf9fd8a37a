package io.github.vtdiag.source;

import io.github.vtdiag.model.ClassMonitors;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Source files, each matched with the classes compiled from it before it is used. */
public final class MatchedSources {
  public final SourceFolders folders;
  private final Collection<ClassMonitors> program;
  private final Map<SourceFile, ClassSites> matches = new HashMap<>();
  private final Map<SourceFile, DeclinedException> mismatches = new HashMap<>();

  public MatchedSources(Collection<ClassMonitors> program, SourceFolders folders) {
    this.program = program;
    this.folders = folders;
  }

  /**
   * Returns the sites of the file that declares a class.
   *
   * @throws DeclinedException if there is no such file, or it is not the source of these classes
   */
  public ClassSites of(String className) throws DeclinedException {
    SourceFile file = folders.fileOf(className);
    DeclinedException mismatch = mismatches.get(file);
    if (mismatch != null) {
      throw mismatch;
    }
    ClassSites known = matches.get(file);
    if (known == null) {
      try {
        known = new ClassSites(file, program);
      } catch (DeclinedException e) {
        mismatches.put(file, e);
        throw e;
      }
      matches.put(file, known);
    }
    return known;
  }

  /**
   * Returns the sites of the Kotlin file that declares a class.
   *
   * @throws DeclinedException if there is no such file, or it is not the source of these classes
   */
  public KotlinSites ofKotlin(String className) throws DeclinedException {
    return folders.kotlin().sites(className, program);
  }
}
