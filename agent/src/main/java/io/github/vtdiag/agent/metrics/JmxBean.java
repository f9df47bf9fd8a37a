package io.github.vtdiag.agent.metrics;

import java.lang.management.ManagementFactory;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/**
 * Registers the bean once there is a JMX server. Creating one starts logging, and the application's
 * own server if it has one. So that is left to the application, or to a JMX client.
 */
final class JmxBean implements AutoCloseable {
  static final String NAME = "vtdiag:type=VirtualThreads";

  private static final long ROUND_MILLIS = 500;

  private final VirtualThreadsMXBean bean;
  private final Consumer<Exception> failed;
  private final Thread thread;
  private MBeanServer server;
  private boolean closed;

  /**
   * @param failed receives the error that prevented the registration
   */
  JmxBean(VirtualThreadsMXBean bean, ThreadFactory threads, Consumer<Exception> failed) {
    this.bean = bean;
    this.failed = failed;
    // Linked here, so that the caller learns that there is no JMX.
    MBeanServerFactory.findMBeanServer(null);
    thread = threads.newThread(this::await);
    thread.start();
  }

  private void await() {
    try {
      while (MBeanServerFactory.findMBeanServer(null).isEmpty()) {
        TimeUnit.MILLISECONDS.sleep(ROUND_MILLIS);
      }
      register();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (JMException | RuntimeException e) {
      failed.accept(e);
    }
  }

  private synchronized void register() throws JMException {
    if (!closed) {
      MBeanServer platform = ManagementFactory.getPlatformMBeanServer();
      platform.registerMBean(bean, new ObjectName(NAME));
      server = platform;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    thread.interrupt();
    if (server != null) {
      try {
        server.unregisterMBean(new ObjectName(NAME));
      } catch (InstanceNotFoundException e) {
        // It was unregistered already.
      } catch (JMException e) {
        failed.accept(e);
      }
      server = null;
    }
  }
}
