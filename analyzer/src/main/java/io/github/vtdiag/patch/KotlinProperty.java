package io.github.vtdiag.patch;

import io.github.vtdiag.source.DeclinedException;
import io.github.vtdiag.source.KotlinFile;
import io.github.vtdiag.source.KotlinSyntax;
import io.github.vtdiag.source.KotlinTokens;
import java.util.ArrayList;
import java.util.List;

/** The declaration of a property whose object is locked. */
final class KotlinProperty {
  private final KotlinFile file;
  private final KotlinTokens tokens;
  private final KotlinFile.Property property;

  /** The first modifier; annotations may stand before it. */
  private final int first;

  /** The token of its equals sign; -1 if it is initialized elsewhere. */
  private final int equals;

  KotlinProperty(KotlinFile file, KotlinFile.Property property) {
    this.file = file;
    this.tokens = file.tokens;
    this.property = property;
    int modifier = property.word();
    while (tokens.isWord(modifier - 1)
        && KotlinSyntax.isModifier(tokens.get(modifier - 1).text())) {
      modifier--;
    }
    this.first = modifier;
    int after = property.word() + 2;
    int body = tokens.is(after, "=") ? after : file.syntax.body(after);
    this.equals = !property.isParameter() && body >= 0 && tokens.is(body, "=") ? body : -1;
  }

  boolean isPrivate() {
    for (int i = first; i < property.word(); i++) {
      if (tokens.is(i, "private")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether the property is private and initialized with an object that can only serve as a
   * lock.
   */
  boolean isNewObject() throws DeclinedException {
    boolean isAnnotated =
        !file.syntax.isFirstOnItsLine(first)
            && !tokens.is(first - 1, ";")
            && !tokens.is(first - 1, "{");
    if (equals < 0 || !isPrivate() || isAnnotated) {
      return false;
    }
    String made = file.textOf(equals + 1, last());
    String type =
        equals == property.word() + 2 ? "Any" : file.textOf(property.word() + 3, equals - 1);
    return isObject(type)
        && (made.endsWith("()") && isObject(made.substring(0, made.length() - 2)));
  }

  private static boolean isObject(String type) {
    return List.of("Any", "Object", "java.lang.Object").contains(type);
  }

  /** Returns the edits that make it the lock. */
  List<KotlinRewrite> asLock() throws DeclinedException {
    List<KotlinRewrite> edits = new ArrayList<>();
    if (equals > property.word() + 2) {
      edits.add(new KotlinRewrite.Replace(file, property.word() + 3, equals - 1, "ReentrantLock"));
    }
    edits.add(new KotlinRewrite.Replace(file, equals + 1, last(), "ReentrantLock()"));
    return edits;
  }

  /** Returns the last token of the declaration. */
  int last() throws DeclinedException {
    int last = equals < 0 ? -1 : file.syntax.lastOfExpression(equals + 1, true);
    int next = file.syntax.afterModifiers(last + 1);
    if (last < 0 || tokens.is(next, "get") || tokens.is(next, "set")) {
      throw new DeclinedException(
          "%s is not made where line %d of %s declares it"
              .formatted(
                  tokens.get(property.word() + 1).text(),
                  file.line(property.word()),
                  file.path.getFileName()));
    }
    return last;
  }
}
