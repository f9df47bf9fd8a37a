package io.github.vtdiag.source;

import java.util.Locale;

/** The annotations of a Kotlin file, its package and its imports. */
final class KotlinHeader {
  private final KotlinFile file;
  private final KotlinTokens tokens;
  private final KotlinSyntax syntax;
  private String jvmName = "";

  /** The package; empty if the file is in none. */
  String packageName = "";

  /** The first token below the header. */
  int next;

  /** The end of the header's last line above the imports; 0 if there is none. */
  int end;

  KotlinHeader(KotlinFile file) {
    this.file = file;
    this.tokens = file.tokens;
    this.syntax = file.syntax;
    while (tokens.is(next, "@") && tokens.is(next + 1, "file") && tokens.is(next + 2, ":")) {
      annotation();
    }
    if (tokens.is(next, "package")) {
      int last = lastOfLine();
      packageName = file.textOf(next + 1, last).replaceAll("[\\s;`]", "");
      end = tokens.get(last).end();
      next = last + 1;
    }
    while (tokens.is(next, "import")) {
      addImport();
    }
  }

  private void annotation() {
    int after =
        tokens.is(next + 3, "[") ? tokens.partner(next + 3) + 1 : syntax.afterAnnotation(next);
    String text = file.textOf(next, after - 1);
    // @file:JvmName("...") has seven tokens.
    if (tokens.is(next + 3, "JvmName") && after - next == 7) {
      jvmName = tokens.get(next + 5).text().replace("\"", "");
    } else if (text.contains("JvmMultifileClass") || text.contains("JvmName")) {
      file.refuse(next, "names the class of its functions in a way that is not known");
    }
    end = tokens.get(after - 1).end();
    next = after;
  }

  private void addImport() {
    int last = lastOfLine();
    String name = file.textOf(next + 1, tokens.is(last, ";") ? last - 1 : last);
    file.imports.add(new KotlinFile.Import(name, tokens.get(next).start(), tokens.get(last).end()));
    if (name.matches("(?i).*\\bsynchronized\\b.*")
        && !name.equals("kotlin.synchronized")
        && !name.equals("kotlin.jvm.Synchronized")) {
      file.refuse(next, "imports another synchronized than Kotlin's");
    }
    next = last + 1;
  }

  private int lastOfLine() {
    int last = next;
    while (last + 1 < tokens.size() && !syntax.isFirstOnItsLine(last + 1)) {
      last++;
    }
    return last;
  }

  /** Returns the class of the file's own functions, without its package. */
  String facade() {
    String plain =
        file.path
            .getFileName()
            .toString()
            .replaceFirst("\\.kt$", "")
            .replaceAll("[^\\p{javaJavaIdentifierPart}]", "_");
    return jvmName.isEmpty()
        ? plain.substring(0, 1).toUpperCase(Locale.ROOT) + plain.substring(1) + "Kt"
        : jvmName;
  }
}
