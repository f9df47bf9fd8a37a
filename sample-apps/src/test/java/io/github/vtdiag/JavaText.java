package io.github.vtdiag;

import com.github.javaparser.JavaParser;
import com.github.javaparser.JavaToken;
import com.github.javaparser.ParseResult;
import com.github.javaparser.ParserConfiguration;
import com.github.javaparser.ParserConfiguration.LanguageLevel;
import com.github.javaparser.ast.CompilationUnit;
import com.github.javaparser.ast.body.TypeDeclaration;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of a Java file, taken apart by JavaParser's lexer. {@code SourceRulesTest} has javac
 * confirm for each production file that nothing is lost.
 *
 * @param code the tokens without comments and without what stands between the quotes of a literal;
 *     white space is left only where two tokens would run together, so line breaks and comments
 *     inside an expression hide nothing from a regular expression
 * @param strings the values of all string literals and text blocks, in their order
 * @param types the simple names of all types that are declared, nested and local ones among them
 * @param comments with their delimiters; lines of comments below each other are one
 */
record JavaText(String code, List<String> strings, List<String> types, List<String> comments) {
  JavaText {
    strings = List.copyOf(strings);
    types = List.copyOf(types);
    comments = List.copyOf(comments);
  }

  /** With its delimiters; empty if there is none. */
  String firstComment() {
    return comments.isEmpty() ? "" : comments.getFirst();
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException if this is not Java: nothing is skipped
   */
  static JavaText of(String text) {
    ParseResult<CompilationUnit> parsed =
        new JavaParser(
                new ParserConfiguration()
                    .setLanguageLevel(LanguageLevel.JAVA_21)
                    .setPreprocessUnicodeEscapes(true)
                    .setAttributeComments(false))
            .parse(text);
    if (!parsed.isSuccessful()) {
      throw new IllegalArgumentException(parsed.getProblems().toString());
    }
    CompilationUnit file = parsed.getResult().orElseThrow();
    StringBuilder code = new StringBuilder();
    List<String> strings = new ArrayList<>();
    List<String> comments = new ArrayList<>();
    boolean isBelowLine = false;
    JavaToken last = null;
    boolean gap = false;
    for (JavaToken token : file.getTokenRange().orElseThrow()) {
      if (token.getCategory().isComment()) {
        boolean isLine =
            JavaToken.Kind.valueOf(token.getKind()) == JavaToken.Kind.SINGLE_LINE_COMMENT;
        comments.add((isLine && isBelowLine ? comments.removeLast() + "\n" : "") + token.getText());
        isBelowLine = isLine;
      }
      if (token.getCategory().isWhitespaceOrComment()) {
        gap = true;
        continue;
      }
      isBelowLine = false;
      if (gap && last != null && wouldRunTogether(last, token)) {
        code.append(' ');
      }
      switch (JavaToken.Kind.valueOf(token.getKind())) {
        case STRING_LITERAL -> {
          String quoted = token.getText();
          strings.add(quoted.substring(1, quoted.length() - 1).translateEscapes());
          code.append("\"\"");
        }
        case TEXT_BLOCK_LITERAL -> {
          String quoted = token.getText();
          String lines = quoted.substring(quoted.indexOf('\n') + 1, quoted.length() - 3);
          strings.add(lines.stripIndent().translateEscapes());
          code.append("\"\"");
        }
        case CHARACTER_LITERAL -> code.append("' '");
        default -> code.append(token.getText());
      }
      last = token;
      gap = false;
    }
    List<String> types = new ArrayList<>();
    file.walk(TypeDeclaration.class, type -> types.add(type.getNameAsString()));
    return new JavaText(code.toString(), strings, types, comments);
  }

  /** Two words do, and two operators: {@code a - -b}. */
  private static boolean wouldRunTogether(JavaToken left, JavaToken right) {
    return (isWord(left) && isWord(right))
        || (left.getCategory().isOperator() && right.getCategory().isOperator());
  }

  private static boolean isWord(JavaToken token) {
    return Character.isJavaIdentifierPart(token.getText().codePointAt(0));
  }
}
