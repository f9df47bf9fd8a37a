package io.github.vtdiag.source;

import io.github.vtdiag.source.KotlinFile.Site;
import io.github.vtdiag.source.KotlinTokens.Token;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the types of a Kotlin file, and the places where it takes monitors. */
final class KotlinScan {
  private static final String SYNCHRONIZED = "synchronized";
  private static final String ANNOTATION = "Synchronized";

  /**
   * Words behind {@code by} after which a brace opens something else than the body of the class. No
   * lambda may follow a call there.
   */
  private static final Set<String> OPENING =
      Set.of("object", "if", "else", "when", "try", "catch", "finally", "fun");

  private final KotlinFile file;
  private final KotlinTokens tokens;
  private final KotlinSyntax syntax;
  private final List<KotlinFile.Type> types;
  private final List<Site> sites;

  /** The tokens at which bodies of functions begin. */
  private final Set<Integer> bodies = new HashSet<>();

  /** Creates a scan that adds its results to two lists. */
  KotlinScan(KotlinFile file, List<KotlinFile.Type> types, List<Site> sites) {
    this.file = file;
    this.tokens = file.tokens;
    this.syntax = file.syntax;
    this.types = types;
    this.sites = sites;
  }

  /** Reads the declarations of the file. */
  void members(int from) {
    scan(from, tokens.size(), file.own, true, true);
  }

  /**
   * Finds types and sites.
   *
   * @param isBody whether these are the members of the type
   * @param isPlain whether no lambda is around them
   */
  private void scan(int from, int to, KotlinFile.Type type, boolean isBody, boolean isPlain) {
    for (int i = from; i < to; i++) {
      Token token = tokens.get(i);
      if (token.is("fun")) {
        function(i);
      } else if (token.is("constructor") || token.is("init")) {
        int params = tokens.is(i + 1, "(") ? tokens.partner(i + 1) + 1 : i + 1;
        int body = syntax.body(params);
        if (body >= 0 && tokens.is(body, "{")) {
          bodies.add(body);
        }
      } else if (token.is("get") || token.is("set")) {
        int body = syntax.isAccessor(i) ? syntax.body(tokens.partner(i + 1) + 1) : -1;
        if (body >= 0) {
          bodies.add(body);
        }
      } else if (token.is(SYNCHRONIZED)) {
        block(i, type, isPlain);
      } else if (token.is(ANNOTATION)) {
        annotation(i, type, isBody);
      }
      if (isTypeKeyword(i)) {
        i = type(i, type, isBody, isPlain);
      } else if (tokens.partner(i) > i) {
        boolean plain = isPlain && (!token.is("{") || bodies.contains(i) || syntax.opensBlock(i));
        scan(i + 1, tokens.partner(i), type, false, plain);
        i = tokens.partner(i);
      }
    }
  }

  private boolean isTypeKeyword(int i) {
    return tokens.is(i, "object")
        || (tokens.is(i, "interface") && tokens.isWord(i + 1))
        || (tokens.is(i, "class") && tokens.isWord(i + 1) && !tokens.is(i - 1, ":"));
  }

  /** Reads a type, and returns its last token. */
  private int type(int keyword, KotlinFile.Type enclosing, boolean isBody, boolean isPlain) {
    boolean isNamed = tokens.isWord(keyword + 1);
    String before = tokens.isWord(keyword - 1) ? tokens.get(keyword - 1).text() : "";
    String word =
        Set.of("companion", "enum", "value").contains(before) ? before : tokens.get(keyword).text();
    String simple =
        isNamed
            ? tokens.get(keyword + 1).text().replace("`", "")
            : word.equals("companion") ? "Companion" : "";
    boolean isKnown =
        isBody && !simple.isEmpty() && (enclosing.equals(file.own) || !enclosing.name().isEmpty());
    boolean delegates = false;
    int open = isNamed ? keyword + 2 : keyword + 1;
    while (!tokens.is(open, "{")) {
      if (syntax.endsHeader(open) || open >= tokens.size()) {
        if (isBody && !simple.isEmpty()) {
          file.withoutBody.add(binaryName(simple, enclosing));
        }
        return open - 1;
      }
      delegates |= tokens.is(open, "by");
      isKnown &= !delegates || !OPENING.contains(tokens.get(open).text());
      if (tokens.partner(open) > open) {
        scan(open + 1, tokens.partner(open), enclosing, false, isPlain);
        open = tokens.partner(open);
      }
      open++;
    }
    isKnown &=
        !delegates
            || (tokens.isWord(open - 1) && !tokens.is(open - 1, "by"))
            || tokens.partner(open - 1) >= 0;
    String name = isKnown ? binaryName(simple, enclosing) : "";
    KotlinFile.Type type =
        new KotlinFile.Type(name, word, simple, keyword, open, tokens.partner(open), enclosing);
    types.add(type);
    scan(word.equals("enum") ? entries(type) : open + 1, type.close(), type, true, true);
    return type.close();
  }

  /** Reads the entries of an enum, whose bodies are classes, and returns the token after them. */
  private int entries(KotlinFile.Type type) {
    int name = type.open() + 1;
    int i = name;
    for (; i < type.close() && !tokens.is(i, ";"); i++) {
      if (tokens.is(i, "@")) {
        i = syntax.afterAnnotation(i) - 1;
      } else if (tokens.is(i, "{")) {
        String simple = tokens.get(name).text().replace("`", "");
        String binary = type.name().isEmpty() ? "" : binaryName(simple, type);
        KotlinFile.Type entry =
            new KotlinFile.Type(
                binary, "an entry of an enum", simple, name, i, tokens.partner(i), type);
        types.add(entry);
        scan(i + 1, entry.close(), entry, true, true);
        i = entry.close();
      } else if (tokens.partner(i) > i) {
        scan(i + 1, tokens.partner(i), type, false, false);
        i = tokens.partner(i);
      } else if (tokens.isWord(i)) {
        name = i;
      }
    }
    return i;
  }

  private String binaryName(String simple, KotlinFile.Type enclosing) {
    return enclosing.equals(file.own) ? file.inPackage(simple) : enclosing.name() + '$' + simple;
  }

  private void function(int fun) {
    int parameters = syntax.parameters(fun);
    int body = parameters < 0 ? -1 : syntax.body(tokens.partner(parameters) + 1);
    if (body >= 0 && tokens.is(body, "{")) {
      bodies.add(body);
    }
  }

  private void block(int word, KotlinFile.Type type, boolean isPlain) {
    if (tokens.is(word - 1, "@") && tokens.isAdjacent(word - 1, word)) {
      if (!tokens.isWord(word - 2) || !tokens.isAdjacent(word - 2, word - 1)) {
        file.refuse(word, "has an annotation that is called synchronized");
      }
      return; // return@synchronized
    }
    boolean isQualified = tokens.is(word - 1, ".");
    boolean isKotlins =
        !isQualified || (tokens.is(word - 2, "kotlin") && !tokens.is(word - 3, "."));
    int open = word + 1;
    if (!isKotlins || !tokens.is(open, "(") || tokens.is(word - 1, "fun")) {
      file.refuse(word, "has another synchronized than Kotlin's block");
      return;
    }
    int close = tokens.partner(open);
    boolean isLabelled = tokens.isWord(close + 1) && tokens.is(close + 2, "@");
    int brace = isLabelled ? close + 3 : close + 1;
    if (!tokens.is(brace, "{")) {
      file.refuse(word, "calls synchronized without a block in braces");
      return;
    }
    sites.add(
        new Site.Block(
            type,
            file.line(word),
            file.line(close),
            isQualified ? word - 2 : word,
            open,
            brace,
            isPlain,
            isLabelled));
  }

  private void annotation(int word, KotlinFile.Type type, boolean isBody) {
    int at = word;
    while (tokens.is(at - 1, ".") && tokens.isWord(at - 2)) {
      at -= 2;
    }
    String name = file.textOf(at, word);
    boolean ofGetter = tokens.is(at - 1, ":") && tokens.is(at - 2, "get");
    boolean ofSetter = tokens.is(at - 1, ":") && tokens.is(at - 2, "set");
    at -= ofGetter || ofSetter ? 3 : 1;
    if (!tokens.is(at, "@")
        || !(name.equals(ANNOTATION) || name.equals("kotlin.jvm.Synchronized"))) {
      file.refuse(word, "names Synchronized in a way that is not known");
      return;
    }
    int after = syntax.afterAnnotation(at);
    int declared = syntax.afterModifiers(after);
    int first = declared;
    int parameters = -1;
    boolean isExtension = false;
    if (tokens.is(declared, "fun") && isBody) {
      parameters = syntax.parameters(declared);
      isExtension = parameters >= 0 && tokens.is(parameters - 2, ".");
    } else if (tokens.is(declared, "val") || tokens.is(declared, "var")) {
      first = ofGetter || ofSetter ? accessor(declared, ofGetter ? "get" : "set") : -1;
      parameters = first < 0 ? -1 : first + 1;
      isExtension = isExtensionProperty(declared);
      if (parameters < 0) {
        file.refuse(word, "has @Synchronized for an accessor that is not written out");
        return;
      }
    } else if (syntax.isAccessor(declared) || isAccessorAfter(at, declared)) {
      parameters = declared + 1;
      int property = declared;
      while (property > type.open() + 1
          && !tokens.is(property, "val")
          && !tokens.is(property, "var")) {
        property =
            tokens.partner(property) >= 0 && tokens.partner(property) < property
                ? tokens.partner(property) - 1
                : property - 1;
      }
      isExtension = isExtensionProperty(property);
    }
    if (parameters < 0) {
      file.refuse(word, "has @Synchronized before something else than a function or an accessor");
      return;
    }
    if (isSuspending(at, after, declared)) {
      file.refuse(word, "has a suspending function that is synchronized");
      return;
    }
    int body = syntax.body(tokens.partner(parameters) + 1);
    if (body >= 0) {
      int last =
          tokens.is(body, "{")
              ? tokens.partner(body)
              : syntax.lastOfExpression(body + 1, !tokens.is(declared, "fun"));
      sites.add(
          new Site.Method(
              type, file.line(first), file.line(last), at, after, body, last, isExtension));
    }
  }

  private boolean isSuspending(int at, int after, int declared) {
    int first = at;
    while (tokens.isWord(first - 1) && KotlinSyntax.isModifier(tokens.get(first - 1).text())) {
      first--;
    }
    for (int i = first; i < declared; i++) {
      if (tokens.is(i, "suspend") && (i < at || i >= after)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether an accessor follows an annotation on its line. */
  private boolean isAccessorAfter(int annotation, int declared) {
    return annotation < declared
        && (tokens.is(declared, "get") || tokens.is(declared, "set"))
        && tokens.is(declared + 1, "(");
  }

  private boolean isExtensionProperty(int property) {
    int name = syntax.afterAngles(property + 1);
    return !tokens.isWord(name)
        || tokens.is(syntax.afterAngles(name + 1), ".")
        || tokens.is(name + 1, "?");
  }

  /** Returns the explicit accessor of a property; -1 if there is none. */
  private int accessor(int property, String which) {
    for (int i = property + 1; i < tokens.size() && !syntax.endsHeader(i); i++) {
      if (tokens.is(i, which) && syntax.isAccessor(i)) {
        return i;
      }
      if (tokens.partner(i) > i) {
        i = tokens.partner(i);
      }
    }
    return -1;
  }
}
