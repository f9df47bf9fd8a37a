package io.github.vtdiag.patch;

import com.github.javaparser.ast.body.ClassOrInterfaceDeclaration;
import com.github.javaparser.ast.body.TypeDeclaration;
import com.github.javaparser.ast.expr.ArrayAccessExpr;
import com.github.javaparser.ast.expr.CastExpr;
import com.github.javaparser.ast.expr.ClassExpr;
import com.github.javaparser.ast.expr.EnclosedExpr;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.FieldAccessExpr;
import com.github.javaparser.ast.expr.MethodCallExpr;
import com.github.javaparser.ast.expr.NameExpr;
import com.github.javaparser.ast.expr.ObjectCreationExpr;
import com.github.javaparser.ast.expr.SuperExpr;
import com.github.javaparser.ast.expr.ThisExpr;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.Lock.Identity;
import io.github.vtdiag.source.DeclinedException;
import io.github.vtdiag.source.SourceFile;
import io.github.vtdiag.source.SourceType;
import io.github.vtdiag.source.Variables;

/**
 * The expressions by which each place names the fields of one lock, and the access that these need.
 */
final class LockReferences {
  /** The code that must reach a lock's field; each value includes those before it. */
  enum Reach {
    PRIVATE("private "),
    PACKAGE(""),
    PROTECTED("protected "),
    PUBLIC("public ");

    /** The modifier before a field, with a trailing blank. */
    final String modifier;

    Reach(String modifier) {
      this.modifier = modifier;
    }
  }

  private final Lock lock;
  private final String ownerName;
  private final SourceType owner;
  private final TypeNames types;
  private Reach reach = Reach.PRIVATE;

  LockReferences(Lock lock, LockOwner owner, TypeNames types) {
    this.lock = lock;
    this.ownerName = owner.name();
    this.owner = owner.type();
    this.types = types;
  }

  /** Returns the access that all references made so far need. */
  Reach reach() {
    return reach;
  }

  /**
   * Returns the expression by which a site names a field of the lock.
   *
   * @param named the lock's or the condition's name
   * @param expression the locked expression; null for {@code this}, or for the class of a static
   *     method
   */
  String reference(String named, Expression expression, SourceFile.Context context)
      throws DeclinedException {
    Expression plain = plain(expression);
    return switch (lock.identity()) {
      case Identity.Instances of -> ofInstance(named, plain, context);
      case Identity.ClassObject of -> ofClass(named, plain, context);
      case Identity.LocalVariable of -> throw DeclinedException.missing(of);
      case Identity.StaticField of -> ofField(named, of.name(), plain, context);
      case Identity.InstanceField of -> ofField(named, of.name(), plain, context);
    };
  }

  /** Returns what is inside of the parentheses around an expression. */
  static Expression plain(Expression expression) {
    Expression plain = expression;
    while (plain instanceof EnclosedExpr enclosed) {
      plain = enclosed.getInner();
    }
    return plain;
  }

  private String ofInstance(String named, Expression plain, SourceFile.Context context)
      throws DeclinedException {
    SourceFile file = context.type().file;
    if (plain instanceof ThisExpr outer && outer.getTypeName().isPresent()) {
      SourceType user = enclosing(context.type(), outer.getTypeName().get().getIdentifier());
      if (user.isInterface()) {
        return cast(plain, file.textOf(outer), context) + "." + named;
      }
      reach(user);
      return file.textOf(outer) + "." + named;
    }
    if (plain == null || plain instanceof ThisExpr || plain instanceof SuperExpr) {
      if (context.type().isInterface()) {
        return cast(plain, "this", context) + "." + named;
      }
      reach(context.type());
      return named;
    }
    return asOwner(plain, context) + "." + named;
  }

  private String ofClass(String named, Expression plain, SourceFile.Context context)
      throws DeclinedException {
    if (plain != null && !(plain instanceof ClassExpr)) {
      throw declined(plain, context, "does not name the class");
    }
    if (context.type().isInside(owner)) {
      return named;
    }
    reachFrom(context.type());
    return context.type().file.textOf(((ClassExpr) plain).getType()) + "." + named;
  }

  private String ofField(String named, String old, Expression plain, SourceFile.Context context)
      throws DeclinedException {
    if (plain instanceof NameExpr helper
        && Variables.isHelperParameter(helper)
        && context.type() == owner) {
      // The class files show that the parameter is always the field.
      boolean isStatic = lock.identity() instanceof Identity.StaticField;
      return (isStatic ? owner.simpleName : "this") + "." + named;
    }
    if (plain instanceof NameExpr simple && simple.getNameAsString().equals(old)) {
      if (isLocalVariable(simple)) {
        throw declined(plain, context, "is a local variable");
      }
      // A subclass does not inherit a private field, not even one in the same file.
      if (!context.type().isInside(owner)) {
        if (!named.equals(old) && isImported(old, context.type().file)) {
          throw declined(plain, context, "is imported by name");
        }
        reach(context.type());
      }
      return named;
    }
    if (!(plain instanceof FieldAccessExpr access) || !access.getNameAsString().equals(old)) {
      throw declined(plain, context, "does not name the field " + old);
    }
    Expression from = access.getScope();
    if (from instanceof SuperExpr
        || (from instanceof ThisExpr own && own.getTypeName().isEmpty())) {
      reach(context.type());
    } else {
      reachFrom(context.type());
      if (!named.equals(old) && mayBeOfSubclass(from)) {
        reach(context.type());
      }
    }
    return context.type().file.textOf(from) + "." + named;
  }

  /** Returns whether an expression may have the type of a subclass that is in the owner's file. */
  private boolean mayBeOfSubclass(Expression from) {
    return lock.identity() instanceof Identity.InstanceField
        && !(from instanceof ThisExpr)
        && Variables.declaredType(from).filter(owner.simpleName::equals).isEmpty()
        && owner.file.unit.findAll(ClassOrInterfaceDeclaration.class).stream()
            .flatMap(type -> type.getExtendedTypes().stream())
            .anyMatch(above -> above.getNameAsString().equals(owner.simpleName));
  }

  /**
   * Returns the exception for an expression that cannot be rewritten; {@code why} is the rest of
   * the sentence.
   */
  static DeclinedException declined(Expression plain, SourceFile.Context context, String why) {
    SourceFile file = context.type().file;
    return new DeclinedException(
        "the expression %s on line %d of %s %s"
            .formatted(
                plain == null ? "" : file.textOf(plain).replaceAll("\\s+", " "),
                plain == null ? 0 : plain.getBegin().get().line,
                file.path.getFileName(),
                why));
  }

  /** Returns an expression with the owner's type: the class files show that it has it. */
  private String asOwner(Expression plain, SourceFile.Context context) throws DeclinedException {
    SourceFile file = context.type().file;
    if (!Variables.declaredType(plain).filter(owner.simpleName::equals).isPresent()
        || !namesOwner(file)) {
      return cast(plain, file.textOf(plain), context);
    }
    reachFrom(context.type());
    return file.textOf(plain);
  }

  /** Returns whether a cast in front of an expression applies to all of it. */
  private static boolean bindsTighter(Expression plain) {
    return switch (plain) {
      case null -> true; // this
      case ThisExpr name -> true;
      case SuperExpr name -> true;
      case NameExpr name -> true;
      case FieldAccessExpr access -> true;
      case MethodCallExpr call -> true;
      case ArrayAccessExpr element -> true;
      case ObjectCreationExpr created -> true;
      case CastExpr cast -> true;
      default -> false;
    };
  }

  /** Returns whether the owner's simple name means the owner, not an interface of the same name. */
  private boolean namesOwner(SourceFile file) throws DeclinedException {
    return file == owner.file
        ? file.unit.findAll(TypeDeclaration.class).stream()
                    .filter(type -> type.getNameAsString().equals(owner.simpleName))
                    .count()
                == 1
            && file.unit.getImports().stream()
                .noneMatch(each -> each.getName().getIdentifier().equals(owner.simpleName))
        : types.in(file, ownerName.replace('$', '.')).equals(owner.simpleName);
  }

  private String cast(Expression plain, String text, SourceFile.Context context)
      throws DeclinedException {
    if (!canBeNamed(context.type())) {
      throw declined(plain, context, "is of a class that cannot be named there");
    }
    reachFrom(context.type());
    return "(("
        + types.in(context.type().file, ownerName.replace('$', '.'))
        + ") "
        + (bindsTighter(plain) ? text : "(" + text + ")")
        + ")";
  }

  private boolean canBeNamed(SourceType user) {
    for (SourceType type = owner; type != null; type = type.enclosing) {
      if (type.isLocal() || !(type.node instanceof TypeDeclaration<?> declared)) {
        return false;
      }
      boolean isPublic =
          declared.isPublic() || (type.enclosing != null && type.enclosing.isInterface());
      boolean isNear = user.file.packageName.equals(owner.file.packageName);
      if (user.topLevel() != owner.topLevel() && (declared.isPrivate() || !(isPublic || isNear))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isImported(String name, SourceFile file) {
    return file.unit.getImports().stream()
        .anyMatch(
            each ->
                each.isStatic()
                    && (each.isAsterisk() || each.getName().getIdentifier().equals(name)));
  }

  private static boolean isLocalVariable(NameExpr use) {
    return Variables.declaration(use).map(variable -> !Variables.isField(variable)).orElse(false);
  }

  /** Notes a use through {@code this}: of the owner, or inherited from it. */
  private void reach(SourceType user) {
    if (user == owner) {
      return;
    }
    raise(user.file.packageName.equals(owner.file.packageName) ? Reach.PACKAGE : Reach.PROTECTED);
  }

  /** Notes a use through an expression, from another file. */
  private void reachFrom(SourceType user) {
    if (user.topLevel() != owner.topLevel()) {
      raise(user.file.packageName.equals(owner.file.packageName) ? Reach.PACKAGE : Reach.PUBLIC);
    }
  }

  private void raise(Reach needed) {
    if (needed.compareTo(reach) > 0) {
      reach = needed;
    }
  }

  private static SourceType enclosing(SourceType type, String simpleName) throws DeclinedException {
    for (SourceType at = type; at != null; at = at.enclosing) {
      if (at.simpleName.equals(simpleName)) {
        return at;
      }
    }
    throw new DeclinedException(simpleName + ".this has no enclosing type of that name");
  }
}
