package io.github.vtdiag.patch;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.body.ConstructorDeclaration;
import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.InitializerDeclaration;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.expr.AssignExpr;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.FieldAccessExpr;
import com.github.javaparser.ast.expr.MethodCallExpr;
import com.github.javaparser.ast.expr.NameExpr;
import com.github.javaparser.ast.expr.ObjectCreationExpr;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.Lock.Identity;
import io.github.vtdiag.source.ClassSites;
import io.github.vtdiag.source.DeclinedException;
import io.github.vtdiag.source.MatchedSources;
import io.github.vtdiag.source.SourceFile;
import io.github.vtdiag.source.SourceType;
import io.github.vtdiag.source.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The type that will have the ReentrantLock.
 *
 * @param name its binary name
 * @param isStatic whether the lock is one of the class, not of each instance
 * @param field the field that holds the locked object; empty if that is {@code this} or the class
 * @param inPlace whether that field becomes the lock; else it gets a companion
 * @param creations where the locked object is created, if the field becomes the lock
 */
record LockOwner(
    String name,
    SourceType type,
    boolean isStatic,
    Optional<FieldDeclaration> field,
    boolean inPlace,
    List<Expression> creations) {

  /**
   * Finds the owner.
   *
   * @throws DeclinedException if the sources have none, or its field cannot stand for one object
   */
  static LockOwner find(Lock lock, LockUses uses, MatchedSources sources) throws DeclinedException {
    return switch (lock.identity()) {
      case Identity.Instances of -> withoutField(of.type(), false, uses, sources);
      case Identity.ClassObject of -> withoutField(of.type(), true, uses, sources);
      case Identity.LocalVariable of -> throw DeclinedException.missing(of);
      case Identity.StaticField of ->
          withField(of.owner(), true, of.name(), lock.keeper(), uses, sources);
      case Identity.InstanceField of ->
          withField(of.owner(), false, of.name(), lock.keeper(), uses, sources);
    };
  }

  private static LockOwner withoutField(
      String name, boolean isStatic, LockUses uses, MatchedSources sources)
      throws DeclinedException {
    return new LockOwner(
        name, type(name, uses, sources), isStatic, Optional.empty(), false, List.of());
  }

  private static LockOwner withField(
      String name,
      boolean isStatic,
      String fieldName,
      Lock.Keeper keeper,
      LockUses uses,
      MatchedSources sources)
      throws DeclinedException {
    SourceType type = type(name, uses, sources);
    VariableDeclarator variable = variable(type, name, fieldName);
    FieldDeclaration field = (FieldDeclaration) variable.getParentNode().orElseThrow();
    List<AssignExpr> assignments = assignments(type, variable);
    Optional<AssignExpr> later =
        field.isFinal()
            ? Optional.empty()
            : assignments.stream().filter(each -> !isInInitializer(each)).findFirst();
    if (later.isPresent()) {
      throw new DeclinedException(
          "%s.%s is not final, and line %d may assign it another object"
              .formatted(type.name(), fieldName, later.get().getBegin().orElseThrow().line));
    }
    List<Expression> creations = new ArrayList<>();
    variable.getInitializer().ifPresent(creations::add);
    assignments.forEach(assignment -> creations.add(assignment.getValue()));
    // A condition is created at its declaration, before a constructor has run.
    boolean isEarly = assignments.isEmpty() || uses.calls.isEmpty();
    boolean inPlace =
        keeper == Lock.Keeper.SAME_FIELD
            && isEarly
            && field.getVariables().size() == 1
            && variable.getTypeAsString().equals("Object")
            && !creations.isEmpty()
            && creations.stream().allMatch(LockOwner::isNewObject)
            && uses.files.stream().allMatch(file -> usedAsLockOnly(file, variable, uses));
    return new LockOwner(name, type, isStatic, Optional.of(field), inPlace, creations);
  }

  private static SourceType type(String name, LockUses uses, MatchedSources sources)
      throws DeclinedException {
    ClassSites match = sources.of(name);
    uses.files.add(match.file);
    return match.type(name);
  }

  private static VariableDeclarator variable(SourceType type, String name, String fieldName)
      throws DeclinedException {
    VariableDeclarator found = null;
    for (BodyDeclaration<?> member : type.members()) {
      if (member instanceof FieldDeclaration declaration) {
        for (VariableDeclarator candidate : declaration.getVariables()) {
          if (candidate.getNameAsString().equals(fieldName)) {
            found = candidate;
          }
        }
      }
    }
    if (found == null) {
      throw DeclinedException.ofSources(
          "%s does not match the classes: %s has no field %s"
              .formatted(type.file.path.getFileName(), name, fieldName));
    }
    return found;
  }

  /**
   * Finds all assignments in the file that may be to this field. At worst, those to another field
   * keep this one as it is.
   */
  private static List<AssignExpr> assignments(SourceType type, VariableDeclarator field) {
    return type.file.unit.findAll(
        AssignExpr.class, assignment -> mayBe(assignment.getTarget(), field));
  }

  private static boolean mayBe(Expression use, VariableDeclarator field) {
    String name = field.getNameAsString();
    return switch (use) {
          case NameExpr simple -> simple.getNameAsString().equals(name);
          case FieldAccessExpr access -> access.getNameAsString().equals(name);
          default -> false;
        }
        && !Variables.isOtherField(use, field);
  }

  private static boolean isInInitializer(AssignExpr assignment) {
    for (Node at = assignment; at != null; at = at.getParentNode().orElse(null)) {
      if (at instanceof BodyDeclaration<?> member) {
        return member instanceof ConstructorDeclaration || member instanceof InitializerDeclaration;
      }
    }
    return false;
  }

  private static boolean isNewObject(Expression created) {
    return created instanceof ObjectCreationExpr creation
        && creation.getTypeAsString().equals("Object")
        && creation.getArguments().isEmpty()
        && creation.getAnonymousClassBody().isEmpty();
  }

  /** Returns whether the field is used only in code that the patch rewrites. */
  @SuppressWarnings("ReferenceEquality") // Nodes of the same text are equal.
  private static boolean usedAsLockOnly(SourceFile file, VariableDeclarator field, LockUses uses) {
    List<Expression> found = new ArrayList<>();
    found.addAll(file.unit.findAll(NameExpr.class, use -> mayBe(use, field)));
    found.addAll(file.unit.findAll(FieldAccessExpr.class, use -> mayBe(use, field)));
    return found.stream()
        .allMatch(
            use ->
                uses.expressions.contains(use)
                    || (use.getParentNode().orElse(null) instanceof AssignExpr assignment
                        && assignment.getTarget() == use)
                    || isPassedToHelper(use));
  }

  /**
   * Returns whether a use is an argument of a private method. The class files show that such a
   * method only locks it.
   */
  @SuppressWarnings("ReferenceEquality") // Nodes of the same text are equal.
  private static boolean isPassedToHelper(Expression use) {
    return use.getParentNode().orElse(null) instanceof MethodCallExpr call
        && call.getArguments().stream().anyMatch(argument -> argument == use)
        && Variables.privateMethod(call).isPresent();
  }
}
