package io.github.vtdiag.patch;

import com.github.javaparser.ast.body.ConstructorDeclaration;
import com.github.javaparser.ast.body.EnumDeclaration;
import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.InitializerDeclaration;
import com.github.javaparser.ast.body.MethodDeclaration;
import com.github.javaparser.ast.body.RecordDeclaration;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.MethodCallExpr;
import com.github.javaparser.ast.expr.ObjectCreationExpr;
import io.github.vtdiag.source.DeclinedException;
import io.github.vtdiag.source.SourceFile;
import io.github.vtdiag.source.SourceFolders;
import io.github.vtdiag.source.SourceHierarchy;
import io.github.vtdiag.source.SourceType;

/**
 * The checks that a type can have a lock field: in all its instances, and before it is first
 * needed.
 */
final class OwnerChecks {
  private static final String SERIALIZABLE = "java.io.Serializable";

  /** The interface whose objects are deserialized by calling their constructor. */
  private static final String EXTERNALIZABLE = "java.io.Externalizable";

  private final LockOwner owner;
  private final SourceType type;
  private final LockUses uses;
  private final SourceHierarchy hierarchy;

  private OwnerChecks(LockOwner owner, LockUses uses, SourceFolders sources) {
    this.owner = owner;
    this.type = owner.type();
    this.uses = uses;
    this.hierarchy = new SourceHierarchy(sources);
  }

  static void check(LockOwner owner, LockUses uses, SourceFolders sources)
      throws DeclinedException {
    OwnerChecks checks = new OwnerChecks(owner, uses, sources);
    checks.checkDeclaration();
    if (owner.isStatic()) {
      checks.checkStatic();
    } else {
      checks.checkInstance();
    }
    checks.checkSerialVersions();
  }

  /**
   * Declines a field declared before others. The new lock comes after the whole declaration, whose
   * later fields may run code before.
   */
  private void checkDeclaration() throws DeclinedException {
    if (owner.inPlace() || owner.field().isEmpty()) {
      return;
    }
    FieldDeclaration declaration = owner.field().get();
    boolean runsCode =
        declaration.getVariables().stream()
            .skip(1)
            .flatMap(variable -> variable.getInitializer().stream())
            .anyMatch(OwnerChecks::runsCode);
    if (runsCode) {
      throw new DeclinedException(
          "%s declares several fields at once, and what makes the later ones could need the lock"
              .formatted(type.name()));
    }
  }

  private static boolean runsCode(Expression initializer) {
    return initializer.findFirst(MethodCallExpr.class).isPresent()
        || initializer
            .findFirst(
                ObjectCreationExpr.class, created -> !created.getTypeAsString().equals("Object"))
            .isPresent();
  }

  private void checkStatic() throws DeclinedException {
    checkInterface();
    if (!owner.inPlace()
        && type.isInner()
        && type.file.types.stream().noneMatch(OwnerChecks::isOf16)) {
      throw new DeclinedException(
          type.name()
              + " is an inner class, which can have a static lock only in code for Java 16 or"
              + " later; no inner class of its file shows that by a static member");
    }
    if (!owner.inPlace() && type.node instanceof EnumDeclaration declared) {
      boolean calls =
          declared.getMembers().stream()
              .filter(ConstructorDeclaration.class::isInstance)
              .anyMatch(made -> made.findFirst(MethodCallExpr.class).isPresent());
      if (calls) {
        throw new DeclinedException(
            type.name()
                + " creates its constants, whose constructor calls methods, before a static lock");
      }
    }
  }

  /** Returns whether it is an inner class that no Java before 16 compiles. */
  private static boolean isOf16(SourceType type) {
    return type.isInner()
        && type.members().stream()
            .anyMatch(
                member ->
                    (member instanceof MethodDeclaration method && method.isStatic())
                        || (member instanceof InitializerDeclaration code && code.isStatic()));
  }

  private void checkInstance() throws DeclinedException {
    checkInterface();
    if (type.node instanceof RecordDeclaration) {
      throw new DeclinedException(type.name() + " is a record, which cannot have a lock field");
    }
    if (!owner.inPlace()
        && hierarchy.is(type, SERIALIZABLE)
        && !(hierarchy.is(type, EXTERNALIZABLE) && declaresSerialVersion(type))) {
      throw new DeclinedException(
          type.name() + " is Serializable: a deserialized instance would have no lock");
    }
    if (!uses.calls.isEmpty() && hierarchy.is(type, "java.lang.Cloneable")) {
      throw new DeclinedException(
          type.name() + " is Cloneable: a clone would share the lock and take its signals");
    }
  }

  private void checkInterface() throws DeclinedException {
    if (type.isInterface()) {
      throw new DeclinedException(type.name() + " is an interface, where every field is public");
    }
  }

  /**
   * Declines a Serializable type whose default version changes: it hashes the modifier that a patch
   * of a method removes. The version of any enum or record is 0.
   */
  private void checkSerialVersions() throws DeclinedException {
    for (SourceFile.SynchronizedNode site : uses.sites) {
      SourceType changed = site.context.type();
      if (site.node instanceof MethodDeclaration method
          && !method.isPrivate()
          && hierarchy.is(changed, SERIALIZABLE)
          && !(changed.node instanceof EnumDeclaration)
          && !(changed.node instanceof RecordDeclaration)
          && !declaresSerialVersion(changed)) {
        throw new DeclinedException(
            changed.name()
                + " is Serializable and its default serialVersionUID depends on synchronized; first"
                + " declare the one that serialver prints");
      }
    }
  }

  private static boolean declaresSerialVersion(SourceType type) {
    return type.members().stream()
        .filter(FieldDeclaration.class::isInstance)
        .flatMap(declared -> ((FieldDeclaration) declared).getVariables().stream())
        .anyMatch(variable -> variable.getNameAsString().equals("serialVersionUID"));
  }
}
