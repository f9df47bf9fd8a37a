package io.github.vtdiag.patch;

import com.github.javaparser.JavaToken;
import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.stmt.BlockStmt;
import java.util.ArrayList;
import java.util.List;

/** How the lines of one file are indented, and which of them move in. */
final class Indentation {
  private static final String DEFAULT_UNIT = "    ";

  /** Lines that start in here move in by one level. */
  private record Indented(int from, int to, String unit) {}

  private final SourceFile file;
  private final SourceText text;
  private final List<Indented> indented = new ArrayList<>();

  /** Starts of lines that are gone, and take no indentation. */
  private final List<Integer> removedLines = new ArrayList<>();

  /** One level, as the first member of a type has it. */
  final String unit;

  Indentation(SourceFile file) {
    this.file = file;
    this.text = file.text;
    this.unit = unitOf(file);
  }

  /** Lines within a text block stay: a blank more or less there is a matter of its value. */
  void moveIn(Node node, int from, int to, String unit) {
    int at = from;
    for (JavaToken token : node.getTokenRange().orElseThrow()) {
      if (token.getKind() == JavaToken.Kind.TEXT_BLOCK_LITERAL.getKind()) {
        indented.add(new Indented(at, file.start(token), unit));
        at = file.end(token);
      }
    }
    indented.add(new Indented(at, to, unit));
  }

  /** Says that a line is gone. */
  void removeLine(int lineStart) {
    removedLines.add(lineStart);
  }

  /** The blanks that the line of an offset will begin with. */
  String of(int offset) {
    return more(text.lineStart(offset)) + text.indent(offset);
  }

  /** The blanks that the line of a node will begin with. */
  String of(Node node) {
    return of(file.start(node));
  }

  /** What is put before a line that moves in; empty for one that stays. */
  String more(int lineStart) {
    if (removedLines.contains(lineStart)) {
      return "";
    }
    StringBuilder more = new StringBuilder();
    for (Indented range : indented) {
      if (range.from() <= lineStart && lineStart < range.to()) {
        more.append(range.unit());
      }
    }
    return more.toString();
  }

  /** One level, as a block's own first line has it. */
  String unit(BlockStmt body, String outer) {
    if (body.getStatements().isEmpty()) {
      return unit;
    }
    int first = file.start(body.getStatement(0));
    String inner = text.indent(first);
    return text.isFirstOnItsLine(first)
            && inner.startsWith(outer)
            && inner.length() > outer.length()
        ? inner.substring(outer.length())
        : unit;
  }

  private static String unitOf(SourceFile file) {
    for (SourceType type : file.types) {
      for (BodyDeclaration<?> member : type.members()) {
        String outer = file.text.indent(file.start(type.node));
        String inner = file.text.indent(file.start(member));
        if (inner.startsWith(outer) && inner.length() > outer.length()) {
          return inner.substring(outer.length());
        }
      }
    }
    return DEFAULT_UNIT;
  }
}
