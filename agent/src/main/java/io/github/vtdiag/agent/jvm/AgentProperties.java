package io.github.vtdiag.agent.jvm;

import io.github.vtdiag.hang.Diagnosis;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Properties;

/**
 * What somebody who attaches is told of the agent, without any code of the agent's being run: the
 * JVM's properties of its agents, which {@code VirtualMachine.getAgentProperties} reads. They are
 * not the system properties; the application does not see them. None of them is ever removed, only
 * emptied: the JVM fails to tell of any if one goes away while it does.
 */
public final class AgentProperties {
  /** The agent's version, as long as it is at work. */
  public static final String VERSION = "vtdiag.version";

  /** The file that it records to. */
  public static final String RECORDING = "vtdiag.recording";

  /** Why it did not do what it was last asked for; not there if it did. */
  public static final String REFUSED = "vtdiag.refused";

  /** Followed by the number of a hang that lasts. */
  private static final String HANG = "vtdiag.hang.";

  /** The same for what that hang is: wire name of its kind, whether it is sure, and a statement. */
  private static final String HANG_KIND = "vtdiag.hangKind.";

  /** Null where this JDK keeps them elsewhere. */
  private static volatile Properties properties;

  private AgentProperties() {}

  /** Looks for them. */
  public static void open(Instrumentation instrumentation) {
    try {
      properties = JdkInternals.agentProperties(instrumentation);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      // Who attaches is told less.
      properties = null;
    }
  }

  public static void set(String name, String value) {
    Properties all = properties;
    if (all != null) {
      all.setProperty(name, value);
    }
  }

  public static void remove(String name) {
    Properties all = properties;
    if (all != null && all.containsKey(name)) {
      all.setProperty(name, "");
    }
  }

  /**
   * Says that a hang lasts.
   *
   * @param number counted from 1 in each JVM
   * @param lines what is said of it
   */
  public static void found(int number, Diagnosis diagnosis, List<String> lines) {
    // First: who sees the text sees what it is about.
    set(
        HANG_KIND + number,
        diagnosis.kind().wireName() + "\n" + diagnosis.isSure() + "\n" + diagnosis.statement());
    set(HANG + number, String.join("\n", lines));
  }

  public static void ended(int number) {
    remove(HANG + number);
  }

  /** The agent has left. */
  public static void clear() {
    Properties all = properties;
    if (all != null) {
      List.copyOf(all.stringPropertyNames()).stream()
          .filter(name -> name.startsWith("vtdiag."))
          .forEach(name -> all.setProperty(name, ""));
    }
  }
}
