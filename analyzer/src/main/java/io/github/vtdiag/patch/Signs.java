package io.github.vtdiag.patch;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.expr.AssignExpr;
import com.github.javaparser.ast.expr.BinaryExpr;
import com.github.javaparser.ast.expr.EnclosedExpr;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.IntegerLiteralExpr;
import com.github.javaparser.ast.expr.LambdaExpr;
import com.github.javaparser.ast.expr.LongLiteralExpr;
import com.github.javaparser.ast.expr.NameExpr;
import com.github.javaparser.ast.expr.UnaryExpr;
import com.github.javaparser.ast.stmt.BlockStmt;
import com.github.javaparser.ast.stmt.BreakStmt;
import com.github.javaparser.ast.stmt.ContinueStmt;
import com.github.javaparser.ast.stmt.IfStmt;
import com.github.javaparser.ast.stmt.ReturnStmt;
import com.github.javaparser.ast.stmt.Statement;
import com.github.javaparser.ast.stmt.ThrowStmt;
import io.github.vtdiag.source.Variables;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The signs that a variable can have at a statement, given the conditions around and above it. */
final class Signs {
  enum Sign {
    NEGATIVE,
    ZERO,
    POSITIVE
  }

  private Signs() {}

  /**
   * Returns the signs of a local variable, a parameter or a constant. A condition counts only if
   * nothing is assigned anywhere in the statement list, or branch, in which it holds.
   */
  @SuppressWarnings("ReferenceEquality") // JavaParser's nodes are equal if their text is.
  static Set<Sign> of(NameExpr variable, Statement statement) {
    Set<Sign> signs = EnumSet.allOf(Sign.class);
    Optional<Node> declared = Variables.declaration(variable);
    if (declared.isEmpty()) {
      return signs;
    }
    if (Variables.isField(declared.get())) {
      return isPositiveConstant(declared.get()) ? EnumSet.of(Sign.POSITIVE) : signs;
    }
    String name = variable.getNameAsString();
    Node below = statement;
    for (Node at = statement.getParentNode().orElse(null);
        at != null && !(at instanceof BodyDeclaration<?>) && !(at instanceof LambdaExpr);
        at = at.getParentNode().orElse(null)) {
      switch (at) {
        case BlockStmt block -> removeGuarded(signs, name, block, below);
        case IfStmt branch when !assigned(name, branch) -> {
          if (branch.getThenStmt() == below) {
            signs.retainAll(mayBe(branch.getCondition(), name));
          } else {
            signs.removeAll(where(branch.getCondition(), name));
          }
        }
        default -> {}
      }
      below = at;
    }
    return signs;
  }

  private static boolean isPositiveConstant(Node declared) {
    return declared instanceof VariableDeclarator constant
        && constant.getParentNode().orElse(null) instanceof FieldDeclaration field
        && field.isFinal()
        && constant.getInitializer().filter(Signs::isPositive).isPresent();
  }

  private static boolean isPositive(Expression literal) {
    return switch (literal) {
      case IntegerLiteralExpr number -> number.asNumber().longValue() > 0;
      case LongLiteralExpr number -> number.asNumber().longValue() > 0;
      default -> false;
    };
  }

  /** Removes the signs with which a guard above leaves the block. */
  @SuppressWarnings("ReferenceEquality") // As above.
  private static void removeGuarded(Set<Sign> signs, String name, BlockStmt block, Node below) {
    if (assigned(name, block)) {
      return;
    }
    for (Statement above : block.getStatements()) {
      if (above == below) {
        return;
      }
      if (above instanceof IfStmt guard
          && guard.getElseStmt().isEmpty()
          && leaves(guard.getThenStmt())) {
        signs.removeAll(where(guard.getCondition(), name));
      }
    }
  }

  private static boolean assigned(String name, Node scope) {
    return scope
        .findFirst(
            Node.class,
            node ->
                switch (node) {
                  case AssignExpr assign -> isNamed(assign.getTarget(), name);
                  case UnaryExpr unary -> isNamed(unary.getExpression(), name) && changes(unary);
                  default -> false;
                })
        .isPresent();
  }

  private static boolean changes(UnaryExpr unary) {
    return switch (unary.getOperator()) {
      case PREFIX_INCREMENT, PREFIX_DECREMENT, POSTFIX_INCREMENT, POSTFIX_DECREMENT -> true;
      case PLUS, MINUS, LOGICAL_COMPLEMENT, BITWISE_COMPLEMENT -> false;
    };
  }

  private static boolean leaves(Statement statement) {
    return switch (statement) {
      case ReturnStmt left -> true;
      case ThrowStmt left -> true;
      case BreakStmt left -> true;
      case ContinueStmt left -> true;
      case BlockStmt block ->
          !block.getStatements().isEmpty() && leaves(block.getStatements().getLast().orElseThrow());
      default -> false;
    };
  }

  /** Returns the signs with which a condition is certainly true. */
  private static Set<Sign> where(Expression condition, String name) {
    return switch (condition) {
      case EnclosedExpr enclosed -> where(enclosed.getInner(), name);
      case BinaryExpr either when either.getOperator() == BinaryExpr.Operator.OR -> {
        Set<Sign> signs = where(either.getLeft(), name);
        signs.addAll(where(either.getRight(), name));
        yield signs;
      }
      case BinaryExpr comparison -> compared(comparison, name).orElse(EnumSet.noneOf(Sign.class));
      default -> EnumSet.noneOf(Sign.class);
    };
  }

  /** Returns the signs with which a condition can be true. */
  private static Set<Sign> mayBe(Expression condition, String name) {
    return switch (condition) {
      case EnclosedExpr enclosed -> mayBe(enclosed.getInner(), name);
      case BinaryExpr both when both.getOperator() == BinaryExpr.Operator.AND -> {
        Set<Sign> signs = mayBe(both.getLeft(), name);
        signs.retainAll(mayBe(both.getRight(), name));
        yield signs;
      }
      case BinaryExpr comparison -> compared(comparison, name).orElse(EnumSet.allOf(Sign.class));
      default -> EnumSet.allOf(Sign.class);
    };
  }

  private static Optional<Set<Sign>> compared(BinaryExpr comparison, String name) {
    BinaryExpr.Operator operator = comparison.getOperator();
    Expression other = comparison.getRight();
    if (isNamed(other, name)) {
      operator = mirrored(operator);
      other = comparison.getLeft();
    } else if (!isNamed(comparison.getLeft(), name)) {
      return Optional.empty();
    }
    if (isLiteral(other, 1) && operator == BinaryExpr.Operator.GREATER_EQUALS) {
      return Optional.of(EnumSet.of(Sign.POSITIVE)); // It is no fraction.
    }
    if (isLiteral(other, 1) && operator == BinaryExpr.Operator.LESS) {
      return Optional.of(EnumSet.of(Sign.NEGATIVE, Sign.ZERO));
    }
    if (!isLiteral(other, 0)) {
      return Optional.empty();
    }
    return switch (operator) {
      case LESS -> Optional.of(EnumSet.of(Sign.NEGATIVE));
      case LESS_EQUALS -> Optional.of(EnumSet.of(Sign.NEGATIVE, Sign.ZERO));
      case GREATER -> Optional.of(EnumSet.of(Sign.POSITIVE));
      case GREATER_EQUALS -> Optional.of(EnumSet.of(Sign.ZERO, Sign.POSITIVE));
      case EQUALS -> Optional.of(EnumSet.of(Sign.ZERO));
      case NOT_EQUALS -> Optional.of(EnumSet.of(Sign.NEGATIVE, Sign.POSITIVE));
      default -> Optional.empty();
    };
  }

  private static boolean isNamed(Expression expression, String name) {
    return expression instanceof NameExpr simple && simple.getNameAsString().equals(name);
  }

  private static BinaryExpr.Operator mirrored(BinaryExpr.Operator operator) {
    return switch (operator) {
      case LESS -> BinaryExpr.Operator.GREATER;
      case LESS_EQUALS -> BinaryExpr.Operator.GREATER_EQUALS;
      case GREATER -> BinaryExpr.Operator.LESS;
      case GREATER_EQUALS -> BinaryExpr.Operator.LESS_EQUALS;
      default -> operator;
    };
  }

  private static boolean isLiteral(Expression expression, long value) {
    return switch (expression) {
      case IntegerLiteralExpr number -> number.asNumber().longValue() == value;
      case LongLiteralExpr number -> number.asNumber().longValue() == value;
      default -> false;
    };
  }
}
