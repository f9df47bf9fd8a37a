package whatif;

import java.lang.instrument.Instrumentation;

/** Another agent with a monitor of its own, which comes before vtdiag's. */
public final class EarlyAgent {
  private static int loaded;

  private EarlyAgent() {}

  public static synchronized void premain(String arguments, Instrumentation instrumentation) {
    loaded = instrumentation.getAllLoadedClasses().length;
    System.setProperty("early", Integer.toString(loaded));
  }
}
