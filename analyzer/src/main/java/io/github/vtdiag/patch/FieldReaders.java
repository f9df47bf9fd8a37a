package io.github.vtdiag.patch;

import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.TypeDeclaration;
import com.github.javaparser.ast.expr.AnnotationExpr;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who reads the fields of a type's instances without naming them: generated code, mappers and
 * serializers. A lock must not be compared, printed or stored.
 */
final class FieldReaders {
  /** What these generate shows transient fields too: getters, and toString. */
  private static final Set<String> SHOWING =
      Set.of("lombok.Data", "lombok.Value", "lombok.Getter", "lombok.ToString");

  /** These leave transient fields out. */
  private static final Set<String> SPARING =
      Set.of(
          "lombok.EqualsAndHashCode",
          "javax.persistence.Entity",
          "javax.persistence.Embeddable",
          "javax.persistence.MappedSuperclass",
          "jakarta.persistence.Entity",
          "jakarta.persistence.Embeddable",
          "jakarta.persistence.MappedSuperclass",
          "javax.xml.bind.annotation.XmlAccessorType",
          "jakarta.xml.bind.annotation.XmlAccessorType",
          "com.fasterxml.jackson.annotation.JsonAutoDetect");

  /**
   * Libraries that read the fields of whatever they are given, but not transient ones; and the
   * classes with which others are told to.
   */
  private static final List<String> OF_ALL_TYPES =
      List.of(
          "com.google.gson.",
          "com.thoughtworks.xstream.",
          "com.esotericsoftware.kryo.",
          "com.fasterxml.jackson.annotation.PropertyAccessor",
          "org.apache.commons.lang.builder.",
          "org.apache.commons.lang3.builder.",
          "org.springframework.data.");

  private FieldReaders() {}

  /**
   * Whether a new field of the type has to be transient.
   *
   * @throws DeclinedException if that would not be enough
   */
  static boolean need(LockOwner owner, SourceFolders sources) throws DeclinedException {
    if (owner.isStatic()) {
      return false;
    }
    SourceType type = owner.type();
    Optional<String> showing = annotation(type, SHOWING);
    if (showing.isPresent() && !owner.inPlace()) {
      throw new DeclinedException(
          "%s has Lombok's @%s, which would show a new field"
              .formatted(type.name(), simpleName(showing.get())));
    }
    Optional<String> reader =
        annotation(type, SPARING).map(name -> "@" + simpleName(name)).or(() -> importIn(sources));
    if (reader.isPresent()
        && owner.inPlace()
        && !reader.get().equals("@EqualsAndHashCode")
        && !owner.field().map(FieldDeclaration::isTransient).orElse(false)) {
      throw new DeclinedException(
          "%s may be read by %s; make the field that is locked transient first"
              .formatted(type.name(), reader.get()));
    }
    return reader.isPresent();
  }

  private static Optional<String> importIn(SourceFolders sources) {
    return OF_ALL_TYPES.stream()
        .filter(sources::imports)
        .map(start -> start.replaceFirst("\\.$", ""))
        .findFirst();
  }

  /** An annotation of the type that has one of these names, imported or in full. */
  private static Optional<String> annotation(SourceType type, Set<String> wanted) {
    if (!(type.node instanceof TypeDeclaration<?> declared)) {
      return Optional.empty();
    }
    return wanted.stream()
        .sorted()
        .filter(name -> declared.getAnnotations().stream().anyMatch(at -> is(at, name, type.file)))
        .findFirst();
  }

  private static boolean is(AnnotationExpr annotation, String wanted, SourceFile file) {
    String name = annotation.getNameAsString();
    if (name.equals(wanted)) {
      return true;
    }
    String folder = wanted.substring(0, wanted.lastIndexOf('.'));
    return name.equals(simpleName(wanted))
        && file.unit.getImports().stream()
            .filter(each -> !each.isStatic())
            .anyMatch(each -> each.getNameAsString().equals(each.isAsterisk() ? folder : wanted));
  }

  private static String simpleName(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
