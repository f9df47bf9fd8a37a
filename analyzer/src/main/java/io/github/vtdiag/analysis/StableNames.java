package io.github.vtdiag.analysis;

import io.github.vtdiag.model.ClassRef;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names of classes and methods without the numbers that compilers and frameworks assign. A new
 * lambda, or another order of class loading, changes all numbers after it.
 */
final class StableNames {
  private record Rule(Pattern pattern, String replacement) {
    static Rule of(String pattern, String replacement) {
      return new Rule(Pattern.compile(pattern), replacement);
    }

    String apply(String name) {
      return pattern.matcher(name).replaceAll(replacement);
    }
  }

  private static final List<Rule> OF_TYPES =
      List.of(
          Rule.of("\\$\\$Lambda.*", "\\$\\$Lambda"),
          // Spring, Guice, cglib: Foo$$EnhancerBySpringCGLIB$$1a2b3c, Foo$$SpringCGLIB$$0.
          Rule.of("\\$\\$(\\w*?)\\$\\$[0-9a-fA-F]+", "\\$\\$$1"),
          // Byte Buddy's: Foo$ByteBuddy$x1Y2, Foo$HibernateProxy$x1Y2, Foo$MockitoMock$123.
          Rule.of("\\$(ByteBuddy|Hibernate\\w*|MockitoMock|auxiliary)\\$\\w+", "\\$$1"),
          Rule.of("_\\$\\$_(jvst|javassist)\\w*", "_\\$\\$_$1"),
          Rule.of("\\$Proxy\\d+", "\\$Proxy"),
          Rule.of("(^|\\.)proxy\\d+\\.", "$1proxy."),
          Rule.of("(Generated\\w*Accessor)\\d+", "$1"),
          // Anonymous and local classes: Foo$1, Foo$1Bar.
          Rule.of("\\$\\d+(?=[$\\p{L}_]|$)", "\\$"));

  private static final Rule OF_METHODS = Rule.of("\\$\\d+(?=\\$|$)", "");

  private StableNames() {}

  static String type(String name) {
    String stable = ClassRef.withoutHiddenSuffix(name);
    for (Rule rule : OF_TYPES) {
      stable = rule.apply(stable);
    }
    return stable;
  }

  /** Returns {@code lambda$get} for {@code lambda$get$0}. */
  static String method(String name) {
    return OF_METHODS.apply(name);
  }

  /** Orders {@code lambda$get$9} before {@code lambda$get$10}. */
  static int byNumber(String a, String b) {
    Optional<Integer> shorter =
        method(a).equals(method(b))
            ? Optional.of(Integer.compare(a.length(), b.length()))
            : Optional.empty();
    return shorter.filter(order -> order != 0).orElseGet(() -> a.compareTo(b));
  }

  /** Returns the stable name of a method with its class, such as {@code com.example.Foo.bar}. */
  static String qualifiedMethod(String name) {
    int dot = name.lastIndexOf('.');
    return dot < 0
        ? method(name)
        : type(name.substring(0, dot)) + "." + method(name.substring(dot + 1));
  }
}
