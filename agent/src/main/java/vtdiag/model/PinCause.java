package vtdiag.model;

import java.util.List;

/**
 * One reason why a blocked virtual thread could not leave its carrier.
 *
 * <p>On JDK 21 to 23 a held monitor is one; since JDK 24 (JEP 491) only native and VM frames and
 * class initialization are.
 */
public sealed interface PinCause {

  /**
   * A frame that holds a monitor.
   *
   * @param depth the frame's place in the stack, 0 the innermost
   * @param frame the frame
   * @param site where it took the monitor
   * @param confidence how sure that is
   * @param objects the locked objects where the pin was sampled; else empty
   */
  record HeldMonitor(
      int depth, Frame frame, LockSite site, Confidence confidence, List<MonitorObject> objects)
      implements PinCause {
    public HeldMonitor {
      objects = List.copyOf(objects);
    }
  }

  /** A native method with Java frames above it, such as an upcall from C. */
  record NativeFrame(int depth, Frame frame) implements PinCause {}

  /** A class initializer that blocks; the JVM itself calls it. */
  record ClassInitializer(int depth, Frame frame) implements PinCause {}

  /** Waiting until another thread has initialized {@code className}. */
  record AwaitedInitialization(String className) implements PinCause {}

  /** A class that the JVM loads through a Java class loader on behalf of {@code requester}. */
  record ClassLoading(int depth, Frame requester) implements PinCause {}

  /** Waiting to enter a monitor that another thread holds, which itself keeps the carrier on 21. */
  record MonitorEntry(Frame frame, String lockClass) implements PinCause {}

  /** {@code Object.wait}, which itself keeps the carrier on 21 to 23. */
  record ObjectWait(Frame caller, String lockClass) implements PinCause {}

  /** A native or VM frame that the recording reports but the stack does not show. */
  record HiddenVmFrame(String reason) implements PinCause {}

  /** Not known, and why not. */
  record Unexplained(String why) implements PinCause {}
}
