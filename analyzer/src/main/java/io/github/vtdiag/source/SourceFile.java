package io.github.vtdiag.source;

import com.github.javaparser.JavaParser;
import com.github.javaparser.JavaToken;
import com.github.javaparser.ParseResult;
import com.github.javaparser.ParserConfiguration;
import com.github.javaparser.ParserConfiguration.LanguageLevel;
import com.github.javaparser.Problem;
import com.github.javaparser.ast.CompilationUnit;
import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.body.ClassOrInterfaceDeclaration;
import com.github.javaparser.ast.body.CompactConstructorDeclaration;
import com.github.javaparser.ast.body.ConstructorDeclaration;
import com.github.javaparser.ast.body.EnumConstantDeclaration;
import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.InitializerDeclaration;
import com.github.javaparser.ast.body.MethodDeclaration;
import com.github.javaparser.ast.body.Parameter;
import com.github.javaparser.ast.body.TypeDeclaration;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.expr.LambdaExpr;
import com.github.javaparser.ast.expr.MethodCallExpr;
import com.github.javaparser.ast.expr.ObjectCreationExpr;
import com.github.javaparser.ast.stmt.SynchronizedStmt;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A parsed source file: its types, and the code that takes a monitor or needs one. */
public final class SourceFile {
  private static final Set<String> MONITOR_METHODS =
      Set.of("wait", "notify", "notifyAll", "holdsLock");

  /**
   * A statement that JavaParser accepts only for a known Java version, or else takes for an old
   * name.
   */
  private static final Pattern MAY_YIELD = Pattern.compile("(?<![.\\w])yield\\b");

  /**
   * The line, the column and the word of JavaParser's message, without the list of what it knows.
   */
  private static final Pattern UNEXPECTED =
      Pattern.compile("\\(line (\\d+),col (\\d+)\\) Parse error\\. Found +(\"[^\\n]+?\"|<EOF>)");

  /** An escape that ends a line, a comment or a string for javac alone. */
  private static final Pattern CODE_ESCAPE =
      Pattern.compile("\\\\u+00(?:0[aAdD]|22|27|2[aAfF]|5[cC])");

  /**
   * The code that surrounds a node.
   *
   * @param type the innermost type
   * @param method the method's name in the class file; {@link #LAMBDA} in a lambda's body
   * @param parameters the method's parameters; -1 where compilers add some
   * @param isStatic whether there is no {@code this}
   */
  public record Context(SourceType type, String method, int parameters, boolean isStatic) {
    static final String LAMBDA = "lambda$";

    /** Returns whether this is the source of a method of a class file. */
    public boolean canBe(String name, int parameterCount) {
      return method.equals(LAMBDA)
          ? name.startsWith(LAMBDA)
          : method.equals(name) && (parameters < 0 || parameters == parameterCount);
    }
  }

  /**
   * A {@code synchronized}. Not a record, because JavaParser's nodes are equal if their text is:
   * one of two equal statements would be lost.
   */
  public static final class SynchronizedNode {
    public final Context context;

    /** A {@link MethodDeclaration} or {@link SynchronizedStmt}. */
    public final Node node;

    /** The lines that a compiler can give its code, or its {@code monitorenter}. */
    public final int firstLine;

    final int lastLine;

    SynchronizedNode(Context context, Node node, Node last) {
      this.context = context;
      this.node = node;
      this.firstLine = node.getBegin().orElseThrow().line;
      this.lastLine = last.getEnd().orElseThrow().line;
    }
  }

  /** A call of a method that has the name of one that needs the monitor. */
  public static final class CallNode {
    public final Context context;
    public final MethodCallExpr node;

    CallNode(Context context, MethodCallExpr node) {
      this.context = context;
      this.node = node;
    }
  }

  public final Path path;
  public final SourceText text;
  public final CompilationUnit unit;
  public final String packageName;
  public final List<SourceType> types = new ArrayList<>();
  public final List<SynchronizedNode> sites = new ArrayList<>();
  public final List<CallNode> calls = new ArrayList<>();

  /** All names in the file except those of methods. */
  public final Set<String> names = new HashSet<>();

  /** Tells whether Unicode escapes stand for code, so that javac reads another text. */
  final boolean escaped;

  private SourceFile(Path path, SourceText text, CompilationUnit unit, boolean escaped) {
    this.path = path;
    this.escaped = escaped || hasEscapedName(unit);
    this.text = text;
    this.unit = unit;
    this.packageName =
        unit.getPackageDeclaration().map(declared -> declared.getNameAsString()).orElse("");
    for (TypeDeclaration<?> type : unit.getTypes()) {
      walkType(type, null);
    }
    for (JavaToken token : unit.getTokenRange().orElseThrow()) {
      if (token.getCategory().isIdentifier() && !isText(next(token), "(")) {
        names.add(token.getText());
      }
    }
  }

  /** Returns whether a name has an escape, which class files have not. */
  private static boolean hasEscapedName(CompilationUnit unit) {
    for (JavaToken token : unit.getTokenRange().orElseThrow()) {
      if (token.getCategory().isIdentifier() && token.getText().contains("\\u")) {
        return true;
      }
    }
    return false;
  }

  public static SourceFile parse(Path path, SourceText text) throws DeclinedException {
    ParseResult<CompilationUnit> result = null;
    List<Problem> problems = new ArrayList<>();
    boolean escaped = CODE_ESCAPE.matcher(text.text).find();
    try {
      if (MAY_YIELD.matcher(text.text).find()) {
        result = parse(text, LanguageLevel.JAVA_25, escaped);
        problems.addAll(result.getProblems());
      }
      if (result == null || !result.isSuccessful()) {
        // No validation: javac has compiled it, so it is Java of some version.
        result = parse(text, LanguageLevel.RAW, escaped);
      }
      if (!result.isSuccessful() && !escaped && text.text.contains("\\u")) {
        escaped = true;
        result = parse(text, LanguageLevel.RAW, true);
      }
    } catch (RuntimeException | StackOverflowError e) {
      throw DeclinedException.ofSources(path.getFileName() + " cannot be parsed: " + e);
    }
    if (!result.isSuccessful()) {
      problems.addAll(result.getProblems());
      throw DeclinedException.ofSources(
          path.getFileName() + " cannot be parsed" + furthest(problems));
    }
    CompilationUnit unit = result.getResult().orElseThrow();
    if (unit.getTypes().stream().anyMatch(SourceFile::isCompact)) {
      throw new DeclinedException(
          path.getFileName()
              + " is a compact source file (JEP 512), and such files are not patched; write its"
              + " class around it");
    }
    return new SourceFile(path, text, unit, escaped);
  }

  /** Returns where the reading that got furthest ended: the others took words for others. */
  private static String furthest(List<Problem> problems) {
    return problems.stream()
        .map(problem -> UNEXPECTED.matcher(problem.getVerboseMessage()))
        .filter(Matcher::find)
        .max(
            Comparator.comparingInt((Matcher found) -> Integer.parseInt(found.group(1)))
                .thenComparingInt(found -> Integer.parseInt(found.group(2))))
        .map(
            found ->
                " at line %s, column %s: %s is not expected there"
                    .formatted(found.group(1), found.group(2), found.group(3)))
        .orElseGet(
            () -> ": " + problems.getFirst().getVerboseMessage().lines().findFirst().orElse(""));
  }

  private static boolean isCompact(TypeDeclaration<?> type) {
    return type instanceof ClassOrInterfaceDeclaration declared && declared.isCompact();
  }

  private static ParseResult<CompilationUnit> parse(
      SourceText text, LanguageLevel level, boolean escaped) {
    return new JavaParser(
            new ParserConfiguration()
                .setLanguageLevel(level)
                .setAttributeComments(false)
                .setPreprocessUnicodeEscapes(escaped)
                .setTabSize(1))
        .parse(text.text);
  }

  /** Returns whether a variable or a type of the file has the name of a package. */
  public boolean hides(String name) {
    return unit.findFirst(VariableDeclarator.class, each -> each.getNameAsString().equals(name))
            .isPresent()
        || unit.findFirst(Parameter.class, each -> each.getNameAsString().equals(name)).isPresent()
        || types.stream().anyMatch(type -> type.simpleName.equals(name));
  }

  public int start(Node node) {
    return text.offset(node.getBegin().orElseThrow());
  }

  /** Returns the offset after the last character. */
  public int end(Node node) {
    return text.offset(node.getEnd().orElseThrow()) + 1;
  }

  public int start(JavaToken token) {
    return text.offset(token.getRange().orElseThrow().begin);
  }

  public int end(JavaToken token) {
    return text.offset(token.getRange().orElseThrow().end) + 1;
  }

  public String textOf(Node node) {
    return text.text.substring(start(node), end(node));
  }

  public static JavaToken firstToken(Node node) {
    return node.getTokenRange().orElseThrow().getBegin();
  }

  /** Returns where a member begins, with the comments right above it. */
  public int startWithComments(Node member) {
    int start = start(member);
    int lines = 0;
    JavaToken token = firstToken(member).getPreviousToken().orElse(null);
    while (token != null && token.getCategory().isWhitespaceOrComment() && lines < 2) {
      if (token.getCategory().isEndOfLine()) {
        lines++;
      } else if (token.getCategory().isComment()) {
        if (!text.isFirstOnItsLine(start(token))) {
          break;
        }
        start = start(token);
        // The token of a line comment includes its line ending.
        lines = 0;
      }
      token = token.getPreviousToken().orElse(null);
    }
    return start;
  }

  /** Returns the next token that is neither blank nor comment; null at the end. */
  public static JavaToken next(JavaToken token) {
    JavaToken at = token.getNextToken().orElse(null);
    while (at != null && at.getCategory().isWhitespaceOrComment()) {
      at = at.getNextToken().orElse(null);
    }
    return at;
  }

  public static JavaToken previous(JavaToken token) {
    JavaToken at = token.getPreviousToken().orElse(null);
    while (at != null && at.getCategory().isWhitespaceOrComment()) {
      at = at.getPreviousToken().orElse(null);
    }
    return at;
  }

  public static boolean isText(JavaToken token, String text) {
    return token != null && token.getText().equals(text);
  }

  private void walkType(Node node, SourceType enclosing) {
    SourceType type = new SourceType(this, node, enclosing, packageName);
    types.add(type);
    Set<Node> members = Collections.newSetFromMap(new IdentityHashMap<>());
    members.addAll(SourceType.membersIfType(node));
    if (node instanceof TypeDeclaration<?>) {
      // Anything that is no member (annotations, an enum's constants) has only the code of
      // constants.
      Context initializer = new Context(type, "<clinit>", -1, true);
      for (Node child : node.getChildNodes()) {
        if (!members.contains(child)) {
          walk(child, initializer);
        }
      }
    }
    for (BodyDeclaration<?> member : SourceType.membersIfType(node)) {
      walkMember(member, type);
    }
  }

  private void walkMember(BodyDeclaration<?> member, SourceType type) {
    switch (member) {
      case TypeDeclaration<?> nested -> walkType(nested, type);
      case MethodDeclaration method -> {
        boolean isStatic = method.isStatic();
        Context context =
            new Context(type, method.getNameAsString(), method.getParameters().size(), isStatic);
        // A native method has no code that could take another lock, and no monitor in its class.
        if (method.isSynchronized() && !method.isNative()) {
          sites.add(new SynchronizedNode(context, method, method));
        }
        walkChildren(method, context);
      }
      case ConstructorDeclaration constructor ->
          walkChildren(constructor, new Context(type, "<init>", -1, false));
      case CompactConstructorDeclaration constructor ->
          walkChildren(constructor, new Context(type, "<init>", -1, false));
      case InitializerDeclaration initializer ->
          walkChildren(initializer, initializer(type, initializer.isStatic()));
      case FieldDeclaration field ->
          walkChildren(field, initializer(type, field.isStatic() || type.isInterface()));
      default -> walkChildren(member, initializer(type, true));
    }
  }

  private static Context initializer(SourceType type, boolean isStatic) {
    return new Context(type, isStatic ? "<clinit>" : "<init>", -1, isStatic);
  }

  private void walk(Node node, Context context) {
    switch (node) {
      case TypeDeclaration<?> local -> walkType(local, context.type());
      case LambdaExpr lambda ->
          walkChildren(lambda, new Context(context.type(), Context.LAMBDA, -1, context.isStatic()));
      case ObjectCreationExpr creation when creation.getAnonymousClassBody().isPresent() -> {
        creation.getScope().ifPresent(scope -> walk(scope, context));
        creation.getArguments().forEach(argument -> walk(argument, context));
        walkType(creation, context.type());
      }
      case EnumConstantDeclaration constant -> {
        constant.getArguments().forEach(argument -> walk(argument, context));
        walkType(constant, context.type());
      }
      case SynchronizedStmt block -> {
        sites.add(new SynchronizedNode(context, block, block.getExpression()));
        walkChildren(block, context);
      }
      case MethodCallExpr call -> {
        if (MONITOR_METHODS.contains(call.getNameAsString())) {
          calls.add(new CallNode(context, call));
        }
        walkChildren(call, context);
      }
      default -> walkChildren(node, context);
    }
  }

  private void walkChildren(Node node, Context context) {
    for (Node child : node.getChildNodes()) {
      walk(child, context);
    }
  }
}
