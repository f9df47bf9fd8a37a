package io.github.vtdiag.patch;

import com.github.javaparser.ast.ImportDeclaration;
import com.github.javaparser.ast.body.TypeDeclaration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes imports among those that are there, in their order. */
final class ImportRenderer {
  private final SourceFile file;
  private final SourceText text;
  private final String newline;
  private final Edits edits;

  ImportRenderer(SourceFile file, Edits edits) {
    this.file = file;
    this.text = file.text;
    this.newline = text.newline();
    this.edits = edits;
  }

  void add(Set<String> names) {
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
    below.forEach((at, added) -> addBelow(at, newline, added));
    above.forEach(
        (at, added) -> {
          if (at >= 0) {
            edits.insert(at, lines(added) + newline, Edits.IN_LINE);
          } else {
            addFirst(added);
          }
        });
  }

  private void addFirst(List<String> names) {
    if (!file.unit.getImports().isEmpty()) {
      int end = file.end(file.unit.getImports().getLast().orElseThrow());
      addBelow(end, newline + newline, names);
    } else if (file.unit.getPackageDeclaration().isPresent()) {
      int end = file.end(file.unit.getPackageDeclaration().get());
      addBelow(end, newline + newline, names);
    } else {
      TypeDeclaration<?> first = file.unit.getType(0);
      edits.insert(
          text.lineStart(file.startWithComments(first)),
          lines(names) + newline + newline,
          Edits.BEFORE_LINE);
    }
  }

  /** Below a declaration; on its line, where other code follows there. */
  private void addBelow(int end, String gap, List<String> names) {
    int lineEnd = text.lineEnd(end);
    String rest = text.text.substring(end, lineEnd).strip();
    if (rest.isEmpty() || rest.startsWith("//") || rest.matches("/\\*((?!\\*/).)*\\*/")) {
      edits.insert(lineEnd, gap + lines(names), Edits.IN_LINE);
    } else {
      edits.insert(end, " " + lines(names).replace(newline, " "), Edits.IN_LINE);
    }
  }

  private String lines(List<String> names) {
    return String.join(newline, names.stream().map(name -> "import " + name + ";").toList());
  }
}
