package io.github.vtdiag.patch;

import com.github.javaparser.ast.body.TypeDeclaration;
import com.github.javaparser.ast.expr.AnnotationExpr;
import io.github.vtdiag.source.DeclinedException;
import io.github.vtdiag.source.SourceFile;
import io.github.vtdiag.source.SourceType;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The types for which code is generated that shows every field, transient or not. Code that leaves
 * out transient fields never sees a new lock.
 */
final class ShownFields {
  private static final String LOMBOK = "lombok";

  /** The annotations that generate getters and toString, as seen with Lombok 1.18.42. */
  private static final List<String> SHOWING = List.of("Data", "Getter", "ToString", "Value");

  private ShownFields() {}

  /**
   * Declines a type that would show a new field.
   *
   * @throws DeclinedException if it would
   */
  static void check(LockOwner owner) throws DeclinedException {
    if (owner.isStatic() || owner.inPlace()) {
      return;
    }
    SourceType type = owner.type();
    if (type.node instanceof TypeDeclaration<?> declared) {
      Optional<String> showing =
          SHOWING.stream()
              .filter(name -> declared.getAnnotations().stream().anyMatch(is(name, type.file)))
              .findFirst();
      if (showing.isPresent()) {
        throw new DeclinedException(
            "%s has Lombok's @%s, which would show a new field"
                .formatted(type.name(), showing.get()));
      }
    }
  }

  /** Returns a test for an annotation of Lombok, imported or by its full name. */
  private static Predicate<AnnotationExpr> is(String wanted, SourceFile file) {
    String full = LOMBOK + "." + wanted;
    return annotation -> {
      String name = annotation.getNameAsString();
      return name.equals(full)
          || (name.equals(wanted)
              && file.unit.getImports().stream()
                  .filter(each -> !each.isStatic())
                  .anyMatch(
                      each -> each.getNameAsString().equals(each.isAsterisk() ? LOMBOK : full)));
    };
  }
}
