package io.github.vtdiag.agent.programs;

/** Another agent, which loads the class that its argument names. */
public final class LoadingAgent {
  private LoadingAgent() {}

  public static void premain(String className) throws ClassNotFoundException {
    Class.forName(className);
  }
}
