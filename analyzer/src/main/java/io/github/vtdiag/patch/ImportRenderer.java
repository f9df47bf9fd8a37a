package io.github.vtdiag.patch;

import com.github.javaparser.ast.ImportDeclaration;
import io.github.vtdiag.source.SourceFile;
import io.github.vtdiag.source.SourceText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** Writes new imports among the existing ones, in their order. */
final class ImportRenderer {
  /** An existing import. */
  record Known(String name, int start, int end) {}

  private final SourceText text;
  private final String newline;
  private final Edits edits;

  /** The existing imports of types. */
  private final List<Known> known;

  /** The end of the last line that stands above new imports; empty if there is none. */
  private final OptionalInt above;

  /** The place for new imports if nothing stands above them. */
  private final int top;

  /** The text that ends an import. */
  private final String terminator;

  ImportRenderer(
      SourceText text,
      Edits edits,
      List<Known> known,
      OptionalInt above,
      int top,
      String terminator) {
    this.text = text;
    this.newline = text.newline();
    this.edits = edits;
    this.known = known;
    this.above = above;
    this.top = top;
    this.terminator = terminator;
  }

  static ImportRenderer of(SourceFile file, Edits edits) {
    List<Known> known = new ArrayList<>();
    OptionalInt above = file.unit.getPackageDeclaration().stream().mapToInt(file::end).findFirst();
    for (ImportDeclaration one : file.unit.getImports()) {
      if (!one.isStatic()) {
        known.add(new Known(one.getNameAsString(), file.start(one), file.end(one)));
      }
      above = OptionalInt.of(file.end(one));
    }
    int top =
        above.isPresent() ? 0 : file.text.lineStart(file.startWithComments(file.unit.getType(0)));
    return new ImportRenderer(file.text, edits, known, above, top, ";");
  }

  void add(Set<String> names) {
    Map<Integer, List<String>> below = new LinkedHashMap<>();
    Map<Integer, List<String>> before = new LinkedHashMap<>();
    for (String name : names) {
      String root = name.substring(0, name.indexOf('.') + 1);
      List<Known> group = known.stream().filter(one -> one.name().startsWith(root)).toList();
      if (group.isEmpty()) {
        group = known;
      }
      Known best = null;
      for (Known one : group) {
        if (one.name().compareTo(name) < 0
            && (best == null || best.name().compareTo(one.name()) <= 0)) {
          best = one;
        }
      }
      if (best != null) {
        below.computeIfAbsent(best.end(), at -> new ArrayList<>()).add(name);
      } else if (!group.isEmpty()) {
        before.computeIfAbsent(group.getFirst().start(), at -> new ArrayList<>()).add(name);
      } else {
        before.computeIfAbsent(-1, at -> new ArrayList<>()).add(name);
      }
    }
    below.forEach((at, added) -> addBelow(at, newline, added));
    before.forEach(
        (at, added) -> {
          if (at >= 0) {
            edits.insert(at, lines(added) + newline, Edits.IN_LINE);
          } else {
            addFirst(added);
          }
        });
  }

  private void addFirst(List<String> names) {
    if (above.isPresent()) {
      addBelow(above.getAsInt(), newline + newline, names);
    } else {
      edits.insert(top, lines(names) + newline + newline, Edits.BEFORE_LINE);
    }
  }

  /** Adds imports below a declaration; on its line, if other code follows there. */
  private void addBelow(int end, String gap, List<String> names) {
    int lineEnd = text.lineEnd(end);
    String rest = text.text.substring(end, lineEnd).strip();
    if (rest.isEmpty() || rest.startsWith("//") || rest.matches("/\\*((?!\\*/).)*\\*/")) {
      edits.insert(lineEnd, gap + lines(names), Edits.IN_LINE);
    } else {
      String mark = terminator.isEmpty() ? ";" : "";
      edits.insert(end, mark + " " + lines(names).replace(newline, mark + " "), Edits.IN_LINE);
    }
  }

  private String lines(List<String> names) {
    return String.join(newline, names.stream().map(name -> "import " + name + terminator).toList());
  }
}
