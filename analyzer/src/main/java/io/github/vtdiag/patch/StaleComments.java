package io.github.vtdiag.patch;

import com.github.javaparser.JavaToken;
import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.body.TypeDeclaration;
import io.github.vtdiag.source.SourceFile;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The comments of changed members that speak of monitors: only a reader can correct them. */
final class StaleComments {
  private static final Pattern OF_MONITORS =
      Pattern.compile("\\bsynchroni[sz]|\\bmonitors?\\b", Pattern.CASE_INSENSITIVE);

  private StaleComments() {}

  /**
   * Returns the comments in the members that some rewrites change, and above them, in the order of
   * the sources.
   *
   * @param more comments to add
   */
  static List<Patch.Comment> of(
      Collection<SourceRewrite> rewrites, Collection<Patch.Comment> more) {
    Set<Patch.Comment> found =
        new TreeSet<>(
            Comparator.comparing(Patch.Comment::path).thenComparingInt(Patch.Comment::line));
    found.addAll(more);
    for (SourceRewrite rewrite : rewrites) {
      switch (rewrite) {
        case SourceRewrite.Method method -> add(method.file(), method.node(), found);
        case SourceRewrite.Block block -> add(block.file(), block.node(), found);
        case SourceRewrite.Replace replace -> add(replace.file(), replace.node(), found);
        case SourceRewrite.AddFieldsAfter add -> add(add.file(), add.field(), found);
        case SourceRewrite.AddFields add -> {}
        case SourceRewrite.Import add -> {}
      }
    }
    return List.copyOf(found);
  }

  /** Finds the place where a comment speaks of monitors; empty if it does not. */
  static OptionalInt word(String comment) {
    Matcher word = OF_MONITORS.matcher(comment);
    return word.find() ? OptionalInt.of(word.start()) : OptionalInt.empty();
  }

  private static void add(SourceFile file, Node changed, Set<Patch.Comment> found) {
    Node member = changed;
    while (!(member instanceof BodyDeclaration<?>) && member.getParentNode().isPresent()) {
      member = member.getParentNode().get();
    }
    if (member instanceof TypeDeclaration<?> || !(member instanceof BodyDeclaration<?>)) {
      return;
    }
    int start = file.startWithComments(member);
    int end = file.end(member);
    JavaToken token = SourceFile.firstToken(member);
    while (token.getPreviousToken().isPresent()
        && file.start(token.getPreviousToken().get()) >= start) {
      token = token.getPreviousToken().get();
    }
    for (; token != null && file.start(token) < end; token = token.getNextToken().orElse(null)) {
      if (token.getCategory().isComment()) {
        OptionalInt word = word(token.getText());
        if (word.isPresent()) {
          String before = token.getText().substring(0, word.getAsInt());
          int below = (int) before.chars().filter(character -> character == '\n').count();
          int line = token.getRange().orElseThrow().begin.line + below;
          found.add(new Patch.Comment(file.path, line));
        }
      }
    }
  }
}
