package io.github.vtdiag.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * Runs a test on one JDK, the same one in each build, and on both with {@code -Pfull}: where
 * nothing that is tested depends on the JDK. A class with several such tests has some on each.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(EitherJdk.Choice.class)
public @interface EitherJdk {
  /** The JDKs that a test runs on. */
  final class Choice implements ArgumentsProvider {
    @Override
    public Stream<Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      return of(context.getRequiredTestMethod().getName()).map(Arguments::of);
    }

    /** For a case of a test that has many, some on each JDK. */
    public static Stream<Jdk> of(String name) {
      return of(name, Boolean.getBoolean("vtdiag.full"));
    }

    static Stream<Jdk> of(String name, boolean full) {
      Jdk[] all = Jdk.values();
      return full ? Stream.of(all) : Stream.of(all[Math.floorMod(name.hashCode(), all.length)]);
    }
  }
}
