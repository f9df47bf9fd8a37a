package io.github.vtdiag.patch;

import com.github.javaparser.JavaToken;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.body.EnumDeclaration;
import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.InitializerDeclaration;
import io.github.vtdiag.source.SourceFile;
import io.github.vtdiag.source.SourceText;
import io.github.vtdiag.source.SourceType;
import java.util.List;

/** Writes new fields where a maintainer would put them. */
final class FieldRenderer {
  private final SourceFile file;
  private final SourceText text;
  private final String newline;
  private final Indentation indentation;
  private final Edits edits;

  FieldRenderer(SourceFile file, Indentation indentation, Edits edits) {
    this.file = file;
    this.text = file.text;
    this.newline = text.newline();
    this.indentation = indentation;
    this.edits = edits;
  }

  void add(SourceRewrite.AddFields add) {
    List<BodyDeclaration<?>> members = add.owner().members();
    BodyDeclaration<?> before = null;
    for (BodyDeclaration<?> member : members) {
      if (runsAtInitialization(member, add.isStatic()) && !isSerialVersion(member)) {
        before = member;
        break;
      }
    }
    if (before == null) {
      // There is no field of this kind: statics go above instance fields, those above all else.
      for (BodyDeclaration<?> member : members) {
        if (add.isStatic() || !(member instanceof FieldDeclaration)) {
          before = member;
          break;
        }
      }
    }
    if (before == null && !members.isEmpty()) {
      addBelow(file.end(members.getLast()), indentation.of(members.getLast()), add.declarations());
      return;
    }
    if (before == null && add.owner().node instanceof EnumDeclaration constants) {
      addBelowConstants(constants, add.declarations());
      return;
    }
    if (before == null) {
      int open = bodyStart(add.owner());
      String outer = indentation.of(open);
      String lines =
          newline
              + outer
              + indentation.unit
              + String.join(newline + outer + indentation.unit, add.declarations());
      boolean closes = text.text.charAt(text.skipBlanks(open + 1)) == '}';
      edits.insert(open + 1, lines + (closes ? newline + outer : ""), Edits.IN_LINE);
      return;
    }
    int start = file.startWithComments(before);
    if (!text.isFirstOnItsLine(start)) {
      edits.insert(start, String.join(" ", add.declarations()) + " ", Edits.IN_LINE);
      return;
    }
    String indent = indentation.of(before);
    boolean sameGroup = before instanceof FieldDeclaration && start == file.start(before);
    edits.insert(
        text.lineStart(start),
        indent
            + String.join(newline + indent, add.declarations())
            + newline
            + (sameGroup ? "" : newline),
        Edits.BEFORE_LINE);
  }

  void addAfter(SourceRewrite.AddFieldsAfter add) {
    addBelow(file.end(add.field()), indentation.of(add.field()), add.declarations());
  }

  /** Adds fields below a member. A comment at the end of its line stays with the member. */
  private void addBelow(int end, String indent, List<String> declarations) {
    int lineEnd = text.lineEnd(end);
    String rest = text.text.substring(end, lineEnd).strip();
    boolean onlyComment = rest.isEmpty() || rest.startsWith("//");
    edits.insert(
        onlyComment ? lineEnd : end,
        onlyComment
            ? newline + indent + String.join(newline + indent, declarations)
            : " " + String.join(" ", declarations),
        Edits.IN_LINE);
  }

  /** Adds fields to an enum that declares nothing but constants, so that these may need an end. */
  private void addBelowConstants(EnumDeclaration type, List<String> declarations) {
    JavaToken last = SourceFile.previous(type.getTokenRange().orElseThrow().getEnd());
    int end = file.start(last) + last.getText().length();
    String semicolon = SourceFile.isText(last, ";") ? "" : ";";
    boolean hasOwnLine =
        !type.getEntries().isEmpty() && text.isFirstOnItsLine(file.start(type.getEntry(0)));
    String rest = text.text.substring(end, text.lineEnd(end)).strip();
    if (!hasOwnLine || !(rest.isEmpty() || rest.startsWith("//"))) {
      edits.insert(end, semicolon + " " + String.join(" ", declarations), Edits.IN_LINE);
      return;
    }
    String indent = indentation.of(type.getEntry(0));
    String lines = newline + newline + indent + String.join(newline + indent, declarations);
    int lineEnd = text.lineEnd(end);
    if (lineEnd == end) {
      edits.insert(end, semicolon + lines, Edits.IN_LINE);
    } else {
      edits.insert(end, semicolon, Edits.IN_LINE);
      edits.insert(lineEnd, lines, Edits.IN_LINE);
    }
  }

  private static boolean runsAtInitialization(BodyDeclaration<?> member, boolean isStatic) {
    return switch (member) {
      case FieldDeclaration field -> field.isStatic() == isStatic;
      case InitializerDeclaration initializer -> initializer.isStatic() == isStatic;
      default -> false;
    };
  }

  private static boolean isSerialVersion(BodyDeclaration<?> member) {
    return member instanceof FieldDeclaration field
        && field.getVariable(0).getNameAsString().equals("serialVersionUID");
  }

  /** Returns the offset of the brace that opens a type without members. */
  private int bodyStart(SourceType type) {
    JavaToken token = type.node.getTokenRange().orElseThrow().getEnd();
    while (!SourceFile.isText(token, "{")) {
      token = SourceFile.previous(token);
    }
    return file.start(token);
  }
}
