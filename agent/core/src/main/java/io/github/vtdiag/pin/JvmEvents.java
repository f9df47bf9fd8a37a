package io.github.vtdiag.pin;

import io.github.vtdiag.model.ServiceInfo;

/** The agent's events of the JVM that it runs in. */
public final class JvmEvents {
  /**
   * The agent's copy of JFR's event of the JVM, with the same fields, but without secrets. It
   * replaces that event if a command line contains secrets.
   */
  public static final String WITHOUT_SECRETS = "vtdiag.Jvm";

  /** The agent's event for the service that the JVM runs. */
  public static final String SERVICE = "vtdiag.Service";

  /** The agent's event for a port at which the JVM listens. */
  public static final String LISTENING = "vtdiag.Listening";

  private JvmEvents() {}

  /**
   * Returns whether an event describes the JVM, as {@link Events#jdkVersion} and others read it.
   */
  public static boolean isJvm(String type) {
    return type.equals(Events.JVM) || type.equals(WITHOUT_SECRETS);
  }

  /** Reads the port at which the JVM listens. */
  public static int port(EventValues event) {
    return Math.toIntExact(event.number("port"));
  }

  /** Reads the service that the JVM runs. */
  public static ServiceInfo service(EventValues event) {
    return ServiceInfo.of(event::text);
  }
}
