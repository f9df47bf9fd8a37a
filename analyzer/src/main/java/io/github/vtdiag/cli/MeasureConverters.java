package io.github.vtdiag.cli;

import io.github.vtdiag.compare.Plan;
import io.github.vtdiag.compare.Plan.Source.Http;
import io.github.vtdiag.compare.Plan.Source.Printed;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the values of the options that say what to measure. */
final class MeasureConverters {
  private MeasureConverters() {}

  /** Reads a number of users or pairs. */
  static final class Positive implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      if (!text.matches("[1-9]\\d{0,4}")) {
        throw new TypeConversionException("'" + text + "' is not a number from 1 to 99999");
      }
      return Integer.valueOf(text);
    }
  }

  /** Reads requests a second. */
  static final class PerSecond implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      if (!text.matches("\\d{1,6}(\\.\\d+)?(/s)?")
          || Double.parseDouble(text.replace("/s", "")) == 0) {
        throw new TypeConversionException(
            "'" + text + "' is not a rate; write requests a second, such as 200 or 0.5");
      }
      return Double.valueOf(text.replace("/s", ""));
    }
  }

  /** A value with a name for the report; without one the value is its own name. */
  private record Named(String name, String value) {
    private static final Pattern NAME = Pattern.compile("(\\p{L}[\\p{L}\\d_.-]*)=(.+)");

    static Named of(String text) {
      Matcher matcher = NAME.matcher(text);
      return matcher.matches()
          ? new Named(matcher.group(1), matcher.group(2))
          : new Named(text, text);
    }
  }

  /** Reads the address of a server. */
  static final class Url implements ITypeConverter<Http.Target> {
    @Override
    public Http.Target convert(String text) {
      Named named = Named.of(text);
      try {
        URI uri = new URI(named.value());
        if (uri.getHost() != null
            && uri.getScheme() != null
            && uri.getScheme().matches("(?i)https?")) {
          return new Http.Target(named.name(), uri);
        }
      } catch (URISyntaxException e) {
        // Continues at the one message below.
      }
      throw new TypeConversionException(
          "'" + named.value() + "' is not the URL of a server; write http://localhost:8080/path");
    }
  }

  /** Reads a pattern with a group. */
  static final class Operation implements ITypeConverter<Printed.Told> {
    @Override
    public Printed.Told convert(String text) {
      Named named = Named.of(text);
      try {
        Pattern pattern = Pattern.compile(named.value());
        if (pattern.matcher("").groupCount() == 1) {
          return new Printed.Told(named.name(), Optional.of(pattern));
        }
      } catch (PatternSyntaxException e) {
        throw new TypeConversionException(
            "'" + named.value() + "' is not a regular expression: " + e.getDescription());
      }
      throw new TypeConversionException(
          "'" + named.value() + "' must have one group, around the number, as in 'done: (\\d+)'");
    }
  }

  /** Reads a method to count. */
  static final class Method implements ITypeConverter<Plan.Source.Counted.Method> {
    private static final Pattern METHOD = Pattern.compile("[^\\s,:;=#()/]+#[^\\s,:;=#()/]+");

    @Override
    public Plan.Source.Counted.Method convert(String text) {
      Named named = Named.of(text);
      if (!METHOD.matcher(named.value()).matches()) {
        throw new TypeConversionException(
            "'" + named.value() + "' is not a method; write com.example.Pool#borrow");
      }
      return new Plan.Source.Counted.Method(named.name(), named.value());
    }
  }
}
