package io.github.vtdiag.source;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.AnnotationDeclaration;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.body.ClassOrInterfaceDeclaration;
import com.github.javaparser.ast.body.EnumConstantDeclaration;
import com.github.javaparser.ast.body.EnumDeclaration;
import com.github.javaparser.ast.body.RecordDeclaration;
import com.github.javaparser.ast.body.TypeDeclaration;
import com.github.javaparser.ast.expr.ObjectCreationExpr;
import com.github.javaparser.ast.stmt.LocalClassDeclarationStmt;
import com.github.javaparser.ast.stmt.LocalRecordDeclarationStmt;
import java.util.List;
import java.util.regex.Pattern;

/** A type in a source file, with the binary names it can have. */
public final class SourceType {
  public final SourceFile file;
  public final Node node;

  /** The type around this one; null for a top-level type. */
  public final SourceType enclosing;

  /** The simple name; empty for an anonymous class. */
  public final String simpleName;

  /**
   * The pattern of its binary names. Compilers number anonymous and local classes in an order of
   * their own; the lines of their methods tell which number is which.
   */
  private final String namePattern;

  private final Pattern pattern;

  public SourceType(SourceFile file, Node node, SourceType enclosing, String packageName) {
    this.file = file;
    this.node = node;
    this.enclosing = enclosing;
    this.simpleName = node instanceof TypeDeclaration<?> type ? type.getNameAsString() : "";
    if (enclosing == null) {
      String prefix = packageName.isEmpty() ? "" : packageName + ".";
      this.namePattern = Pattern.quote(prefix + simpleName);
    } else {
      String number = isLocal() ? "\\d+" : "";
      this.namePattern = enclosing.namePattern + "\\$" + number + Pattern.quote(simpleName);
    }
    this.pattern = Pattern.compile(namePattern);
  }

  public boolean canBe(String binaryName) {
    return pattern.matcher(binaryName).matches();
  }

  /** Returns whether it is an anonymous or local class. */
  public boolean isLocal() {
    Node parent = node.getParentNode().orElse(null);
    return simpleName.isEmpty()
        || parent instanceof LocalClassDeclarationStmt
        || parent instanceof LocalRecordDeclarationStmt;
  }

  public SourceType topLevel() {
    SourceType type = this;
    while (type.enclosing != null) {
      type = type.enclosing;
    }
    return type;
  }

  public boolean isInside(SourceType other) {
    for (SourceType type = this; type != null; type = type.enclosing) {
      if (type == other) {
        return true;
      }
    }
    return false;
  }

  public boolean isInterface() {
    return node instanceof AnnotationDeclaration
        || (node instanceof ClassOrInterfaceDeclaration type && type.isInterface());
  }

  /**
   * Returns whether it has an outer instance, or may have one: such a class had no statics before
   * 16.
   */
  public boolean isInner() {
    if (enclosing == null || node instanceof EnumDeclaration || node instanceof RecordDeclaration) {
      return false;
    }
    return isLocal()
        || (node instanceof ClassOrInterfaceDeclaration type
            && !type.isInterface()
            && !type.isStatic()
            && !enclosing.isInterface());
  }

  public List<BodyDeclaration<?>> members() {
    return membersIfType(node);
  }

  /** Returns the members of a node that declares a type; none of any other. */
  static List<BodyDeclaration<?>> membersIfType(Node node) {
    return switch (node) {
      case TypeDeclaration<?> type -> type.getMembers();
      case ObjectCreationExpr creation when creation.getAnonymousClassBody().isPresent() ->
          creation.getAnonymousClassBody().get();
      case EnumConstantDeclaration constant -> constant.getClassBody();
      default -> List.of();
    };
  }

  /** Returns the name for messages. */
  public String name() {
    if (!simpleName.isEmpty()) {
      return simpleName;
    }
    return "an anonymous class in " + (enclosing == null ? "" : enclosing.name());
  }
}
