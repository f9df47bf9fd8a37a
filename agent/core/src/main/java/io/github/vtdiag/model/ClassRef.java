package io.github.vtdiag.model;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A class as a recording names it.
 *
 * @param name the binary name with dots; the address suffix of a hidden class is cut off, because
 *     it differs between runs and JDKs ({@code X$$Lambda+0x...} on 21, {@code X$$Lambda.0x...} on
 *     25)
 * @param loader the name or type of the defining class loader, empty for the bootstrap loader
 * @param source the name of its source file if it is known and not the one that Java's compilers
 *     expect, such as {@code Main.kt} of a class {@code Orders}; else empty. It is not part of the
 *     identity: most stacks of recordings are without it
 */
public record ClassRef(String name, String loader, String source) {
  private static final Pattern GENERATED =
      Pattern.compile(
          "\\$\\$Lambda|LambdaForm\\$|\\$Proxy\\d+|Generated(Method|Constructor|Serialization"
              + "Constructor)Accessor\\d+|CGLIB\\$\\$|\\$ByteBuddy\\$|\\$HibernateProxy|"
              + "\\$MockitoMock\\$|_\\$\\$_|\\$Proxy\\$_\\$\\$|\\$quarkusrestinvoker\\$");

  public ClassRef {
    name = withoutHiddenSuffix(name);
  }

  /** Creates a class whose source file is unknown, or named as Java's compilers expect. */
  public ClassRef(String name, String loader) {
    this(name, loader, "");
  }

  /**
   * Returns the same class, compiled from this file.
   *
   * @param file the name in the class file; empty or null if it has none
   */
  public ClassRef withSource(String file) {
    String other = file == null || file.equals(expectedFile()) ? "" : file;
    return other.equals(source) ? this : new ClassRef(name, loader, other);
  }

  /** Returns the name of the source file: the known one, or else that of its top-level class. */
  public String file() {
    return source.isEmpty() ? expectedFile() : source;
  }

  private String expectedFile() {
    String simple = simpleName();
    int nested = simple.indexOf('$', 1);
    return (nested < 0 ? simple : simple.substring(0, nested)) + ".java";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClassRef type && name.equals(type.name) && loader.equals(type.loader);
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + loader.hashCode();
  }

  /** Cuts {@code +0x...}, {@code .0x...} or {@code /0x...} off a hidden class's name. */
  public static String withoutHiddenSuffix(String name) {
    int at = name.indexOf("0x");
    while (at > 0) {
      char before = name.charAt(at - 1);
      if (before == '+' || before == '.' || before == '/') {
        return name.substring(0, at - 1);
      }
      at = name.indexOf("0x", at + 2);
    }
    return name;
  }

  /** Returns {@code java.lang.Object[]} for {@code [Ljava.lang.Object;}, as JFR names arrays. */
  public static String readable(String name) {
    int dimensions = 0;
    while (dimensions < name.length() && name.charAt(dimensions) == '[') {
      dimensions++;
    }
    if (dimensions == 0) {
      return name;
    }
    String element = name.substring(dimensions);
    String type =
        switch (element) {
          case "Z" -> "boolean";
          case "B" -> "byte";
          case "C" -> "char";
          case "S" -> "short";
          case "I" -> "int";
          case "J" -> "long";
          case "F" -> "float";
          case "D" -> "double";
          default ->
              element.startsWith("L") && element.endsWith(";")
                  ? element.substring(1, element.length() - 1)
                  : element;
        };
    return type + "[]".repeat(dimensions);
  }

  /** Returns the name without its package. */
  public String simpleName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Returns {@code org.postgresql} of a class in any package below it; {@code com} of com.Main. */
  public static String rootPackage(String className) {
    int first = className.indexOf('.');
    int second = className.indexOf('.', first + 1);
    return first < 0 ? "" : className.substring(0, second < 0 ? first : second);
  }

  /** Returns whether the class's name is one of a class that a program or its build makes. */
  public boolean isGenerated() {
    // Most names have neither, and there are many.
    return ((name.indexOf('$') >= 0 || name.contains("Generated"))
            && GENERATED.matcher(name).find())
        // Quarkus makes these beside a bean's class when it builds.
        || name.endsWith("_ClientProxy")
        || name.endsWith("_Subclass");
  }

  /**
   * Returns the class for which this one was made while the program ran, if its name shows it.
   * Examples are a lambda ({@code X$$Lambda}) and a subclass by Spring ({@code X$$SpringCGLIB$$0}).
   */
  public Optional<ClassRef> madeFor() {
    int suffix = name.indexOf("$$");
    return suffix > 0 && isGenerated()
        ? Optional.of(new ClassRef(name.substring(0, suffix), loader))
        : Optional.empty();
  }

  /**
   * Returns whether the class has source code outside the JDK: it is neither the JDK's nor
   * generated.
   */
  public boolean isWritten() {
    // Recordings have frames without a class.
    return !name.isEmpty() && !isJdk() && !isGenerated();
  }

  /**
   * Returns whether the class belongs to the JDK. Some packages are shared with others ({@code
   * javax.servlet}, {@code com.sun.jna}); for these the loader decides.
   */
  public boolean isJdk() {
    if (name.startsWith("java.") || name.startsWith("jdk.")) {
      return true;
    }
    boolean loadedByJdk = loader.isEmpty() || loader.equals("platform");
    return loadedByJdk
        && (name.startsWith("javax.") || name.startsWith("sun.") || name.startsWith("com.sun."));
  }
}
