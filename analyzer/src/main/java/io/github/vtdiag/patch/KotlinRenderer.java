package io.github.vtdiag.patch;

import io.github.vtdiag.source.KotlinFile;
import io.github.vtdiag.source.KotlinTokens;
import io.github.vtdiag.source.SourceText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** Writes the changes of one Kotlin file: the counterpart of {@link Renderer}. */
final class KotlinRenderer {
  private static final String LOCK = "java.util.concurrent.locks.ReentrantLock";
  private static final String WITH_LOCK = "kotlin.concurrent.withLock";
  private static final String DEFAULT_UNIT = "    ";

  private final KotlinFile file;
  private final KotlinTokens tokens;
  private final SourceText text;
  private final String newline;
  private final Edits edits = new Edits();
  private final Indentation indentation;

  private KotlinRenderer(KotlinFile file) {
    this.file = file;
    this.tokens = file.tokens;
    this.text = file.text;
    this.newline = text.newline();
    this.indentation = new Indentation(text, unit());
  }

  static List<Patch.Change> render(Collection<KotlinRewrite> rewrites) {
    Map<KotlinFile, List<KotlinRewrite>> byFile = new LinkedHashMap<>();
    for (KotlinRewrite rewrite : rewrites) {
      byFile.computeIfAbsent(rewrite.file(), key -> new ArrayList<>()).add(rewrite);
    }
    List<Patch.Change> changes = new ArrayList<>();
    byFile.forEach((file, ofFile) -> changes.add(new KotlinRenderer(file).change(ofFile)));
    return changes;
  }

  /** Returns the comments in changed code, and right above it, that speak of monitors. */
  static List<Patch.Comment> comments(Collection<KotlinRewrite> rewrites) {
    List<Patch.Comment> found = new ArrayList<>();
    for (KotlinRewrite rewrite : rewrites) {
      KotlinFile file = rewrite.file();
      int from = rewrite.first() > 0 ? file.tokens.get(rewrite.first() - 1).end() : 0;
      int to = file.tokens.get(Math.max(rewrite.first(), rewrite.last())).end();
      for (KotlinTokens.Comment comment : file.tokens.comments) {
        if (from <= comment.start() && comment.end() <= to) {
          String said = file.text.text.substring(comment.start(), comment.end());
          StaleComments.word(said)
              .ifPresent(
                  word ->
                      found.add(
                          new Patch.Comment(file.path, file.text.line(comment.start() + word))));
        }
      }
    }
    return found;
  }

  /** Returns one level, as in the first member of a type. */
  private String unit() {
    for (KotlinFile.Type type : file.types) {
      if (type.open() >= 0 && type.open() + 1 < type.close()) {
        String outer = text.indent(tokens.get(type.keyword()).start());
        int first = tokens.get(type.open() + 1).start();
        String inner = text.indent(first);
        if (text.isFirstOnItsLine(first)
            && inner.startsWith(outer)
            && inner.length() > outer.length()) {
          return inner.substring(outer.length());
        }
      }
    }
    return DEFAULT_UNIT;
  }

  private Patch.Change change(List<KotlinRewrite> rewrites) {
    // The bodies that move in must be known before any line is written.
    for (KotlinRewrite rewrite : rewrites) {
      if (rewrite instanceof KotlinRewrite.Method method) {
        moveIn(method.site());
      }
    }
    List<String> first = new ArrayList<>();
    boolean usesWithLock = false;
    for (KotlinRewrite rewrite : rewrites) {
      switch (rewrite) {
        case KotlinRewrite.Method method -> {
          method(method.site(), method.lock() + ".withLock {");
          usesWithLock = true;
        }
        case KotlinRewrite.Block block -> {
          edits.replace(
              tokens.get(block.first()).start(),
              tokens.get(tokens.partner(block.site().open())).end(),
              block.lock() + ".withLock");
          usesWithLock = true;
        }
        case KotlinRewrite.Replace replace ->
            edits.replace(
                tokens.get(replace.first()).start(),
                tokens.get(replace.last()).end(),
                replace.text());
        case KotlinRewrite.AddFirst add -> {
          if (add.owner().equals(file.own)) {
            first.add(add.declaration());
          } else {
            addFirst(add);
          }
        }
        case KotlinRewrite.AddBelow add -> addBelow(add);
      }
    }
    imports(usesWithLock, first);
    indentation.apply(edits);
    return new Patch.Change(
        file.path,
        new Patch.FileBytes(text.bytesOf(text.text)),
        new Patch.FileBytes(text.bytesOf(edits.apply(text))));
  }

  /**
   * Moves in the lines of a method. Lines within a string stay: their blanks are part of its value.
   */
  private void moveIn(KotlinFile.Site.Method site) {
    boolean isBlock = tokens.is(site.body(), "{");
    int from = tokens.get(isBlock ? site.body() : site.body() + 1).end();
    int last = tokens.get(site.last()).start();
    int to =
        !isBlock
            ? tokens.get(site.last()).end()
            : text.isFirstOnItsLine(last) ? text.lineStart(last) : last;
    String unit = unit(site);
    int at = isBlock ? from : tokens.get(site.body() + 1).start() + 1;
    for (int i = site.body(); i <= site.last(); i++) {
      KotlinTokens.Token token = tokens.get(i);
      if (token.kind() == KotlinTokens.Kind.LITERAL && !text.sameLine(token.start(), token.end())) {
        indentation.moveIn(at, token.start(), unit);
        at = token.end() + 1;
      }
    }
    indentation.moveIn(at, to, unit);
  }

  private String unit(KotlinFile.Site.Method site) {
    return tokens.is(site.body(), "{") && site.body() + 1 < site.last()
        ? indentation.unit(
            tokens.get(site.body() + 1).start(),
            text.indent(tokens.get(site.afterAnnotation()).start()))
        : indentation.unit;
  }

  private void method(KotlinFile.Site.Method site, String head) {
    indentation.remove(
        tokens.get(site.annotation()).start(), tokens.get(site.afterAnnotation() - 1).end(), edits);
    if (tokens.is(site.body(), "{")) {
      block(site, head);
    } else {
      expression(site, head);
    }
  }

  private void expression(KotlinFile.Site.Method site, String head) {
    int start = tokens.get(site.body() + 1).start();
    int end = tokens.get(site.last()).end();
    if (text.sameLine(start, end)) {
      edits.insert(start, head + " ", Edits.IN_LINE);
      edits.insert(end, " }", Edits.IN_LINE);
    } else {
      String outer = text.indent(start);
      edits.insert(start, head + newline + outer + indentation.unit, Edits.IN_LINE);
      edits.insert(end, newline + outer + "}", Edits.IN_LINE);
    }
  }

  private void block(KotlinFile.Site.Method site, String head) {
    int open = tokens.get(site.body()).start();
    int close = tokens.get(site.last()).start();
    boolean closesLine = text.isFirstOnItsLine(close);
    String outer = indentation.of(closesLine ? close : tokens.get(site.afterAnnotation()).start());
    String inner = outer + unit(site);
    if (text.text.substring(open + 1, close).isBlank()) {
      edits.replace(open + 1, close, " " + head + "} ");
    } else if (text.sameLine(open, close)) {
      edits.insert(open + 1, " " + head, Edits.IN_LINE);
      edits.insert(close, "} ", Edits.IN_LINE);
    } else {
      String line = newline + inner + head;
      if (codeFollows(site.body())) {
        edits.replace(open + 1, text.skipBlanks(open + 1), line + newline + inner + unit(site));
      } else {
        edits.insert(text.lineEnd(open), line, Edits.IN_LINE);
      }
      if (closesLine) {
        edits.insert(text.lineStart(close), inner + "}" + newline, Edits.BEFORE_LINE);
      } else {
        edits.replace(text.skipBlanksBack(close), close, newline + inner + "}" + newline + outer);
      }
    }
  }

  /** Returns whether the line of a brace goes on with more than a comment that ends there. */
  private boolean codeFollows(int brace) {
    int from = tokens.get(brace).end();
    int lineEnd = text.lineEnd(from);
    return tokens.get(brace + 1).start() < lineEnd
        || tokens.comments.stream()
            .anyMatch(
                each -> from <= each.start() && each.start() < lineEnd && each.end() > lineEnd);
  }

  private void addFirst(KotlinRewrite.AddFirst add) {
    int open = add.owner().open();
    int next = open + 1;
    int end = tokens.get(open).end();
    if (codeFollows(open)) {
      edits.insert(end, " " + add.declaration() + ";", Edits.IN_LINE);
      return;
    }
    String outer = indentation.of(tokens.get(add.owner().close()).start());
    int declared = file.syntax.afterModifiers(next);
    boolean sameGroup =
        (tokens.is(declared, "val") || tokens.is(declared, "var"))
            && !tokens.hasComment(end, tokens.get(next).start());
    edits.insert(
        text.lineEnd(end),
        newline + outer + indentation.unit + add.declaration() + (sameGroup ? "" : newline),
        Edits.IN_LINE);
  }

  private void addBelow(KotlinRewrite.AddBelow add) {
    int end = tokens.get(add.last()).end();
    int lineEnd = text.lineEnd(end);
    String rest = text.text.substring(end, lineEnd).strip();
    if (rest.isEmpty() || rest.startsWith("//")) {
      String indent = indentation.of(tokens.get(add.first()).start());
      edits.insert(lineEnd, newline + indent + add.declaration(), Edits.IN_LINE);
    } else {
      edits.insert(end, "; " + add.declaration(), Edits.IN_LINE);
    }
  }

  /** Writes the imports, and below them the file's own new properties. */
  private void imports(boolean usesWithLock, List<String> properties) {
    Set<String> names = new TreeSet<>();
    List<ImportRenderer.Known> known = new ArrayList<>();
    int end = file.headerEnd;
    for (KotlinFile.Import one : file.imports) {
      known.add(new ImportRenderer.Known(one.name(), one.start(), one.end()));
      end = one.end();
    }
    if (isMissing(LOCK)) {
      names.add(LOCK);
    }
    if (usesWithLock && isMissing(WITH_LOCK)) {
      names.add(WITH_LOCK);
    }
    OptionalInt above = end > 0 ? OptionalInt.of(end) : OptionalInt.empty();
    new ImportRenderer(text, edits, known, above, 0, "").add(names);
    for (String property : properties) {
      if (above.isPresent()) {
        edits.insert(text.lineEnd(end), newline + newline + property, Edits.IN_LINE);
      } else {
        edits.insert(0, property + newline + newline, Edits.BEFORE_LINE);
      }
    }
  }

  private boolean isMissing(String name) {
    String all = name.substring(0, name.lastIndexOf('.')) + ".*";
    return file.imports.stream()
        .noneMatch(one -> one.name().equals(name) || one.name().equals(all));
  }
}
