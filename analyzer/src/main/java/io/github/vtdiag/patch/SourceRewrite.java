package io.github.vtdiag.patch;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.MethodDeclaration;
import com.github.javaparser.ast.stmt.SynchronizedStmt;
import io.github.vtdiag.source.SourceFile;
import io.github.vtdiag.source.SourceType;
import java.util.List;

/** One change of a source file; its indentation depends on the changes around it. */
sealed interface SourceRewrite {
  SourceFile file();

  /** A synchronized method whose body takes {@code lock} instead. */
  record Method(SourceFile file, MethodDeclaration node, String lock) implements SourceRewrite {}

  /** A synchronized block that takes {@code lock} instead, below a statement or none. */
  record Block(SourceFile file, SynchronizedStmt node, String lock, String first)
      implements SourceRewrite {}

  /** A node replaced by other lines, with {@code \t} for a level of indentation. */
  record Replace(SourceFile file, Node node, List<String> lines) implements SourceRewrite {}

  /** New fields at the top of a type's fields of their kind. */
  record AddFields(SourceFile file, SourceType owner, boolean isStatic, List<String> declarations)
      implements SourceRewrite {}

  /** New fields below an old one. */
  record AddFieldsAfter(SourceFile file, Node field, List<String> declarations)
      implements SourceRewrite {}

  /** An import for a type that is used by its simple name. */
  record Import(SourceFile file, String name) implements SourceRewrite {}
}
