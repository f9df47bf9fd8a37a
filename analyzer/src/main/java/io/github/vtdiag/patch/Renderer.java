package io.github.vtdiag.patch;

import io.github.vtdiag.source.SourceFile;
import io.github.vtdiag.source.SourceText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Writes the changes of one file as its maintainer would. The body of a synchronized block keeps
 * its lines. That of a synchronized method moves in by one level, as in every project whose build
 * checks its formatting; {@code git diff -w} hides that.
 */
final class Renderer {
  private final SourceFile file;
  private final SourceText text;
  private final Edits edits = new Edits();
  private final Indentation indentation;

  private Renderer(SourceFile file) {
    this.file = file;
    this.text = file.text;
    this.indentation = Indentation.of(file);
  }

  static List<Patch.Change> render(Collection<SourceRewrite> rewrites) {
    Map<SourceFile, List<SourceRewrite>> byFile = new LinkedHashMap<>();
    for (SourceRewrite rewrite : rewrites) {
      byFile.computeIfAbsent(rewrite.file(), key -> new ArrayList<>()).add(rewrite);
    }
    List<Patch.Change> changes = new ArrayList<>();
    byFile.forEach((file, ofFile) -> changes.add(new Renderer(file).change(ofFile)));
    changes.sort(Comparator.comparing(Patch.Change::path));
    return changes;
  }

  private Patch.Change change(List<SourceRewrite> rewrites) {
    SynchronizedRenderer sites = new SynchronizedRenderer(file, indentation, edits);
    FieldRenderer fields = new FieldRenderer(file, indentation, edits);
    // The bodies that move in must be known before any line is written.
    for (SourceRewrite rewrite : rewrites) {
      switch (rewrite) {
        case SourceRewrite.Method method -> sites.indentBody(method);
        case SourceRewrite.Block block -> sites.indentUnbraced(block);
        case SourceRewrite.Replace replace -> {}
        case SourceRewrite.AddFields add -> {}
        case SourceRewrite.AddFieldsAfter add -> {}
        case SourceRewrite.Import add -> {}
      }
    }
    TreeSet<String> imports = new TreeSet<>();
    for (SourceRewrite rewrite : rewrites) {
      switch (rewrite) {
        case SourceRewrite.Method method -> sites.method(method);
        case SourceRewrite.Block block -> sites.block(block);
        case SourceRewrite.Replace replace -> replace(replace);
        case SourceRewrite.AddFields add -> fields.add(add);
        case SourceRewrite.AddFieldsAfter add -> fields.addAfter(add);
        case SourceRewrite.Import add -> imports.add(add.name());
      }
    }
    ImportRenderer.of(file, edits).add(imports);
    indentation.apply(edits);
    return new Patch.Change(
        file.path,
        new Patch.FileBytes(text.bytesOf(text.text)),
        new Patch.FileBytes(text.bytesOf(edits.apply(text))));
  }

  private void replace(SourceRewrite.Replace replace) {
    int start = file.start(replace.node());
    String line = text.newline() + indentation.of(start);
    String unit = indentation.unit;
    String replacement =
        String.join(line, replace.lines().stream().map(one -> one.replace("\t", unit)).toList());
    edits.replace(start, file.end(replace.node()), replacement);
  }
}
