package io.github.vtdiag.patch;

import com.github.javaparser.ast.ImportDeclaration;
import java.util.List;

/** How a file names a type that the patch needs. */
final class TypeNames {
  private static final String LOCKS = "java.util.concurrent.locks.";
  static final String REENTRANT_LOCK = LOCKS + "ReentrantLock";
  static final String CONDITION = LOCKS + "Condition";
  static final String TIME_UNIT = "java.util.concurrent.TimeUnit";

  private final SourceFolders sources;
  private final List<SourceRewrite> rewrites;

  /** Adds to {@code rewrites} the imports that names need. */
  TypeNames(SourceFolders sources, List<SourceRewrite> rewrites) {
    this.sources = sources;
    this.rewrites = rewrites;
  }

  /** The simple name, with its import, unless that name is something else in the file. */
  String in(SourceFile file, String qualified) throws DeclinedException {
    String simple = qualified.substring(qualified.lastIndexOf('.') + 1);
    String inPackage = qualified.substring(0, Math.max(0, qualified.lastIndexOf('.')));
    if (imports(file, qualified, false) || inPackage.equals(file.packageName)) {
      return simple;
    }
    boolean hidden = sources.hasType(file.packageName, simple);
    if (imports(file, inPackage, true) && !hidden) {
      return simple;
    }
    if (file.names.contains(simple) || hidden) {
      if (qualified.startsWith("java.") && file.hides("java")) {
        throw new DeclinedException(
            "%s cannot name %s: its first part is something else there"
                .formatted(file.path.getFileName(), qualified));
      }
      return qualified;
    }
    rewrites.add(new SourceRewrite.Import(file, qualified));
    return simple;
  }

  private static boolean imports(SourceFile file, String name, boolean onDemand) {
    return file.unit.getImports().stream()
        .filter(known -> !known.isStatic() && known.isAsterisk() == onDemand)
        .map(ImportDeclaration::getNameAsString)
        .anyMatch(name::equals);
  }
}
