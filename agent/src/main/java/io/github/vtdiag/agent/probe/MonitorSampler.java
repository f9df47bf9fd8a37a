package io.github.vtdiag.agent.probe;

import io.github.vtdiag.boot.PinHook;
import io.github.vtdiag.model.MonitorObject;
import io.github.vtdiag.model.MonitorSample.HolderFrame;
import io.github.vtdiag.pin.MonitorSamples;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Asks the JVM which monitors a pinned thread holds, on that thread, at the moment it parks. It
 * does so for a limited number of pins a second, because it walks the stack with its locals.
 *
 * <p>Every pinned park goes to {@code java.lang.VirtualThread.parkOnCarrierThread} (JDK 21 to 23;
 * since 24 monitors do not pin). {@code java.lang.LiveStackFrame}, the JDK's own, has the monitors;
 * {@code java.lang} must be open to the agent.
 */
public final class MonitorSampler implements Runnable {
  private final long intervalNanos;
  private final Consumer<String> sink;
  private final StackWalker walker;
  private final Method getMonitors;
  private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());

  private MonitorSampler(int perSecond, Consumer<String> sink) throws ReflectiveOperationException {
    this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    this.sink = sink;
    Class<?> liveFrame = Class.forName("java.lang.LiveStackFrame");
    Method getStackWalker = liveFrame.getMethod("getStackWalker");
    getStackWalker.setAccessible(true);
    this.walker = (StackWalker) getStackWalker.invoke(null);
    this.getMonitors = liveFrame.getMethod("getMonitors");
    this.getMonitors.setAccessible(true);
  }

  /**
   * Starts sampling, which needs the hook of {@link VirtualThreadHooks}.
   *
   * @param sink receives each sample as {@link MonitorSamples} writes it
   */
  public static void start(int perSecond, Consumer<String> sink)
      throws ReflectiveOperationException {
    MonitorSampler sampler = new MonitorSampler(perSecond, sink);
    sampler.loadAll();
    PinHook.onPinnedPark = sampler;
  }

  /**
   * Loads all classes now: otherwise the first pinned thread would load and link them, and be
   * pinned for that, too.
   */
  private synchronized void loadAll() {
    List<HolderFrame> holders = holders();
    if (holders.isEmpty()) {
      throw new IllegalStateException("the JVM does not tell which monitors a thread holds");
    }
    MonitorSamples.write(holders);
  }

  /**
   * Returns whether the call is woven in: calls the method as the JDK would. The hook throws before
   * the method does anything; without it the method finds nothing to wait for. To be called only
   * when the application has created a virtual thread: this creates one, though it never runs.
   */
  public static boolean isWoven() throws ReflectiveOperationException {
    Method parks =
        Class.forName(VirtualThreadHooks.HOOKED, false, null)
            .getDeclaredMethod(VirtualThreadHooks.PARKS, boolean.class, long.class);
    parks.setAccessible(true);
    // An earlier agent may have proven its own hook.
    PinHook.proven = false;
    PinHook.proverId = Thread.currentThread().threadId();
    try {
      boolean timed = true;
      parks.invoke(Thread.ofVirtual().unstarted(() -> {}), timed, 0L);
    } catch (InvocationTargetException e) {
      // Thrown by the hook, or by the JDK; the hook has recorded which.
    } finally {
      PinHook.proverId = 0;
    }
    return PinHook.proven;
  }

  /** Stops sampling. */
  public static void stop() {
    PinHook.onPinnedPark = null;
  }

  @Override
  public void run() {
    long now = System.nanoTime();
    long next = nextNanos.get();
    if (now - next >= 0 && nextNanos.compareAndSet(next, now + intervalNanos)) {
      sink.accept(MonitorSamples.write(holders()));
    }
  }

  private List<HolderFrame> holders() {
    return walker.walk(frames -> frames.mapMulti(this::holder).toList());
  }

  private void holder(StackWalker.StackFrame frame, Consumer<HolderFrame> holders) {
    Object[] monitors;
    try {
      monitors = (Object[]) getMonitors.invoke(frame);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    List<MonitorObject> held = new ArrayList<>();
    for (Object monitor : monitors) {
      // Null: released already, or removed by the compiler.
      if (monitor != null) {
        held.add(new MonitorObject(monitor.getClass().getName(), System.identityHashCode(monitor)));
      }
    }
    if (!held.isEmpty()) {
      holders.accept(
          new HolderFrame(
              frame.getClassName(),
              frame.getMethodName(),
              frame.getByteCodeIndex(),
              // The JVM lists the outermost first.
              held.reversed()));
    }
  }
}
