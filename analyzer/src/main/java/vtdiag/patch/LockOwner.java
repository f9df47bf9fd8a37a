package vtdiag.patch;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.expr.FieldAccessExpr;
import com.github.javaparser.ast.expr.NameExpr;
import com.github.javaparser.ast.expr.ObjectCreationExpr;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import vtdiag.safety.Lock;
import vtdiag.safety.Lock.Identity;

/**
 * The type that will have the ReentrantLock.
 *
 * @param name its binary name
 * @param isStatic whether the lock is one of the class, not of each instance
 * @param field the field that holds the object that was locked; empty where the lock is that of
 *     {@code this} or of the class
 * @param inPlace whether that field becomes the lock; else it gets a companion
 */
record LockOwner(
    String name,
    SourceType type,
    boolean isStatic,
    Optional<FieldDeclaration> field,
    boolean inPlace) {

  /**
   * Finds the owner.
   *
   * @throws DeclinedException if the sources have none, or its field cannot stand for one object
   */
  static LockOwner find(Lock lock, LockUses uses, MatchedSources sources) throws DeclinedException {
    return switch (lock.identity()) {
      case Identity.Instances of -> withoutField(of.type(), false, uses, sources);
      case Identity.ClassObject of -> withoutField(of.type(), true, uses, sources);
      case Identity.StaticField of ->
          withField(of.owner(), true, of.name(), lock.keeper(), uses, sources);
      case Identity.InstanceField of ->
          withField(of.owner(), false, of.name(), lock.keeper(), uses, sources);
    };
  }

  private static LockOwner withoutField(
      String name, boolean isStatic, LockUses uses, MatchedSources sources)
      throws DeclinedException {
    return new LockOwner(name, type(name, uses, sources), isStatic, Optional.empty(), false);
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
    if (!field.isFinal()) {
      throw new DeclinedException(
          "%s.%s is not final, so it could hold another object later"
              .formatted(type.name(), fieldName));
    }
    boolean inPlace =
        keeper == Lock.Keeper.SAME_FIELD
            && field.isPrivate()
            && field.getVariables().size() == 1
            && isNewObject(variable)
            && usedAsLockOnly(type, fieldName, uses);
    return new LockOwner(name, type, isStatic, Optional.of(field), inPlace);
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

  private static boolean isNewObject(VariableDeclarator variable) {
    return variable.getTypeAsString().equals("Object")
        && variable.getInitializer().orElse(null) instanceof ObjectCreationExpr creation
        && creation.getTypeAsString().equals("Object")
        && creation.getArguments().isEmpty()
        && creation.getAnonymousClassBody().isEmpty();
  }

  /** Whether nothing is done with the field but what the patch rewrites. */
  private static boolean usedAsLockOnly(SourceType type, String fieldName, LockUses uses) {
    List<Node> found = new ArrayList<>();
    found.addAll(
        type.file.unit.findAll(NameExpr.class, use -> use.getNameAsString().equals(fieldName)));
    found.addAll(
        type.file.unit.findAll(
            FieldAccessExpr.class, use -> use.getNameAsString().equals(fieldName)));
    return found.stream().allMatch(uses.expressions::contains);
  }
}
