package io.github.vtdiag.source;

import java.util.Set;

/** The parts of Kotlin's grammar that can be recognized by looking a few tokens ahead. */
public final class KotlinSyntax {
  /** The words that begin a declaration and are never names. */
  private static final Set<String> DECLARING =
      Set.of("fun", "val", "var", "class", "interface", "object", "typealias");

  private static final Set<String> MODIFIERS =
      Set.of(
          "public",
          "private",
          "protected",
          "internal",
          "open",
          "abstract",
          "final",
          "override",
          "lateinit",
          "const",
          "suspend",
          "inline",
          "noinline",
          "crossinline",
          "tailrec",
          "operator",
          "infix",
          "external",
          "annotation",
          "enum",
          "sealed",
          "data",
          "inner",
          "value",
          "companion",
          "expect",
          "actual");

  /** The words after which an expression goes on. */
  private static final Set<String> UNFINISHED =
      Set.of("as", "is", "in", "else", "throw", "try", "do", "if", "when", "while", "for");

  private static final Set<String> HEADS = Set.of("if", "while", "for", "when", "catch");

  private final SourceText text;
  private final KotlinTokens tokens;

  public KotlinSyntax(SourceText text, KotlinTokens tokens) {
    this.text = text;
    this.tokens = tokens;
  }

  public static boolean isModifier(String word) {
    return MODIFIERS.contains(word);
  }

  /** Returns whether a word begins a declaration, so that the code before it has no body. */
  boolean endsHeader(int index) {
    return index >= tokens.size()
        || (tokens.isWord(index) && DECLARING.contains(tokens.get(index).text()))
        || (tokens.is(index, "init") && tokens.is(index + 1, "{"))
        || tokens.is(index, "}")
        || tokens.is(index, ";");
  }

  /** Returns the token after type arguments that begin at a token, or that token. */
  int afterAngles(int index) {
    if (!tokens.is(index, "<")) {
      return index;
    }
    int depth = 0;
    for (int i = index; i < tokens.size(); i++) {
      if (tokens.is(i, "(")) {
        i = tokens.partner(i);
      } else if (tokens.is(i, "<")) {
        depth++;
      } else if (tokens.is(i, ">") && !(tokens.is(i - 1, "-") && tokens.isAdjacent(i - 1, i))) {
        depth--;
        if (depth == 0) {
          return i + 1;
        }
      }
    }
    return tokens.size();
  }

  /**
   * Returns the beginning of the body of a function or accessor: its brace, or its equals sign.
   *
   * @param index the token after its parameters
   * @return -1 if it has none
   */
  public int body(int index) {
    for (int i = index; !endsHeader(i) && !tokens.is(i, "constructor"); i++) {
      if (tokens.is(i, "{") || tokens.is(i, "=")) {
        return i;
      }
      if (tokens.is(i, "(") || tokens.is(i, "[")) {
        i = tokens.partner(i);
      } else if (i == index && !tokens.is(i, ":") && !tokens.is(i, "where")) {
        return -1;
      }
    }
    return -1;
  }

  /** Returns the token after modifiers and annotations that begin at a token. */
  public int afterModifiers(int index) {
    int i = index;
    while (i < tokens.size()) {
      if (tokens.is(i, "@")) {
        int next = afterAnnotation(i);
        if (next < 0) {
          return i;
        }
        i = next;
      } else if (tokens.isWord(i) && MODIFIERS.contains(tokens.get(i).text())) {
        i++;
      } else {
        return i;
      }
    }
    return i;
  }

  /** Returns the token after an annotation with its arguments; -1 if it has a form of its own. */
  public int afterAnnotation(int at) {
    int i = at + 1;
    if (tokens.isWord(i) && tokens.is(i + 1, ":")) {
      i += 2;
    }
    if (!tokens.isWord(i)) {
      return -1;
    }
    i++;
    while (tokens.is(i, ".") && tokens.isWord(i + 1)) {
      i += 2;
    }
    i = afterAngles(i);
    return tokens.is(i, "(") && tokens.isAdjacent(i - 1, i) ? tokens.partner(i) + 1 : i;
  }

  /**
   * Returns the last token of the expression after the equals sign of a member, or of a property of
   * a file or class.
   *
   * @param accessible whether accessors may follow it
   */
  public int lastOfExpression(int first, boolean accessible) {
    int i = first;
    while (true) {
      if (tokens.partner(i) > i) {
        i = tokens.partner(i);
      }
      int next = i + 1;
      if (next >= tokens.size()
          || tokens.is(next, ";")
          || (tokens.get(next).kind() == KotlinTokens.Kind.SYMBOL
              && tokens.partner(next) >= 0
              && tokens.partner(next) < next)
          || (isFirstOnItsLine(next) && canEnd(i) && declares(next, accessible))) {
        return i;
      }
      i = next;
    }
  }

  public boolean isFirstOnItsLine(int index) {
    return index == 0 || !text.sameLine(tokens.get(index - 1).end(), tokens.get(index).start());
  }

  private boolean canEnd(int index) {
    return switch (tokens.get(index).kind()) {
      case LITERAL -> true;
      case WORD -> !UNFINISHED.contains(tokens.get(index).text());
      case SYMBOL ->
          ")]}?>".contains(tokens.get(index).text())
              || (tokens.is(index - 1, tokens.get(index).text())
                  && "!+-".contains(tokens.get(index).text()));
    };
  }

  private boolean declares(int index, boolean accessible) {
    if (tokens.is(index, "@") || endsHeader(index)) {
      return true;
    }
    String word = tokens.get(index).text();
    return tokens.isWord(index)
        && ((MODIFIERS.contains(word) && tokens.isWord(index + 1))
            || (word.equals("constructor") && tokens.is(index + 1, "("))
            || (accessible && isAccessor(index)));
  }

  boolean isAccessor(int index) {
    return (tokens.is(index, "get") || tokens.is(index, "set"))
        && tokens.is(index + 1, "(")
        && (isFirstOnItsLine(index)
            || (tokens.isWord(index - 1) && MODIFIERS.contains(tokens.get(index - 1).text())));
  }

  /** Returns whether a brace opens the block of a control structure, not a lambda. */
  boolean opensBlock(int brace) {
    int before = brace - 1;
    return tokens.is(before, "else")
        || tokens.is(before, "try")
        || tokens.is(before, "finally")
        || tokens.is(before, "do")
        || (tokens.is(before, ")")
            && tokens.isWord(tokens.partner(before) - 1)
            && HEADS.contains(tokens.get(tokens.partner(before) - 1).text()));
  }

  /** Returns the token of a function's parameters; -1 if it has no name. */
  public int parameters(int fun) {
    int i = afterAngles(fun + 1);
    while (tokens.isWord(i) || tokens.is(i, ".") || tokens.is(i, "?")) {
      i = afterAngles(i + 1);
    }
    return tokens.is(i, "(") && tokens.isWord(i - 1) && i > fun + 1 ? i : -1;
  }
}
