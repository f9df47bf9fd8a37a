package io.github.vtdiag.source;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.ClassOrInterfaceDeclaration;
import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.expr.BinaryExpr;
import com.github.javaparser.ast.expr.ConditionalExpr;
import com.github.javaparser.ast.expr.EnclosedExpr;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.FieldAccessExpr;
import com.github.javaparser.ast.expr.LiteralExpr;
import com.github.javaparser.ast.expr.NameExpr;
import com.github.javaparser.ast.expr.NullLiteralExpr;
import com.github.javaparser.ast.expr.UnaryExpr;
import com.github.javaparser.ast.expr.VariableDeclarationExpr;
import com.github.javaparser.ast.stmt.DoStmt;
import com.github.javaparser.ast.stmt.ForStmt;
import com.github.javaparser.ast.stmt.IfStmt;
import com.github.javaparser.ast.stmt.WhileStmt;
import java.util.Optional;

/** Code that compilers may leave out, because a condition above it can be a constant. */
final class DeadCode {
  private DeadCode() {}

  static boolean mayBeLeftOut(Node node) {
    for (Node at = node; at != null; at = at.getParentNode().orElse(null)) {
      if (condition(at).map(DeadCode::mayBeConstant).orElse(false)) {
        return true;
      }
    }
    return false;
  }

  private static Optional<Expression> condition(Node node) {
    return switch (node) {
      case IfStmt branch -> Optional.of(branch.getCondition());
      case ConditionalExpr branch -> Optional.of(branch.getCondition());
      case WhileStmt loop -> Optional.of(loop.getCondition());
      case DoStmt loop -> Optional.of(loop.getCondition());
      case ForStmt loop -> loop.getCompare();
      case BinaryExpr both
          when both.getOperator() == BinaryExpr.Operator.AND
              || both.getOperator() == BinaryExpr.Operator.OR ->
          Optional.of(both.getLeft());
      default -> Optional.empty();
    };
  }

  private static boolean mayBeConstant(Expression condition) {
    return switch (condition) {
      case NullLiteralExpr none -> false;
      case LiteralExpr literal -> true;
      case EnclosedExpr enclosed -> mayBeConstant(enclosed.getInner());
      case UnaryExpr unary -> mayBeConstant(unary.getExpression());
      case BinaryExpr both -> {
        boolean left = mayBeConstant(both.getLeft());
        boolean right = mayBeConstant(both.getRight());
        yield switch (both.getOperator()) {
          case AND, OR -> left || right;
          default -> left && right;
        };
      }
      case NameExpr name -> Variables.declaration(name).map(DeadCode::isFinal).orElse(true);
      case FieldAccessExpr access -> true;
      default -> false;
    };
  }

  /**
   * Returns whether a declaration may be a constant: no parameter is, and nothing that can be
   * assigned.
   */
  private static boolean isFinal(Node declared) {
    Node parent = declared.getParentNode().orElse(null);
    return declared instanceof VariableDeclarator variable
        && variable.getInitializer().isPresent()
        && (parent instanceof FieldDeclaration field
            ? field.isFinal() || isConstantOfInterface(field)
            : parent instanceof VariableDeclarationExpr local && local.isFinal());
  }

  private static boolean isConstantOfInterface(FieldDeclaration field) {
    return field.getParentNode().orElse(null) instanceof ClassOrInterfaceDeclaration type
        && type.isInterface();
  }
}
