package io.github.vtdiag.patch;

import com.github.javaparser.ast.ImportDeclaration;
import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.TypeDeclaration;
import com.github.javaparser.ast.nodeTypes.NodeWithSimpleName;
import com.github.javaparser.ast.type.TypeParameter;
import io.github.vtdiag.source.DeclinedException;
import io.github.vtdiag.source.SourceFile;
import io.github.vtdiag.source.SourceFolders;
import java.util.List;

/** The names by which a file refers to types that the patch needs. */
final class TypeNames {
  private static final String LOCKS = "java.util.concurrent.locks.";
  static final String REENTRANT_LOCK = LOCKS + "ReentrantLock";
  static final String CONDITION = LOCKS + "Condition";
  static final String TIME_UNIT = "java.util.concurrent.TimeUnit";

  private final SourceFolders sources;
  private final List<SourceRewrite> rewrites;

  /** Creates names that add the imports they need to {@code rewrites}. */
  TypeNames(SourceFolders sources, List<SourceRewrite> rewrites) {
    this.sources = sources;
    this.rewrites = rewrites;
  }

  /** Returns the simple name, with its import, unless that name is something else in the file. */
  String in(SourceFile file, String qualified) throws DeclinedException {
    String simple = qualified.substring(qualified.lastIndexOf('.') + 1);
    String inPackage = qualified.substring(0, Math.max(0, qualified.lastIndexOf('.')));
    boolean declared = declares(file, simple);
    if (!declared && (imports(file, qualified, false) || inPackage.equals(file.packageName))) {
      return simple;
    }
    boolean hidden = declared || sources.hasType(file.packageName, simple);
    if (!hidden && imports(file, inPackage, true) && !isAmbiguous(file, simple)) {
      return simple;
    }
    if (hidden || file.names.contains(simple)) {
      if (qualified.startsWith("java.") && file.hides("java")) {
        throw new DeclinedException(
            "%s cannot name %s: %s is another name there, and so is java"
                .formatted(file.path.getFileName(), qualified, simple));
      }
      return qualified;
    }
    rewrites.add(new SourceRewrite.Import(file, qualified));
    return simple;
  }

  /** Returns whether a type in the file, or a type parameter, has that name. */
  private static boolean declares(SourceFile file, String simple) {
    return file.unit
        .findFirst(
            Node.class,
            node ->
                (node instanceof TypeDeclaration<?> || node instanceof TypeParameter)
                    && ((NodeWithSimpleName<?>) node).getNameAsString().equals(simple))
        .isPresent();
  }

  /** Returns whether another import on demand brings a type of the sources with that name. */
  private boolean isAmbiguous(SourceFile file, String simple) {
    return file.unit.getImports().stream()
        .filter(known -> !known.isStatic() && known.isAsterisk())
        .anyMatch(known -> sources.hasType(known.getNameAsString(), simple));
  }

  private static boolean imports(SourceFile file, String name, boolean onDemand) {
    return file.unit.getImports().stream()
        .filter(known -> !known.isStatic() && known.isAsterisk() == onDemand)
        .map(ImportDeclaration::getNameAsString)
        .anyMatch(name::equals);
  }
}
