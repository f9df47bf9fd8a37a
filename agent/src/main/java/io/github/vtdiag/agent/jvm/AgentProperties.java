package io.github.vtdiag.agent.jvm;

import io.github.vtdiag.hang.Diagnosis;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Properties;

/**
 * The facts about the agent that can be read by attaching, without running any code of the agent's.
 * They are the JVM's properties of its agents, which {@code VirtualMachine.getAgentProperties}
 * reads. They are not the system properties; the application does not see them. None of them is
 * ever removed, only emptied: reading them all fails if one is removed meanwhile.
 */
public final class AgentProperties {
  /** The agent's version, as long as it runs. */
  public static final String VERSION = "vtdiag.version";

  /** The file that it records to. */
  public static final String RECORDING = "vtdiag.recording";

  /** The reason why it did not do what it was last asked for; absent if it did. */
  public static final String REFUSED = "vtdiag.refused";

  /** The prefix of the number of a hang that lasts. */
  private static final String HANG = "vtdiag.hang.";

  /**
   * The prefix for the description of that hang: wire name of its kind, whether it is sure, and a
   * statement.
   */
  private static final String HANG_KIND = "vtdiag.hangKind.";

  /** Null where this JDK keeps them elsewhere. */
  private static volatile Properties properties;

  private AgentProperties() {}

  /** Finds the properties. */
  public static void open(Instrumentation instrumentation) {
    try {
      properties = JdkInternals.agentProperties(instrumentation);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      // Then attaching shows less.
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
   * Publishes a hang that lasts.
   *
   * @param number counted from 1 in each JVM
   * @param lines the description of the hang
   */
  public static void found(int number, Diagnosis diagnosis, List<String> lines) {
    // First: a reader that sees the text also sees the kind.
    set(
        HANG_KIND + number,
        diagnosis.kind().wireName() + "\n" + diagnosis.isSure() + "\n" + diagnosis.statement());
    set(HANG + number, String.join("\n", lines));
  }

  public static void ended(int number) {
    remove(HANG + number);
  }

  /** Empties all properties: the agent has left. */
  public static void clear() {
    Properties all = properties;
    if (all != null) {
      List.copyOf(all.stringPropertyNames()).stream()
          .filter(name -> name.startsWith("vtdiag."))
          .forEach(name -> all.setProperty(name, ""));
    }
  }
}
