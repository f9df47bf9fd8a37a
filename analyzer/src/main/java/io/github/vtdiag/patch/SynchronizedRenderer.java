package io.github.vtdiag.patch;

import com.github.javaparser.JavaToken;
import com.github.javaparser.ast.Modifier;
import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.stmt.BlockStmt;
import com.github.javaparser.ast.stmt.SwitchEntry;
import io.github.vtdiag.source.SourceFile;
import io.github.vtdiag.source.SourceText;

/** Writes lock, try and finally in place of {@code synchronized}. */
final class SynchronizedRenderer {
  private final SourceFile file;
  private final SourceText text;
  private final String newline;
  private final Indentation indentation;
  private final Edits edits;

  SynchronizedRenderer(SourceFile file, Indentation indentation, Edits edits) {
    this.file = file;
    this.text = file.text;
    this.newline = text.newline();
    this.indentation = indentation;
    this.edits = edits;
  }

  /** Moves in the body of a method. This is needed for all methods before any line is written. */
  void indentBody(SourceRewrite.Method method) {
    BlockStmt body = method.node().getBody().orElseThrow();
    int close = file.end(body) - 1;
    int to = text.isFirstOnItsLine(close) ? text.lineStart(close) : close;
    indentation.moveIn(
        body, file.start(body) + 1, to, indentation.unit(body, text.indent(declaration(method))));
  }

  /**
   * Returns where the declaration begins; an annotation above it may be indented in its own way.
   */
  private int declaration(SourceRewrite.Method method) {
    return file.start(method.node().getModifiers().getFirst().orElseThrow());
  }

  void method(SourceRewrite.Method method) {
    removeSynchronized(method);
    BlockStmt body = method.node().getBody().orElseThrow();
    int open = file.start(body);
    int close = file.end(body) - 1;
    String outer = indentation.of(declaration(method));
    String unit = indentation.unit(body, text.indent(declaration(method)));
    String inner = outer + unit;
    boolean allman = text.isFirstOnItsLine(open);
    String head =
        newline + inner + method.lock() + ".lock();" + newline + inner + tryOpen(allman, inner);
    String tail = "}" + finallyClause(allman, inner, unit, method.lock());

    String content = text.text.substring(open + 1, close);
    if (content.isBlank()) {
      edits.replace(open + 1, close, head + newline + inner + tail + newline + outer);
      return;
    }
    int lineEnd = text.lineEnd(open);
    boolean codeFollows =
        text.sameLine(open, file.start(SourceFile.next(SourceFile.firstToken(body))))
            || !endsComments(text.text.substring(open + 1, Math.min(lineEnd, close)));
    if (codeFollows) {
      edits.replace(open + 1, text.skipBlanks(open + 1), head + newline + inner + unit);
    } else {
      edits.insert(lineEnd, head, Edits.IN_LINE);
    }
    if (text.isFirstOnItsLine(close)) {
      edits.insert(text.lineStart(close), inner + tail + newline, Edits.BEFORE_LINE);
    } else {
      edits.replace(text.skipBlanksBack(close), close, newline + inner + tail + newline + outer);
    }
  }

  /** Returns whether a comment that begins on this line ends on it. */
  private static boolean endsComments(String rest) {
    int open = rest.lastIndexOf("/*");
    int line = rest.indexOf("//");
    return open < 0 || (line >= 0 && line < open) || rest.indexOf("*/", open) >= 0;
  }

  private void removeSynchronized(SourceRewrite.Method method) {
    Modifier modifier =
        method.node().getModifiers().stream()
            .filter(one -> one.getKeyword() == Modifier.Keyword.SYNCHRONIZED)
            .findFirst()
            .orElseThrow();
    indentation.remove(file.start(modifier), file.end(modifier), edits);
  }

  private static boolean isStatementOfList(Node node) {
    Node parent = node.getParentNode().orElseThrow();
    return parent instanceof BlockStmt || parent instanceof SwitchEntry;
  }

  /**
   * Moves in a block that is the whole body of an {@code if}: it needs braces, and one more level.
   */
  void indentUnbraced(SourceRewrite.Block block) {
    if (isStatementOfList(block.node())) {
      return;
    }
    int start = file.start(block.node());
    int end = file.end(block.node());
    if (!text.isFirstOnItsLine(start) && !text.sameLine(start, end)) {
      BlockStmt body = block.node().getBody();
      indentation.moveIn(body, start, end, indentation.unit(body, text.indent(start)));
    }
  }

  void block(SourceRewrite.Block block) {
    int start = file.start(block.node());
    BlockStmt body = block.node().getBody();
    int open = file.start(body);
    int close = file.end(body) - 1;
    int headEnd = file.end(SourceFile.previous(SourceFile.firstToken(body)));
    String unit = indentation.unit(body, text.indent(text.isFirstOnItsLine(close) ? close : start));
    boolean oneLine = text.sameLine(start, close);
    boolean braced = isStatementOfList(block.node());
    boolean firstOnLine = text.isFirstOnItsLine(start);
    boolean allman = text.isFirstOnItsLine(open);
    String indent = indentation.of(start);

    int headStart = start;
    String before = "";
    String after = "";
    if (!braced) {
      JavaToken previous = SourceFile.previous(SourceFile.firstToken(block.node()));
      int previousEnd = file.end(previous);
      edits.insert(previousEnd, " {", Edits.IN_LINE);
      String parentIndent = indentation.of(previousEnd - 1);
      if (oneLine && !firstOnLine) {
        after = " }";
      } else {
        if (!firstOnLine) {
          indent = parentIndent + unit;
          headStart = text.skipBlanksBack(start);
          before = newline + indent;
        }
        after = newline + parentIndent + "}";
      }
    } else if (!firstOnLine && !oneLine && text.isFirstOnItsLine(close)) {
      // In `case 1: synchronized (x) {`, the closing brace shows the level.
      indent = indentation.of(close);
    }
    String gap = oneLine && !firstOnLine ? " " : newline + indent;
    edits.replace(
        headStart,
        headEnd,
        before
            + comments(block.node(), headEnd, indent)
            + (block.first().isEmpty() ? "" : block.first() + gap)
            + block.lock()
            + ".lock();"
            + gap
            + "try");
    String tail =
        text.sameLine(open, close)
            ? " finally { " + block.lock() + ".unlock(); }"
            : finallyClause(allman, indent, unit, block.lock());
    edits.insert(close + 1, tail + after, Edits.IN_LINE);
  }

  /**
   * Returns the comments between {@code synchronized} and the end of its head that would be lost.
   */
  private String comments(Node statement, int end, String indent) {
    StringBuilder comments = new StringBuilder();
    for (JavaToken token : statement.getTokenRange().orElseThrow()) {
      if (file.start(token) >= end) {
        break;
      }
      if (token.getCategory().isComment()) {
        String comment = token.getText().stripTrailing();
        comments.append(comment).append(comment.startsWith("//") ? newline + indent : " ");
      }
    }
    return comments.toString();
  }

  private String tryOpen(boolean allman, String indent) {
    return allman ? "try" + newline + indent + "{" : "try {";
  }

  private String finallyClause(boolean allman, String indent, String unit, String lock) {
    String line = newline + indent;
    return (allman ? line + "finally" + line + "{" : " finally {")
        + line
        + unit
        + lock
        + ".unlock();"
        + line
        + "}";
  }
}
