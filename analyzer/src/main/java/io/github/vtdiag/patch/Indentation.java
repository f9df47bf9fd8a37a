package io.github.vtdiag.patch;

import com.github.javaparser.JavaToken;
import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.stmt.BlockStmt;
import io.github.vtdiag.source.SourceFile;
import io.github.vtdiag.source.SourceText;
import io.github.vtdiag.source.SourceType;
import java.util.ArrayList;
import java.util.List;

/** The indentation of the lines of one file, and the lines that move in. */
final class Indentation {
  private static final String DEFAULT_UNIT = "    ";

  /** A range; lines that start in it move in by one level. */
  private record Indented(int from, int to, String unit) {}

  private final SourceText text;
  private final List<Indented> indented = new ArrayList<>();

  /** The starts of lines that are removed, and get no indentation. */
  private final List<Integer> removedLines = new ArrayList<>();

  /** One level, as in the first member of a type. */
  final String unit;

  Indentation(SourceText text, String unit) {
    this.text = text;
    this.unit = unit;
  }

  /** Returns the indentation of a Java file. */
  static Indentation of(SourceFile file) {
    return new Indentation(file.text, unitOf(file));
  }

  /**
   * Moves in the lines of a node. Lines within a text block stay: their blanks are part of its
   * value.
   */
  void moveIn(Node node, int from, int to, String unit) {
    int at = from;
    for (JavaToken token : node.getTokenRange().orElseThrow()) {
      if (token.getKind() == JavaToken.Kind.TEXT_BLOCK_LITERAL.getKind()) {
        moveIn(at, text.offset(token.getRange().orElseThrow().begin), unit);
        at = text.offset(token.getRange().orElseThrow().end) + 1;
      }
    }
    moveIn(at, to, unit);
  }

  /** Moves in the lines that start in a stretch of the text. */
  void moveIn(int from, int to, String unit) {
    indented.add(new Indented(from, to, unit));
  }

  /**
   * Removes a modifier or an annotation, with its line if nothing else is on it.
   *
   * @param end one past its last character
   */
  void remove(int start, int end, Edits edits) {
    int next = text.skipBlanks(end);
    if (next != text.lineEnd(next)) {
      edits.replace(start, next, "");
    } else if (text.isFirstOnItsLine(start)) {
      int after = text.text.startsWith("\r\n", next) ? next + 2 : next + 1;
      edits.replace(text.lineStart(start), after, "");
      removedLines.add(text.lineStart(start));
    } else {
      edits.replace(text.skipBlanksBack(start), next, "");
    }
  }

  /** Moves in all lines that are not newly written. */
  void apply(Edits edits) {
    for (int start : text.lineStartsIn(0, text.text.length())) {
      String more = more(start);
      if (!more.isEmpty()
          && text.skipBlanks(start) < text.lineEnd(start)
          && !edits.writesOver(start)) {
        edits.insert(start, more, Edits.INDENT);
      }
    }
  }

  /** Returns the blanks that the line of an offset will begin with. */
  String of(int offset) {
    return more(text.lineStart(offset)) + text.indent(offset);
  }

  /** Returns the blanks that the line of a node will begin with. */
  String of(Node node) {
    return of(text.offset(node.getBegin().orElseThrow()));
  }

  /** Returns the indentation put before a line that moves in; empty for one that stays. */
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

  /** Returns one level, as in a block's own first line. */
  String unit(BlockStmt body, String outer) {
    if (body.getStatements().isEmpty()) {
      return unit;
    }
    return unit(text.offset(body.getStatement(0).getBegin().orElseThrow()), outer);
  }

  /** Returns one level, as in the first code of a block. */
  String unit(int first, String outer) {
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
