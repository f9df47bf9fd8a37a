package io.github.vtdiag.pin;

import io.github.vtdiag.model.ServiceInfo;

/** The agent's events of the JVM that it runs in. */
public final class JvmEvents {
  /**
   * What JFR's own event of the JVM says, by the same fields, but for the secrets: it stands for
   * that event where a command line names one.
   */
  public static final String WITHOUT_SECRETS = "vtdiag.Jvm";

  /** What the JVM runs. */
  public static final String SERVICE = "vtdiag.Service";

  private JvmEvents() {}

  /** Whether an event tells of the JVM, as {@link Events#jdkVersion} and others read it. */
  public static boolean isJvm(String type) {
    return type.equals(Events.JVM) || type.equals(WITHOUT_SECRETS);
  }

  /** Reads what the JVM runs. */
  public static ServiceInfo service(EventValues event) {
    return ServiceInfo.of(event::text);
  }
}
