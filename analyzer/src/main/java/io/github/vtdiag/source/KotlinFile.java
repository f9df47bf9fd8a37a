package io.github.vtdiag.source;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A Kotlin source file, as far as a patch has to know it: its types, and the places where it takes
 * monitors. It declines what is uncertain.
 */
public final class KotlinFile {
  /**
   * A type, or the class that contains the file's own functions and properties.
   *
   * @param name its binary name; empty if only the compiler knows it
   * @param word the word that declares it: {@code class}, {@code object}, {@code companion}, {@code
   *     interface}, {@code enum}, {@code value}; {@code file} for the file's own class
   * @param label its name after {@code this@}
   * @param keyword the token that declares it
   * @param open the brace of its body, as a token
   * @param close the brace's partner
   */
  public record Type(
      String name, String word, String label, int keyword, int open, int close, Type enclosing) {
    /** Returns whether another type is this one or nested in it. */
    public boolean has(Type other) {
      return open <= other.open && other.close <= close;
    }
  }

  /** An import: the name with an asterisk or an alias, and its place. */
  public record Import(String name, int start, int end) {}

  /** A place that takes a monitor. */
  public sealed interface Site {
    Type type();

    int firstLine();

    int lastLine();

    /**
     * An annotated function or accessor.
     *
     * @param annotation the first token of {@code @Synchronized}
     * @param afterAnnotation the one after it
     * @param body the brace of its body, or the equals sign before its expression
     * @param last the last token of its body
     * @param isExtension whether {@code this} is another object than the one that is locked
     */
    record Method(
        Type type,
        int firstLine,
        int lastLine,
        int annotation,
        int afterAnnotation,
        int body,
        int last,
        boolean isExtension)
        implements Site {}

    /**
     * A call of Kotlin's function {@code synchronized} with a block.
     *
     * @param head the first token of the call
     * @param open the parenthesis before the locked expression
     * @param brace that of its block
     * @param isPlain whether no lambda is around it, which may have a {@code this} of its own
     * @param label the label that a return to its end has to name
     */
    record Block(
        Type type,
        int firstLine,
        int lastLine,
        int head,
        int open,
        int brace,
        boolean isPlain,
        boolean label)
        implements Site {}
  }

  public final Path path;
  public final SourceText text;
  public final KotlinTokens tokens;
  public final KotlinSyntax syntax;
  public final String packageName;
  public final List<Import> imports = new ArrayList<>();
  public final List<Type> types = new ArrayList<>();

  /** The binary names of its types without a body. */
  final Set<String> withoutBody = new HashSet<>();

  /** The end of the package's line. Imports are put below it if there are none yet. */
  public final int headerEnd;

  /** The class of the file's own functions. */
  public final Type own;

  private final List<Site> sites = new ArrayList<>();

  /** The reason why its sites are not known; null if they are. */
  private DeclinedException unknown;

  private KotlinFile(Path path, SourceText text) throws DeclinedException {
    this.path = path;
    this.text = text;
    this.tokens = new KotlinTokens(text.text);
    this.syntax = new KotlinSyntax(text, tokens);
    KotlinHeader header = new KotlinHeader(this);
    this.packageName = header.packageName;
    this.headerEnd = header.end;
    this.own = new Type(inPackage(header.facade()), "file", "", -1, -1, tokens.size(), null);
    types.add(own);
    new KotlinScan(this, types, sites).members(header.next);
  }

  /**
   * Parses a file.
   *
   * @throws DeclinedException if it has an unknown form
   */
  public static KotlinFile parse(Path path, SourceText text) throws DeclinedException {
    try {
      return new KotlinFile(path, text);
    } catch (DeclinedException e) {
      throw DeclinedException.ofSources(path.getFileName() + ": " + e.getMessage());
    } catch (RuntimeException | StackOverflowError e) {
      throw DeclinedException.ofSources(path.getFileName() + " cannot be read as Kotlin: " + e);
    }
  }

  /**
   * Returns whether a class, by its binary name, was compiled from this file, as far as names show.
   */
  public boolean declares(String className) {
    Stream<String> names =
        types.stream()
            .filter(type -> own.equals(type.enclosing()) || own.equals(type))
            .map(Type::name)
            .filter(name -> !name.isEmpty());
    return Stream.concat(names, withoutBody.stream())
        .anyMatch(name -> className.equals(name) || className.startsWith(name + '$'));
  }

  /** Returns the type of that binary name. */
  public Optional<Type> type(String name) {
    return types.stream().filter(type -> type.name().equals(name)).findFirst();
  }

  /**
   * Returns the places where it takes monitors.
   *
   * @throws DeclinedException if these are not certain
   */
  public List<Site> sites() throws DeclinedException {
    if (unknown != null) {
      throw unknown;
    }
    return sites;
  }

  /**
   * A property of a type, or of the file.
   *
   * @param word its {@code val} or {@code var}, as a token; its name follows
   * @param isParameter whether it is declared with the parameters of the constructor
   */
  public record Property(int word, boolean isParameter) {}

  /** Returns the property of that name that a type, or the file, declares itself. */
  public Optional<Property> property(Type type, String name) {
    for (int i = type.open() + 1; i < type.close(); i++) {
      if (isProperty(i, name)) {
        return Optional.of(new Property(i, false));
      }
      if (tokens.partner(i) > i) {
        i = tokens.partner(i);
      }
    }
    for (int i = Math.max(0, type.keyword()); i < type.open(); i++) {
      if (isProperty(i, name)) {
        return Optional.of(new Property(i, true));
      }
    }
    return Optional.empty();
  }

  private boolean isProperty(int token, String name) {
    return (tokens.is(token, "val") || tokens.is(token, "var")) && tokens.is(token + 1, name);
  }

  /**
   * Returns whether the file declares, or may import, a function of that name that is not Kotlin's.
   */
  public boolean declaresFunction(String name) {
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.is(i, "fun") && tokens.is(syntax.parameters(i) - 1, name)) {
        return true;
      }
    }
    return imports.stream().anyMatch(one -> one.name().matches(".* as " + name));
  }

  /**
   * Returns whether the file declares a type of that name, or imports another one than the JDK's.
   */
  public boolean declaresType(String name) {
    return types.stream().anyMatch(type -> type.label().equals(name))
        || imports.stream()
            .anyMatch(
                one ->
                    one.name().matches(".*\\b" + name)
                        && !one.name().equals("java.util.concurrent.locks." + name));
  }

  /** Returns whether a name is used in a type's code, for any purpose. */
  public boolean uses(String word, Type type) {
    return tokens.all.subList(Math.max(0, type.keyword()), type.close()).stream()
        .anyMatch(token -> token.is(word));
  }

  public int line(int token) {
    return text.line(tokens.get(token).start());
  }

  public String textOf(int first, int last) {
    return text.text.substring(tokens.get(first).start(), tokens.get(last).end());
  }

  public String inPackage(String name) {
    return packageName.isEmpty() ? name : packageName + "." + name;
  }

  /** Marks the file's sites as unknown, because of what a token stands for. */
  void refuse(int token, String what) {
    if (unknown == null) {
      unknown =
          new DeclinedException(
              "line %d of %s %s".formatted(line(token), path.getFileName(), what));
    }
  }
}
