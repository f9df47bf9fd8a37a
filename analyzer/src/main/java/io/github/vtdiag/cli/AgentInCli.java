package io.github.vtdiag.cli;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Printable;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.jar.JarFile;

/**
 * The agent's entry point for users who give a JVM vtdiag-cli.jar as the agent: it has the agent
 * inside.
 */
public final class AgentInCli {
  private static final String ENTRY = "io.github.vtdiag.entry.Entry";

  private AgentInCli() {}

  /** Starts the agent. The JVM calls this before {@code main}, for {@code -javaagent}. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    enter("premain", arguments, instrumentation);
  }

  /** Starts the agent. The JVM calls this when the jar is attached to a running program. */
  public static void agentmain(String arguments, Instrumentation instrumentation) {
    enter("agentmain", arguments, instrumentation);
  }

  /** Calls the agent. An exception that left this method would end the JVM. */
  private static void enter(String method, String arguments, Instrumentation instrumentation) {
    try (JarFile jar = new JarFile(AgentJar.inCache().toFile())) {
      instrumentation.appendToSystemClassLoaderSearch(jar);
      Class.forName(ENTRY, true, ClassLoader.getSystemClassLoader())
          .getMethod(method, String.class, Instrumentation.class)
          .invoke(null, arguments, instrumentation);
    } catch (DataException | IOException | ReflectiveOperationException e) {
      System.err.println(
          "[vtdiag] "
              + Printable.text(String.valueOf(e.getMessage()))
              + "; running without the agent");
    }
  }
}
