package io.github.vtdiag.source;

import com.github.javaparser.ast.ImportDeclaration;
import com.github.javaparser.ast.body.ClassOrInterfaceDeclaration;
import com.github.javaparser.ast.body.EnumDeclaration;
import com.github.javaparser.ast.body.RecordDeclaration;
import com.github.javaparser.ast.expr.ObjectCreationExpr;
import com.github.javaparser.ast.type.ClassOrInterfaceType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The supertypes as far as the sources and the JDK show them. */
public final class SourceHierarchy {
  private final SourceFolders sources;
  private final Set<SourceType> seen = new LinkedHashSet<>();

  public SourceHierarchy(SourceFolders sources) {
    this.sources = sources;
  }

  /**
   * Returns whether a type is known to be a subtype of a JDK interface, other than as an enum is.
   */
  public boolean is(SourceType type, String wanted) {
    seen.clear();
    return search(type, wanted);
  }

  private boolean search(SourceType type, String wanted) {
    if (!seen.add(type)) {
      return false;
    }
    for (ClassOrInterfaceType parent : parents(type)) {
      for (String candidate : candidates(type, parent)) {
        if (isJdk(candidate, wanted)) {
          return true;
        }
        if (isSource(candidate, wanted)) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<ClassOrInterfaceType> parents(SourceType type) {
    List<ClassOrInterfaceType> parents = new ArrayList<>();
    switch (type.node) {
      case ClassOrInterfaceDeclaration declared -> {
        parents.addAll(declared.getExtendedTypes());
        parents.addAll(declared.getImplementedTypes());
      }
      case EnumDeclaration declared -> {}
      case RecordDeclaration declared -> parents.addAll(declared.getImplementedTypes());
      case ObjectCreationExpr creation -> parents.add(creation.getType());
      default -> {}
    }
    return parents;
  }

  /**
   * Returns the qualified names that a type's name can stand for, nested types with a {@code $}.
   */
  private static List<String> candidates(SourceType from, ClassOrInterfaceType parent) {
    String name = parent.getNameWithScope();
    List<String> candidates = new ArrayList<>();
    String first = name.contains(".") ? name.substring(0, name.indexOf('.')) : name;
    String rest = name.substring(first.length()).replace('.', '$');
    if (Character.isLowerCase(first.charAt(0))) {
      return List.of(name);
    }
    String prefix = from.file.packageName.isEmpty() ? "" : from.file.packageName + ".";
    for (SourceType type = from.enclosing; type != null; type = type.enclosing) {
      candidates.add(prefix + path(type) + "$" + first + rest);
    }
    for (ImportDeclaration known : from.file.unit.getImports()) {
      if (!known.isStatic() && !known.isAsterisk()) {
        if (known.getName().getIdentifier().equals(first)) {
          candidates.add(known.getNameAsString() + rest);
        }
      } else if (known.isAsterisk()) {
        candidates.add(known.getNameAsString() + "." + first + rest);
      }
    }
    candidates.add(prefix + first + rest);
    candidates.add("java.lang." + first + rest);
    return candidates;
  }

  private static String path(SourceType type) {
    return type.enclosing == null ? type.simpleName : path(type.enclosing) + "$" + type.simpleName;
  }

  private static boolean isJdk(String candidate, String wanted) {
    if (!candidate.startsWith("java.") && !candidate.startsWith("javax.")) {
      return false;
    }
    try {
      ClassLoader loader = ClassLoader.getPlatformClassLoader();
      return Class.forName(wanted, false, loader)
          .isAssignableFrom(Class.forName(candidate, false, loader));
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private boolean isSource(String candidate, String wanted) {
    try {
      for (SourceType type : sources.fileOf(candidate).types) {
        if (type.canBe(candidate) && search(type, wanted)) {
          return true;
        }
      }
      return false;
    } catch (DeclinedException e) {
      return false;
    }
  }
}
