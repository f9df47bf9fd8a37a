package vtdiag.agent;

import java.lang.instrument.Instrumentation;

/**
 * The agent's entry. It does as little as possible before {@code main}: options, guards, and a
 * daemon thread that starts the recording while the application starts.
 */
public final class Premain {
  private Premain() {}

  /** Called by the JVM ({@code java.lang.instrument}) before {@code main}. */
  @SuppressWarnings("SystemExitOutsideMain") // help and onerror=fail ask for just that
  public static void premain(String arguments, Instrumentation instrumentation) {
    String environment = System.getenv(AgentOptions.ENVIRONMENT_VARIABLE);
    try {
      AgentOptions options = AgentOptions.parse(environment, arguments);
      if (options.help()) {
        Log.print(AgentOptions.HELP);
        System.exit(0);
      }
      guard();
      Session.begin(options, instrumentation);
    } catch (AgentOptions.OptionException | Unsupported e) {
      fail(environment, arguments, e.getMessage());
    } catch (Throwable e) {
      // An exception that leaves premain would abort the JVM.
      fail(environment, arguments, "the agent cannot start: " + e);
    }
  }

  @SuppressWarnings("SystemExitOutsideMain")
  private static void fail(String environment, String arguments, String message) {
    if (AgentOptions.asksToFail(environment, arguments)) {
      Log.line(message + "; not starting the program (onerror=fail)");
      System.exit(2);
    }
    Log.line(message + "; running without the agent");
  }

  /** A JVM that the agent cannot work in. */
  private static final class Unsupported extends Exception {
    private static final long serialVersionUID = 1L;

    Unsupported(String message) {
      super(message);
    }
  }

  /** Asks before any class that needs the module is linked. */
  private static void guard() throws Unsupported {
    if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty()) {
      throw new Unsupported(
          "the module jdk.jfr is missing; add it with --add-modules jdk.jfr, or use a runtime image"
              + " that has it");
    }
  }
}
