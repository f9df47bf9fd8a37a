package io.github.vtdiag.patch;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.expr.AnnotationExpr;
import com.github.javaparser.ast.expr.StringLiteralExpr;
import com.github.javaparser.ast.expr.ThisExpr;
import com.github.javaparser.ast.stmt.SynchronizedStmt;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.Lock.Identity;
import io.github.vtdiag.source.DeclinedException;
import io.github.vtdiag.source.SourceFile;
import io.github.vtdiag.source.SourceType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The {@code @GuardedBy} annotations, of whatever library, that name a lock which moves. Error
 * Prone and others check them, so they have to name the new field.
 */
final class Guards {
  private static final String ANNOTATION = "GuardedBy";

  private final Lock lock;
  private final LockOwner owner;
  private final String name;

  /** The types whose {@code this} the lock is known to guard. */
  private final Set<SourceType> guarded = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * Creates the guards of one lock.
   *
   * @param name that of its new field
   */
  Guards(Lock lock, LockOwner owner, LockUses uses, String name) {
    this.lock = lock;
    this.owner = owner;
    this.name = name;
    guarded.add(owner.type());
    for (SourceFile.SynchronizedNode site : uses.sites) {
      boolean ofThis =
          !(site.node instanceof SynchronizedStmt block)
              || (block.getExpression() instanceof ThisExpr own && own.getTypeName().isEmpty());
      if (ofThis && lock.identity() instanceof Identity.Instances && !site.context.isStatic()) {
        guarded.add(site.context.type());
      }
    }
  }

  /**
   * Returns the rewrites of the annotations in a file that name the old lock and can name the new
   * one.
   */
  List<SourceRewrite> rewrites(SourceFile file) {
    List<SourceRewrite> rewrites = new ArrayList<>();
    if (owner.inPlace() || !file.names.contains(ANNOTATION)) {
      return rewrites; // A field that becomes the lock keeps its name.
    }
    for (AnnotationExpr annotation : file.unit.findAll(AnnotationExpr.class)) {
      if (annotation.getName().getIdentifier().equals(ANNOTATION)) {
        for (StringLiteralExpr value : annotation.findAll(StringLiteralExpr.class)) {
          renamed(value.getValue(), typeAround(annotation, file))
              .ifPresent(
                  text ->
                      rewrites.add(
                          new SourceRewrite.Replace(file, value, List.of('"' + text + '"'))));
        }
      }
    }
    return rewrites;
  }

  /**
   * Returns the annotations that may name the old lock in a way that is not rewritten: a constant,
   * "itself".
   */
  List<Patch.Comment> unsure(SourceFile file) {
    List<Patch.Comment> unsure = new ArrayList<>();
    if (owner.inPlace() || !file.names.contains(ANNOTATION)) {
      return unsure;
    }
    for (AnnotationExpr annotation : file.unit.findAll(AnnotationExpr.class)) {
      if (annotation.getName().getIdentifier().equals(ANNOTATION)
          && guarded.contains(typeAround(annotation, file))
          && (annotation.findFirst(StringLiteralExpr.class).isEmpty() || isOfItself(annotation))) {
        unsure.add(new Patch.Comment(file.path, annotation.getBegin().orElseThrow().line));
      }
    }
    return unsure;
  }

  private boolean isOfItself(AnnotationExpr annotation) {
    return owner.field().isPresent()
        && isSame(owner.field().get(), annotation.getParentNode().orElse(null))
        && annotation
            .findFirst(StringLiteralExpr.class, value -> value.getValue().strip().equals("itself"))
            .isPresent();
  }

  private Optional<String> renamed(String old, SourceType in) {
    String text = old.strip();
    return switch (lock.identity()) {
      case Identity.Instances of -> ofInstance(text, in);
      case Identity.ClassObject of ->
          text.equals(owner.type().simpleName + ".class")
              ? Optional.of(
                  in != null && in.isInside(owner.type())
                      ? name
                      : owner.type().simpleName + "." + name)
              : Optional.empty();
      case Identity.LocalVariable of -> throw DeclinedException.missing(of);
      case Identity.StaticField of ->
          ofField(text, of.name(), List.of("", owner.type().simpleName + "."), in);
      case Identity.InstanceField of -> ofField(text, of.name(), List.of("", "this."), in);
    };
  }

  private Optional<String> ofInstance(String text, SourceType in) {
    if (text.equals("this")) {
      return guarded.contains(in) ? Optional.of(name) : Optional.empty();
    }
    for (SourceType outer = in; outer != null; outer = outer.enclosing) {
      if (text.equals(outer.simpleName + ".this")) {
        return guarded.contains(outer) ? Optional.of(text + "." + name) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private Optional<String> ofField(String text, String old, List<String> scopes, SourceType in) {
    for (String scope : scopes) {
      if (text.equals(scope + old) && in == owner.type()) {
        return Optional.of(scope + name);
      }
    }
    return Optional.empty();
  }

  private static SourceType typeAround(Node node, SourceFile file) {
    for (Node at = node; at != null; at = at.getParentNode().orElse(null)) {
      for (SourceType type : file.types) {
        if (isSame(type.node, at)) {
          return type;
        }
      }
    }
    return null;
  }

  @SuppressWarnings("ReferenceEquality") // Nodes of the same text are equal.
  private static boolean isSame(Node one, Node other) {
    return one == other;
  }
}
