package samples.crawler;

import java.util.LinkedHashMap;
import java.util.Map;

/** The {@code key=value} arguments of a program. An unknown one ends the program. */
record Options(Map<String, String> values) {
  /**
   * Reads the arguments.
   *
   * @param known all keys with their default values, as arguments
   */
  static Options of(String[] arguments, String... known) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String each : known) {
      put(values, each);
    }
    for (String each : arguments) {
      String key = each.substring(0, Math.max(0, each.indexOf('=')));
      if (!values.containsKey(key)) {
        System.err.println("unknown option " + each + "; known, as they are: " + values);
        System.exit(2);
      }
      put(values, each);
    }
    return new Options(values);
  }

  private static void put(Map<String, String> values, String argument) {
    int equals = argument.indexOf('=');
    values.put(argument.substring(0, equals), argument.substring(equals + 1));
  }

  String text(String key) {
    return values.get(key);
  }

  /** Returns a number; ends the program with one line if it is none, or below the least. */
  int number(String key, int least) {
    try {
      int number = Integer.parseInt(text(key));
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The message is below, as for a number that is too small.
    }
    System.err.println(key + " needs a whole number from " + least + ", not '" + text(key) + "'");
    System.exit(2);
    throw new AssertionError();
  }
}
