package io.github.vtdiag.locksite.oracle;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Records the stack by JFR and, at the same moment, the monitors that the JVM says each of its
 * frames holds ({@code java.lang.LiveStackFrame.getMonitors}, which needs {@code --add-opens
 * java.base/java.lang=ALL-UNNAMED}). Then it parks: the JVM's own account of whether the virtual
 * thread is pinned.
 */
public final class Probe {
  /** Set for the run that counts; the warm-up before it records nothing. */
  static boolean armed;

  static String construct = "";

  private static final StackWalker WALKER;
  private static final Method GET_MONITORS;

  static {
    try {
      Class<?> frame = Class.forName("java.lang.LiveStackFrame");
      Method getStackWalker = frame.getDeclaredMethod("getStackWalker", Set.class);
      getStackWalker.setAccessible(true);
      WALKER =
          (StackWalker)
              getStackWalker.invoke(
                  null, Set.of(Option.RETAIN_CLASS_REFERENCE, Option.SHOW_HIDDEN_FRAMES));
      GET_MONITORS = frame.getDeclaredMethod("getMonitors");
      GET_MONITORS.setAccessible(true);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Probe() {}

  /** One recorded stack, and what the JVM said of it: a line a frame, innermost first. */
  @Name("oracle.Hit")
  @StackTrace
  public static final class Hit extends Event {
    public String construct;
    public String frames;
  }

  /** To be called while monitors are held. Never inlined, so that arming it deoptimizes nobody. */
  public static void hit() {
    if (armed) {
      Hit event = new Hit();
      event.begin();
      event.construct = construct;
      event.frames =
          WALKER.walk(
              frames ->
                  frames
                      .filter(frame -> frame.getDeclaringClass() != Probe.class)
                      .map(Probe::describe)
                      .collect(Collectors.joining("\n")));
      LockSupport.parkNanos(1);
      event.commit();
    }
  }

  /** {@code class|method|descriptor|bci|monitor|monitor...}, the monitors innermost first. */
  private static String describe(StackFrame frame) {
    Object[] monitors;
    try {
      monitors = (Object[]) GET_MONITORS.invoke(frame);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    StringBuilder text = new StringBuilder(frame.getClassName());
    text.append('|').append(frame.getMethodName()).append('|').append(frame.getDescriptor());
    text.append('|').append(frame.getByteCodeIndex());
    for (Object monitor : Arrays.asList(monitors).reversed()) {
      if (monitor != null) { // an interpreted frame keeps the slot of a monitor it gave back
        text.append('|').append(expression(monitor, frame.getDeclaringClass()));
      }
    }
    return text.toString();
  }

  /** The lock as the source names it: locks know their own name. */
  private static String expression(Object monitor, Class<?> declaringClass) {
    return switch (monitor) {
      case Object self when declaringClass.isInstance(self) -> "this";
      case Lock lock -> lock.expression();
      case Class<?> literal ->
          literal.getName().substring(literal.getPackageName().length() + 1) + ".class";
      default -> "?"; // a lock of the JDK
    };
  }

  /** An object to lock that knows the source expression by which it is locked. */
  public static class Lock {
    private final String expression;

    public Lock(String expression) {
      this.expression = expression;
    }

    public String expression() {
      return expression;
    }
  }
}
