package io.github.vtdiag.source;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.MethodDeclaration;
import com.github.javaparser.ast.body.Parameter;
import com.github.javaparser.ast.body.RecordDeclaration;
import com.github.javaparser.ast.body.TypeDeclaration;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.expr.AssignExpr;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.FieldAccessExpr;
import com.github.javaparser.ast.expr.LambdaExpr;
import com.github.javaparser.ast.expr.MethodCallExpr;
import com.github.javaparser.ast.expr.NameExpr;
import com.github.javaparser.ast.expr.SuperExpr;
import com.github.javaparser.ast.expr.SwitchExpr;
import com.github.javaparser.ast.expr.ThisExpr;
import com.github.javaparser.ast.expr.TypePatternExpr;
import com.github.javaparser.ast.expr.UnaryExpr;
import com.github.javaparser.ast.stmt.BlockStmt;
import com.github.javaparser.ast.stmt.CatchClause;
import com.github.javaparser.ast.stmt.ForEachStmt;
import com.github.javaparser.ast.stmt.ForStmt;
import com.github.javaparser.ast.stmt.SwitchStmt;
import com.github.javaparser.ast.stmt.TryStmt;
import com.github.javaparser.ast.type.ClassOrInterfaceType;
import com.github.javaparser.ast.type.Type;
import java.util.List;
import java.util.Optional;

/**
 * The facts that one source file shows about a variable; open questions count as the worst case.
 */
public final class Variables {
  private Variables() {}

  /** Finds the declaration that a simple name means: a local variable, a parameter or a field. */
  public static Optional<Node> declaration(NameExpr use) {
    String name = use.getNameAsString();
    for (Node at = use; at != null; at = at.getParentNode().orElse(null)) {
      if (at instanceof BodyDeclaration<?> member && !(member instanceof TypeDeclaration)) {
        Optional<Node> local =
            member.findFirst(Node.class, node -> isLocal(node, name) && isInScope(node, use));
        if (local.isPresent()) {
          return local;
        }
      }
      if (at instanceof RecordDeclaration type) {
        Optional<Node> component =
            type.getParameters().stream()
                .filter(each -> isLocal(each, name))
                .map(Node.class::cast)
                .findFirst();
        if (component.isPresent()) {
          return component;
        }
      }
      for (BodyDeclaration<?> member : SourceType.membersIfType(at)) {
        Optional<Node> field = field(member, name);
        if (field.isPresent()) {
          return field;
        }
      }
    }
    return Optional.empty();
  }

  public static boolean isField(Node variable) {
    return variable.getParentNode().orElse(null) instanceof FieldDeclaration;
  }

  /**
   * Returns whether a use of a field's name means another field: that of the innermost class around
   * the use. A class further out does not prove it, because a field may be inherited.
   */
  @SuppressWarnings("ReferenceEquality") // Nodes of the same text are equal.
  public static boolean isOtherField(Expression use, VariableDeclarator field) {
    return variable(use)
        .filter(found -> found != field && isField(found) && typeAround(found) == typeAround(use))
        .isPresent();
  }

  /** Returns the innermost class around a node. */
  private static Node typeAround(Node node) {
    Node at = node.getParentNode().orElseThrow();
    while (SourceType.membersIfType(at).isEmpty()) {
      at = at.getParentNode().orElseThrow();
    }
    return at;
  }

  /**
   * Finds the simple name of the type that a variable or a field of {@code this} is declared with.
   */
  public static Optional<String> declaredType(Expression expression) {
    return variable(expression)
        .flatMap(
            variable ->
                switch (variable) {
                  case VariableDeclarator declarator -> simpleName(declarator.getType());
                  case Parameter parameter -> simpleName(parameter.getType());
                  default -> Optional.empty();
                });
  }

  /** Returns whether an expression gives the same object wherever it stands in {@code scope}. */
  public static boolean isStable(Expression expression, Node scope) {
    if (expression instanceof ThisExpr || expression instanceof SuperExpr) {
      return true;
    }
    Optional<Node> variable = variable(expression);
    if (variable.isEmpty()) {
      return false;
    }
    if (isField(variable.get())) {
      return ((FieldDeclaration) variable.get().getParentNode().orElseThrow()).isFinal();
    }
    String name = ((NameExpr) expression).getNameAsString();
    return scope.findFirst(Node.class, node -> isAssignment(node, name)).isEmpty();
  }

  /**
   * Returns whether an expression only names a type, {@code this} or one variable: to evaluate it
   * again does nothing and throws nothing.
   */
  public static boolean isOnlyNames(Expression expression) {
    return switch (expression) {
      case NameExpr name -> true;
      case ThisExpr name -> true;
      case SuperExpr name -> true;
      case FieldAccessExpr access -> isOnlyNamesOfTypes(access);
      default -> false;
    };
  }

  /** Returns whether a qualified name is that of a type: its first part is no variable here. */
  private static boolean isOnlyNamesOfTypes(Expression qualified) {
    return switch (qualified) {
      case FieldAccessExpr access -> isOnlyNamesOfTypes(access.getScope());
      case NameExpr first -> declaration(first).isEmpty();
      default -> false;
    };
  }

  /**
   * Finds the private method of that name and number of parameters, if its type has only the one.
   */
  public static Optional<MethodDeclaration> privateMethod(MethodCallExpr call) {
    for (Node at = call; at != null; at = at.getParentNode().orElse(null)) {
      List<MethodDeclaration> found =
          SourceType.membersIfType(at).stream()
              .filter(MethodDeclaration.class::isInstance)
              .map(MethodDeclaration.class::cast)
              .filter(method -> method.getNameAsString().equals(call.getNameAsString()))
              .filter(method -> method.getParameters().size() == call.getArguments().size())
              .toList();
      if (!found.isEmpty()) {
        return found.size() == 1 && found.getFirst().isPrivate()
            ? Optional.of(found.getFirst())
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /**
   * Returns whether a name is that of a parameter of a private method, which only its own type
   * calls.
   */
  public static boolean isHelperParameter(NameExpr use) {
    return declaration(use).orElse(null) instanceof Parameter parameter
        && parameter.getParentNode().orElse(null) instanceof MethodDeclaration method
        && method.isPrivate();
  }

  private static Optional<Node> variable(Expression expression) {
    return switch (expression) {
      case NameExpr simple -> declaration(simple);
      case FieldAccessExpr access
          when access.getScope() instanceof ThisExpr own && own.getTypeName().isEmpty() ->
          ownField(access);
      default -> Optional.empty();
    };
  }

  private static Optional<Node> ownField(FieldAccessExpr access) {
    return SourceType.membersIfType(typeAround(access)).stream()
        .flatMap(member -> field(member, access.getNameAsString()).stream())
        .findFirst();
  }

  private static Optional<Node> field(BodyDeclaration<?> member, String name) {
    if (member instanceof FieldDeclaration declaration) {
      for (VariableDeclarator variable : declaration.getVariables()) {
        if (variable.getNameAsString().equals(name)) {
          return Optional.of(variable);
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isLocal(Node node, String name) {
    return switch (node) {
      case VariableDeclarator variable ->
          variable.getNameAsString().equals(name) && !isField(variable);
      case Parameter parameter -> parameter.getNameAsString().equals(name);
      case TypePatternExpr pattern -> pattern.getNameAsString().equals(name);
      default -> false;
    };
  }

  /** Returns whether a use stands where it may mean a local variable of that name. */
  private static boolean isInScope(Node variable, Node use) {
    Node scope = variable.getParentNode().orElseThrow();
    while (!isScope(scope)) {
      scope = scope.getParentNode().orElseThrow();
    }
    // A use in the head of a lambda or a loop may be the declaration itself.
    return scope.isAncestorOf(use) && !isBefore(use, variable);
  }

  /**
   * Returns whether a node is a scope. A pattern binds in what follows its statement, too: the
   * block is the scope.
   */
  private static boolean isScope(Node node) {
    return switch (node) {
      case BlockStmt block -> true;
      case ForStmt loop -> true;
      case ForEachStmt loop -> true;
      case TryStmt resources -> true;
      case CatchClause handler -> true;
      case SwitchStmt statement -> true;
      case SwitchExpr expression -> true;
      case LambdaExpr lambda -> true;
      case BodyDeclaration<?> member -> true;
      default -> false;
    };
  }

  private static boolean isBefore(Node one, Node other) {
    return one.getBegin().orElseThrow().isBefore(other.getBegin().orElseThrow());
  }

  private static boolean isAssignment(Node node, String name) {
    Expression target =
        switch (node) {
          case AssignExpr assign -> assign.getTarget();
          case UnaryExpr unary -> unary.getExpression();
          default -> null;
        };
    return target instanceof NameExpr simple && simple.getNameAsString().equals(name);
  }

  private static Optional<String> simpleName(Type type) {
    return type instanceof ClassOrInterfaceType named
        ? Optional.of(named.getNameAsString())
        : Optional.empty();
  }
}
