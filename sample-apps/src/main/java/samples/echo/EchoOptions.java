package samples.echo;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The arguments of a program here: {@code key=value}, each at most once. */
record EchoOptions(Map<String, String> values) {
  EchoOptions {
    values = Map.copyOf(values);
  }

  /** Reads them; a wrong one ends the program with one line and exit code 2. */
  static EchoOptions of(Set<String> known, String... arguments) {
    Map<String, String> values = new HashMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      String key = equals < 0 ? argument : argument.substring(0, equals);
      if (equals < 0
          || !known.contains(key)
          || values.put(key, argument.substring(equals + 1)) != null) {
        throw wrong("'" + argument + "' is not one key=value of " + known);
      }
    }
    return new EchoOptions(values);
  }

  String text(String key, String usual) {
    return values.getOrDefault(key, usual);
  }

  int number(String key, int usual) {
    String value = values.get(key);
    if (value == null) {
      return usual;
    }
    try {
      int number = Integer.parseInt(value);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The message is below, as for one that is too small.
    }
    throw wrong(key + " needs a whole number above 0, not '" + value + "'");
  }

  static AssertionError wrong(String sentence) {
    System.err.println(sentence);
    System.exit(2);
    return new AssertionError(sentence);
  }
}
