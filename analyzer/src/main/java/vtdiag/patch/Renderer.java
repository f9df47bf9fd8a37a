package vtdiag.patch;

import com.github.javaparser.JavaToken;
import com.github.javaparser.ast.ImportDeclaration;
import com.github.javaparser.ast.Modifier;
import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.InitializerDeclaration;
import com.github.javaparser.ast.body.TypeDeclaration;
import com.github.javaparser.ast.stmt.BlockStmt;
import com.github.javaparser.ast.stmt.SwitchEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes the changes of one file as its maintainer would. The body of a synchronized block keeps
 * its lines; that of a synchronized method moves in by one level, as in every project whose build
 * checks its formatting, and {@code git diff -w} hides that.
 */
final class Renderer {
  private static final String DEFAULT_UNIT = "    ";

  /** Lines that start in here move in by one level. */
  private record Indented(int from, int to, String unit) {}

  private final SourceFile file;
  private final SourceText text;
  private final String newline;
  private final Edits edits = new Edits();
  private final List<Indented> indented = new ArrayList<>();
  private final String fileUnit;

  private Renderer(SourceFile file) {
    this.file = file;
    this.text = file.text;
    this.newline = text.newline();
    this.fileUnit = fileUnit();
  }

  static List<Patch.Change> render(Collection<Rewrite> rewrites) {
    Map<SourceFile, List<Rewrite>> byFile = new LinkedHashMap<>();
    for (Rewrite rewrite : rewrites) {
      byFile.computeIfAbsent(rewrite.file(), key -> new ArrayList<>()).add(rewrite);
    }
    List<Patch.Change> changes = new ArrayList<>();
    byFile.forEach((file, ofFile) -> changes.add(new Renderer(file).change(ofFile)));
    changes.sort(Comparator.comparing(Patch.Change::path));
    return changes;
  }

  private Patch.Change change(List<Rewrite> rewrites) {
    // Where bodies move in must be known before any line is written.
    for (Rewrite rewrite : rewrites) {
      switch (rewrite) {
        case Rewrite.Method method -> indentBody(method);
        case Rewrite.Block block -> indentUnbraced(block);
        case Rewrite.Replace replace -> {}
        case Rewrite.AddFields add -> {}
        case Rewrite.AddFieldsAfter add -> {}
        case Rewrite.Import add -> {}
      }
    }
    TreeSet<String> imports = new TreeSet<>();
    for (Rewrite rewrite : rewrites) {
      switch (rewrite) {
        case Rewrite.Method method -> method(method);
        case Rewrite.Block block -> block(block);
        case Rewrite.Replace replace -> replace(replace);
        case Rewrite.AddFields add -> addFields(add);
        case Rewrite.AddFieldsAfter add -> addFieldsAfter(add);
        case Rewrite.Import add -> imports.add(add.name());
      }
    }
    addImports(imports);
    for (int start : text.lineStartsIn(0, text.text.length())) {
      String more = moreIndent(start);
      if (!more.isEmpty()
          && text.skipBlanks(start) < text.lineEnd(start)
          && !edits.writesOver(start)) {
        edits.insert(start, more, Edits.INDENT);
      }
    }
    return new Patch.Change(
        file.path,
        new Patch.FileBytes(text.bytesOf(text.text)),
        new Patch.FileBytes(text.bytesOf(edits.apply(text.text))));
  }

  // ---- methods

  private void indentBody(Rewrite.Method method) {
    BlockStmt body = method.node().getBody().orElseThrow();
    int close = file.end(body) - 1;
    int to = text.isFirstOnItsLine(close) ? text.lineStart(close) : close;
    indent(body, file.start(body) + 1, to, unit(body, text.indent(file.start(method.node()))));
  }

  /** Lines within a text block stay: a blank more or less there is a matter of its value. */
  private void indent(Node node, int from, int to, String unit) {
    int at = from;
    for (JavaToken token : node.getTokenRange().orElseThrow()) {
      if (token.getKind() == JavaToken.Kind.TEXT_BLOCK_LITERAL.getKind()) {
        indented.add(new Indented(at, file.start(token), unit));
        at = file.end(token);
      }
    }
    indented.add(new Indented(at, to, unit));
  }

  private void method(Rewrite.Method method) {
    removeSynchronized(method);
    BlockStmt body = method.node().getBody().orElseThrow();
    int open = file.start(body);
    int close = file.end(body) - 1;
    String outer = fullIndent(file.start(method.node()));
    String unit = unit(body, text.indent(file.start(method.node())));
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
        text.sameLine(open, file.start(SourceFile.next(tokenAt(body))))
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

  private static JavaToken tokenAt(Node node) {
    return node.getTokenRange().orElseThrow().getBegin();
  }

  /** Whether a comment that begins on this line ends on it. */
  private static boolean endsComments(String rest) {
    int open = rest.lastIndexOf("/*");
    int line = rest.indexOf("//");
    return open < 0 || (line >= 0 && line < open) || rest.indexOf("*/", open) >= 0;
  }

  private void removeSynchronized(Rewrite.Method method) {
    Modifier modifier =
        method.node().getModifiers().stream()
            .filter(one -> one.getKeyword() == Modifier.Keyword.SYNCHRONIZED)
            .findFirst()
            .orElseThrow();
    int start = file.start(modifier);
    int end = file.end(modifier);
    int next = text.skipBlanks(end);
    if (next != text.lineEnd(next)) {
      edits.replace(start, next, "");
    } else if (text.isFirstOnItsLine(start)) {
      int lineEnd = next;
      int after = text.text.startsWith("\r\n", lineEnd) ? lineEnd + 2 : lineEnd + 1;
      edits.replace(text.lineStart(start), after, "");
      removedLines.add(text.lineStart(start));
    } else {
      edits.replace(text.skipBlanksBack(start), next, "");
    }
  }

  /** Starts of lines that are gone, and take no indentation. */
  private final List<Integer> removedLines = new ArrayList<>();

  // ---- blocks

  private static boolean isStatementOfList(Node node) {
    Node parent = node.getParentNode().orElseThrow();
    return parent instanceof BlockStmt || parent instanceof SwitchEntry;
  }

  /** A block that is all of an {@code if}'s body needs braces, and then one level more. */
  private void indentUnbraced(Rewrite.Block block) {
    if (isStatementOfList(block.node())) {
      return;
    }
    int start = file.start(block.node());
    int end = file.end(block.node());
    if (!text.isFirstOnItsLine(start) && !text.sameLine(start, end)) {
      BlockStmt body = block.node().getBody();
      indent(body, start, end, unit(body, text.indent(start)));
    }
  }

  private void block(Rewrite.Block block) {
    int start = file.start(block.node());
    BlockStmt body = block.node().getBody();
    int open = file.start(body);
    int close = file.end(body) - 1;
    int headEnd = file.end(SourceFile.previous(tokenAt(body)));
    String unit = unit(body, text.indent(text.isFirstOnItsLine(close) ? close : start));
    boolean oneLine = text.sameLine(start, close);
    boolean braced = isStatementOfList(block.node());
    boolean firstOnLine = text.isFirstOnItsLine(start);
    boolean allman = text.isFirstOnItsLine(open);
    String indent = fullIndent(start);

    int headStart = start;
    String before = "";
    String after = "";
    if (!braced) {
      JavaToken previous = SourceFile.previous(tokenAt(block.node()));
      int previousEnd = file.end(previous);
      edits.insert(previousEnd, " {", Edits.IN_LINE);
      String parentIndent = fullIndent(previousEnd - 1);
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
      // As in `case 1: synchronized (x) {`: the closing brace shows the level.
      indent = fullIndent(close);
    }
    String gap = oneLine && !firstOnLine ? " " : newline + indent;
    edits.replace(
        headStart,
        headEnd,
        before
            + comments(block.node(), body, indent)
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

  /** The comments between {@code synchronized} and its body's brace that would be lost. */
  private String comments(Node statement, BlockStmt body, String indent) {
    StringBuilder comments = new StringBuilder();
    int end = file.start(body);
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

  // ---- calls

  private void replace(Rewrite.Replace replace) {
    int start = file.start(replace.node());
    String line = newline + fullIndent(start);
    String unit = fileUnit;
    String replacement =
        String.join(line, replace.lines().stream().map(one -> one.replace("\t", unit)).toList());
    edits.replace(start, file.end(replace.node()), replacement);
  }

  // ---- fields

  private void addFields(Rewrite.AddFields add) {
    List<BodyDeclaration<?>> members = add.owner().members();
    BodyDeclaration<?> before = null;
    for (BodyDeclaration<?> member : members) {
      if (runsAtInitialization(member, add.isStatic()) && !isSerialVersion(member)) {
        before = member;
        break;
      }
    }
    if (before == null) {
      // No field of this sort: statics above those of instances, above all else.
      for (BodyDeclaration<?> member : members) {
        if (add.isStatic() || !(member instanceof FieldDeclaration)) {
          before = member;
          break;
        }
      }
    }
    if (before == null && !members.isEmpty()) {
      addBelow(file.end(members.getLast()), indentOf(members.getLast()), add.declarations());
      return;
    }
    if (before == null) {
      int open = bodyStart(add.owner());
      String outer = fullIndent(open);
      String lines =
          newline + outer + fileUnit + String.join(newline + outer + fileUnit, add.declarations());
      boolean closes = text.text.charAt(text.skipBlanks(open + 1)) == '}';
      edits.insert(open + 1, lines + (closes ? newline + outer : ""), Edits.IN_LINE);
      return;
    }
    int start = startWithComments(before);
    if (!text.isFirstOnItsLine(start)) {
      edits.insert(start, String.join(" ", add.declarations()) + " ", Edits.IN_LINE);
      return;
    }
    String indent = indentOf(before);
    boolean sameGroup = before instanceof FieldDeclaration && start == file.start(before);
    edits.insert(
        text.lineStart(start),
        indent
            + String.join(newline + indent, add.declarations())
            + newline
            + (sameGroup ? "" : newline),
        Edits.BEFORE_LINE);
  }

  private void addFieldsAfter(Rewrite.AddFieldsAfter add) {
    addBelow(file.end(add.field()), indentOf(add.field()), add.declarations());
  }

  /** A comment at the end of the line stays with what it is about. */
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

  private String indentOf(Node member) {
    return fullIndent(file.start(member));
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

  /** The offset of the brace that opens a type without members. */
  private int bodyStart(SourceType type) {
    JavaToken token = type.node.getTokenRange().orElseThrow().getEnd();
    while (!SourceFile.isText(token, "{")) {
      token = SourceFile.previous(token);
    }
    return file.start(token);
  }

  /** Where a member begins with the comments right above it. */
  private int startWithComments(Node member) {
    int start = file.start(member);
    int lines = 0;
    JavaToken token = tokenAt(member).getPreviousToken().orElse(null);
    while (token != null && token.getCategory().isWhitespaceOrComment() && lines < 2) {
      if (token.getCategory().isEndOfLine()) {
        lines++;
      } else if (token.getCategory().isComment()) {
        if (!text.isFirstOnItsLine(file.start(token))) {
          break;
        }
        start = file.start(token);
        // A line comment's token has its line ending.
        lines = 0;
      }
      token = token.getPreviousToken().orElse(null);
    }
    return start;
  }

  // ---- imports

  private void addImports(Set<String> names) {
    List<ImportDeclaration> known =
        file.unit.getImports().stream().filter(one -> !one.isStatic()).toList();
    Map<Integer, List<String>> below = new LinkedHashMap<>();
    Map<Integer, List<String>> above = new LinkedHashMap<>();
    for (String name : names) {
      List<ImportDeclaration> group =
          known.stream().filter(one -> one.getNameAsString().startsWith("java.")).toList();
      if (group.isEmpty()) {
        group = known;
      }
      ImportDeclaration best = null;
      for (ImportDeclaration one : group) {
        if (one.getNameAsString().compareTo(name) < 0
            && (best == null || best.getNameAsString().compareTo(one.getNameAsString()) <= 0)) {
          best = one;
        }
      }
      if (best != null) {
        below.computeIfAbsent(file.end(best), at -> new ArrayList<>()).add(name);
      } else if (!group.isEmpty()) {
        above.computeIfAbsent(file.start(group.getFirst()), at -> new ArrayList<>()).add(name);
      } else {
        above.computeIfAbsent(-1, at -> new ArrayList<>()).add(name);
      }
    }
    below.forEach(
        (at, added) -> edits.insert(text.lineEnd(at), newline + lines(added), Edits.IN_LINE));
    above.forEach(
        (at, added) -> {
          if (at >= 0) {
            edits.insert(at, lines(added) + newline, Edits.IN_LINE);
          } else {
            addFirstImports(added);
          }
        });
  }

  private void addFirstImports(List<String> names) {
    if (!file.unit.getImports().isEmpty()) {
      int end = file.end(file.unit.getImports().getLast().orElseThrow());
      edits.insert(text.lineEnd(end), newline + newline + lines(names), Edits.IN_LINE);
    } else if (file.unit.getPackageDeclaration().isPresent()) {
      int end = file.end(file.unit.getPackageDeclaration().get());
      edits.insert(text.lineEnd(end), newline + newline + lines(names), Edits.IN_LINE);
    } else {
      TypeDeclaration<?> first = file.unit.getType(0);
      edits.insert(
          text.lineStart(startWithComments(first)),
          lines(names) + newline + newline,
          Edits.BEFORE_LINE);
    }
  }

  private String lines(List<String> names) {
    return String.join(newline, names.stream().map(name -> "import " + name + ";").toList());
  }

  // ---- indentation

  /** The blanks that the line of an offset will begin with. */
  private String fullIndent(int offset) {
    return moreIndent(text.lineStart(offset)) + text.indent(offset);
  }

  private String moreIndent(int lineStart) {
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
  private String unit(BlockStmt body, String outer) {
    if (body.getStatements().isEmpty()) {
      return fileUnit;
    }
    int first = file.start(body.getStatement(0));
    String inner = text.indent(first);
    return text.isFirstOnItsLine(first)
            && inner.startsWith(outer)
            && inner.length() > outer.length()
        ? inner.substring(outer.length())
        : fileUnit;
  }

  /** One level, as the first member of a type has it. */
  private String fileUnit() {
    for (SourceType type : file.types) {
      for (BodyDeclaration<?> member : type.members()) {
        String outer = text.indent(file.start(type.node));
        String inner = text.indent(file.start(member));
        if (inner.startsWith(outer) && inner.length() > outer.length()) {
          return inner.substring(outer.length());
        }
      }
    }
    return DEFAULT_UNIT;
  }
}
