package io.github.vtdiag.patch;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Whether all sources, not only those that change, are those of the classes that the safety rules
 * looked at: a file that was edited since may lock an object that the classes do not.
 */
public final class SourceAgreement {
  private static final int SHOWN = 3;

  private final List<String> differences = new ArrayList<>();
  private final List<String> unbuilt = new ArrayList<>();

  /** Of the files that have classes. */
  private final Set<String> packages = new HashSet<>();

  private final Set<String> locations = new HashSet<>();
  private final Set<ClassFile> compiled = new HashSet<>();
  private final TreeMap<String, ClassFile> classes = new TreeMap<>();

  private SourceAgreement(Program program, SourceFolders sources) {
    program.hierarchy().types().forEach(type -> classes.put(type.dotted(), type));
    for (Path path : sources.javaFiles()) {
      compare(path, sources);
    }
  }

  /**
   * Compares all sources with their classes.
   *
   * @return what is worth knowing, one sentence each
   * @throws DataException if one of them is not what was compiled
   */
  public static List<String> check(Program program, SourceFolders sources) throws DataException {
    SourceAgreement agreement = new SourceAgreement(program, sources);
    if (!agreement.differences.isEmpty()) {
      throw new DataException(
          "no patch written, because the sources are not those of the classes: "
              + some(agreement.differences, "; ", "file")
              + "; build, then run again");
    }
    if (!agreement.unbuilt.isEmpty() && !agreement.compiled.isEmpty()) {
      throw new DataException(
          "no patch written, because "
              + some(agreement.unbuilt, ", ", "file")
              + (agreement.unbuilt.size() == 1 ? " has" : " have")
              + " no classes on the class path, so what they lock is not known; build, then run"
              + " again, or name source folders and a class path that belong together");
    }
    return agreement.withoutSources().stream().toList();
  }

  private void compare(Path path, SourceFolders sources) {
    SourceFile file;
    try {
      file = sources.read(path);
    } catch (DeclinedException e) {
      differences.add(e.getMessage());
      return;
    }
    List<ClassFile> own = new ArrayList<>();
    for (SourceType type : file.types) {
      if (type.enclosing == null) {
        String prefix = file.packageName.isEmpty() ? "" : file.packageName + ".";
        String name = prefix + type.simpleName;
        for (ClassFile each : classes.subMap(name, true, name + '%', false).values()) {
          boolean nested = each.dotted().equals(name) || each.dotted().startsWith(name + '$');
          if (nested && isFrom(path.getFileName().toString(), each)) {
            own.add(each);
          }
        }
      }
    }
    if (own.isEmpty()) {
      if (!file.unit.getTypes().isEmpty()) {
        unbuilt.add(path.getFileName().toString());
      }
      return;
    }
    packages.add(file.packageName);
    own.forEach(each -> locations.add(each.location()));
    compiled.addAll(own);
    // The source of a multi-release jar's newer class is in another folder.
    if (own.stream().noneMatch(ClassFile::isVersioned)) {
      FileAgreement.difference(file, own).ifPresent(differences::add);
    }
  }

  /** A class may say nothing, or what an obfuscator left, but not the name of another source. */
  private static boolean isFrom(String file, ClassFile type) {
    String source = type.source();
    return source == null || source.equals(file) || !source.matches(".+\\.[a-z]{2,6}");
  }

  private Optional<String> withoutSources() {
    Set<String> names = new TreeSet<>();
    for (ClassFile each : classes.values()) {
      String name = each.dotted();
      String inPackage = name.substring(0, Math.max(0, name.lastIndexOf('.')));
      boolean javaSource = each.source() == null || each.source().endsWith(".java");
      if (packages.contains(inPackage)
          && locations.contains(each.location())
          && javaSource
          && !compiled.contains(each)
          && !name.endsWith("package-info")
          && !name.endsWith("module-info")) {
        names.add(name);
      }
    }
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            some(List.copyOf(names), ", ", "class")
                + (names.size() == 1 ? " has no source" : " have no source")
                + " in the given folders, so the locks that "
                + (names.size() == 1 ? "it takes stay" : "they take stay")
                + " monitors; delete what an older build left behind");
  }

  private static String some(List<String> all, String separator, String unit) {
    String shown = all.stream().limit(SHOWN).collect(Collectors.joining(separator));
    int more = all.size() - SHOWN;
    return more <= 0 ? shown : shown + separator + "and " + Figures.count(more, "more " + unit);
  }
}
