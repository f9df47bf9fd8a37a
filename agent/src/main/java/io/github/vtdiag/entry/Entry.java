package io.github.vtdiag.entry;

import java.lang.instrument.Instrumentation;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The entry of the agent into a JVM that can be diagnosed; for any other it says in one line why
 * not.
 */
public final class Entry {
  /** The first Java that has virtual threads. */
  private static final int OLDEST = 21;

  /** The class of the agent, linked by name once it is known that this JVM can read it. */
  private static final String AGENT = "io.github.vtdiag.agent.lifecycle.Premain";

  /**
   * The known options, for a Java that is too old to load the agent's own reader, which refuses
   * others.
   */
  static final List<String> OPTIONS =
      Arrays.asList(
          "output",
          "threshold",
          "warn",
          "watch",
          "wait",
          "depth",
          "include",
          "exclude",
          "samples",
          "maxsize",
          "onhang",
          "metrics",
          "summary",
          "onerror",
          "rewrite",
          "count",
          "count-output",
          "help");

  private static final Pattern ON_ERROR = Pattern.compile("(?:^|,)\\s*onerror=(\\w+)");

  private Entry() {}

  /** Called by the JVM before {@code main}, for {@code -javaagent}. */
  @SuppressWarnings("SystemExitOutsideMain") // onerror=fail asks for that
  public static void premain(String arguments, Instrumentation instrumentation) {
    boolean failOnError = asksToFail(System.getenv("VTDIAG_OPTIONS"), arguments);
    String obstacle = enter(arguments, instrumentation, false, failOnError);
    if (obstacle != null) {
      obstacle += unknown(System.getenv("VTDIAG_OPTIONS")) + unknown(arguments);
    }
    if (obstacle != null && failOnError) {
      say(obstacle + "; not starting the program (onerror=fail)");
      System.exit(2);
    }
    if (obstacle != null) {
      say(obstacle + "; running without the agent");
    }
  }

  /** Called by the JVM when the agent is attached to a program that runs already. */
  public static void agentmain(String arguments, Instrumentation instrumentation) {
    String obstacle = enter(arguments, instrumentation, true, false);
    if (obstacle != null) {
      say(obstacle + unknown(arguments) + "; not attached");
    }
  }

  /**
   * Hands over to the agent. An exception that left {@code premain} would abort the JVM.
   *
   * @return why the agent cannot run here; null if it can
   */
  private static String enter(
      String arguments, Instrumentation instrumentation, boolean attached, boolean failOnError) {
    try {
      String obstacle = obstacle(System.getProperty("java.vm.name", ""));
      if (obstacle == null) {
        Class.forName(AGENT)
            .getMethod("enter", String.class, Instrumentation.class, boolean.class, boolean.class)
            .invoke(null, arguments, instrumentation, attached, failOnError);
      }
      return obstacle;
    } catch (Throwable e) {
      return "the agent cannot start: " + e;
    }
  }

  static String obstacle(String jvm) {
    if (jvm.contains("OpenJ9") || jvm.contains("Substrate")) {
      return "this JVM is " + jvm + ", but vtdiag knows HotSpot's virtual threads only";
    }
    int feature = feature(System.getProperty("java.specification.version", ""));
    if (feature < OLDEST) {
      return "this is Java "
          + (feature == 0 ? "of an unknown version" : feature)
          + ", but vtdiag needs Java "
          + OLDEST
          + " or later";
    }
    try {
      Class.forName("jdk.jfr.Recording", false, null);
      return null;
    } catch (ClassNotFoundException e) {
      return "the module jdk.jfr is missing: add it with --add-modules jdk.jfr, or use a runtime"
          + " image that has it";
    }
  }

  /** Returns 8 for {@code 1.8}, 17 for {@code 17}, and 0 for anything else. */
  static int feature(String version) {
    try {
      return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /**
   * Returns whether {@code onerror=fail} was asked for, in options that may be unreadable
   * otherwise.
   */
  static boolean asksToFail(String environment, String arguments) {
    Matcher last = ON_ERROR.matcher((environment == null ? "" : environment) + "," + arguments);
    boolean fail = false;
    while (last.find()) {
      fail = last.group(1).equals("fail");
    }
    return fail;
  }

  /** Names the unknown options, which would stop the agent on the next Java, too. */
  static String unknown(String options) {
    StringBuilder unknown = new StringBuilder();
    if (options != null && !options.trim().isEmpty()) {
      for (String option : options.split(",", -1)) {
        int equals = option.indexOf('=');
        String key = (equals < 0 ? option : option.substring(0, equals)).trim();
        if (!OPTIONS.contains(key)) {
          unknown.append("; unknown option '").append(key).append('\'');
        }
      }
    }
    return unknown.toString();
  }

  private static void say(String text) {
    System.err.println("[vtdiag] " + text);
  }
}
