package io.github.vtdiag.source;

import static org.objectweb.asm.Opcodes.ACC_SYNCHRONIZED;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
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
 * The check that all sources, not only those that change, belong to the classes that the safety
 * rules examined. A file that was edited since may lock an object that the classes do not.
 */
public final class SourceAgreement {
  private static final int SHOWN = 3;

  private final List<String> leftOut = new ArrayList<>();
  private final List<Path> unbuilt = new ArrayList<>();

  /** The packages of the files that have classes. */
  private final Set<String> packages = new HashSet<>();

  private final Set<String> locations = new HashSet<>();
  private final Set<ClassFile> compiled = new HashSet<>();
  private final TreeMap<String, ClassFile> classes = new TreeMap<>();

  private SourceAgreement(Program program, SourceFolders sources) {
    program.hierarchy().types().forEach(type -> classes.put(type.dotted(), type));
    for (Path path : sources.javaFiles()) {
      compare(path, sources);
    }
    for (KotlinFile file : sources.kotlin().files()) {
      compare(file, sources);
    }
    // If none has any, the sources and the class path belong to two programs, which is reported
    // elsewhere.
    if (!compiled.isEmpty()) {
      for (Path path : unbuilt) {
        String why = path.getFileName() + " has no classes on the class path";
        boolean inKotlin = path.toString().endsWith(".kt"); // of which it has only those that lock
        leaveOut(
            path, sources, DeclinedException.ofSources(why), inKotlin || sources.locks(path) > 0);
      }
    }
  }

  /**
   * Compares all sources with their classes. A source that differs from its classes, or has none,
   * is left out of every patch, with all locks that are taken in it.
   *
   * @return the notes for the user, one sentence each
   */
  public static List<String> check(Program program, SourceFolders sources) {
    SourceAgreement agreement = new SourceAgreement(program, sources);
    List<String> remarks = new ArrayList<>();
    if (!agreement.leftOut.isEmpty()) {
      remarks.add(
          Figures.count(agreement.leftOut.size(), "file")
              + (agreement.leftOut.size() == 1 ? " is" : " are")
              + " left out, with all locks taken there: "
              + some(agreement.leftOut, "; ", "file"));
    }
    sources
        .unknownLocks()
        .ifPresent(
            file ->
                remarks.add(
                    file.getFileName()
                        + " may take locks that its classes do not, so only private fields of other"
                        + " files move; build, then run again"));
    agreement.withoutSources().ifPresent(remarks::add);
    return List.copyOf(remarks);
  }

  private void compare(Path path, SourceFolders sources) {
    SourceFile file;
    try {
      file = sources.read(path);
    } catch (DeclinedException e) {
      compareText(path, sources, e);
      return;
    }
    List<ClassFile> own = new ArrayList<>();
    for (SourceType type : file.types) {
      if (type.enclosing == null) {
        String prefix = file.packageName.isEmpty() ? "" : file.packageName + ".";
        addClasses(prefix + type.simpleName, path, own);
      }
    }
    if (own.isEmpty()) {
      if (!file.unit.getTypes().isEmpty()) {
        unbuilt.add(path);
      }
      return;
    }
    packages.add(file.packageName);
    own.forEach(each -> locations.add(each.location()));
    compiled.addAll(own);
    // The source of a multi-release jar's newer class is in another folder.
    if (own.stream().noneMatch(ClassFile::isVersioned)) {
      Optional<DeclinedException> difference = FileAgreement.difference(file, own);
      boolean locksMore = difference.isPresent() && FileAgreement.locksMore(file, own);
      if (file.escaped) {
        DeclinedException why =
            new DeclinedException(
                path.getFileName()
                    + " has code in Unicode escapes, and such files are not patched");
        leaveOut(path, sources, why, locksMore);
      } else if (difference.isPresent()) {
        leaveOut(path, sources, difference.get(), locksMore);
      }
    }
  }

  /** Compares a Kotlin file with its classes, by the monitors alone. */
  private void compare(KotlinFile file, SourceFolders sources) {
    List<ClassFile> declared =
        classes.values().stream().filter(each -> file.declares(each.dotted())).toList();
    List<ClassFile> own =
        declared.stream().filter(each -> isFrom(file.path.getFileName().toString(), each)).toList();
    compiled.addAll(own);
    try {
      if (own.isEmpty()) {
        if (!file.sites().isEmpty()) {
          unbuilt.add(file.path);
        }
      } else {
        new KotlinSites(
            file, declared.stream().filter(ClassFile::locks).map(ClassFile::monitors).toList());
      }
    } catch (DeclinedException e) {
      leaveOut(file.path, sources, e, e.obstacle == Obstacle.SOURCES);
    }
  }

  private void addClasses(String name, Path path, List<ClassFile> own) {
    ClassFile outer = classes.get(name);
    for (ClassFile each : classes.subMap(name, true, name + '%', false).values()) {
      boolean nested = each.dotted().equals(name) || each.dotted().startsWith(name + '$');
      // A compiler names the source in all of its classes or in none: Hibernate's proxies, which
      // a build generates beside the entities, have no name of one.
      boolean generated = each.source() == null && outer != null && outer.source() != null;
      if (nested && !generated && isFrom(path.getFileName().toString(), each)) {
        own.add(each);
      }
    }
  }

  /** Compares a file that cannot be parsed, by how often it locks, and how often its classes do. */
  private void compareText(Path path, SourceFolders sources, DeclinedException why) {
    List<ClassFile> own = new ArrayList<>();
    sources.classNames(path).forEach(each -> addClasses(each, path, own));
    own.forEach(each -> locations.add(each.location()));
    compiled.addAll(own);
    leaveOut(path, sources, why, own.isEmpty() || sources.locks(path) > locks(own));
  }

  /** Returns the minimum number of places in the sources that take a monitor. */
  private static int locks(List<ClassFile> classes) {
    Set<List<Object>> places = new HashSet<>();
    for (ClassFile type : classes) {
      for (ClassFile.Method method : type.methods().values()) {
        if (method.has(ACC_SYNCHRONIZED)) {
          places.add(List.of(type.name(), method.name(), "method"));
        }
      }
      for (MethodMonitors method : type.monitors().methods()) {
        for (MonitorRegion region : method.regions()) {
          if (region.kind() == MonitorRegion.Kind.BLOCK) {
            places.add(List.of(type.name(), region.firstLine()));
          }
        }
      }
    }
    return places.size();
  }

  private void leaveOut(
      Path path, SourceFolders sources, DeclinedException why, boolean locksMore) {
    leftOut.add(why.getMessage());
    if (locksMore) {
      sources.refuseWithUnknownLocks(path, why);
    } else {
      sources.refuse(path, why);
    }
  }

  /**
   * Returns whether a class may come from a file. It may name no source, or what an obfuscator
   * left, but not another source.
   */
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
      if (each.locks()
          && packages.contains(inPackage)
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
