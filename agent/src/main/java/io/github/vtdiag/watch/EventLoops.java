package io.github.vtdiag.watch;

import java.util.List;
import java.util.Set;

/**
 * Tells the idle wait of an event loop that is a virtual thread and runs the scheduler of its own
 * carrier, as in Micronaut's {@code loom-carrier}: where it waits, its carrier has nothing to run,
 * and a task for that carrier wakes it. On a carrier that other threads share, the same wait is a
 * pin.
 */
final class EventLoops {
  /** The loop of Netty that is run by a thread of somebody else, who thus owns the scheduler. */
  private static final String LOOP = "io.netty.channel.ManualIoEventLoop";

  /** Where the JDK's selectors and Netty's own wait in native code. */
  private static final Set<String> WAITS =
      Set.of(
          "sun.nio.ch.EPoll.wait",
          "sun.nio.ch.KQueue.poll",
          "sun.nio.ch.PollSelectorImpl.poll",
          "sun.nio.ch.WEPoll.wait",
          "io.netty.channel.epoll.Native.epollWait",
          "io.netty.channel.epoll.Native.epollWait0",
          "io.netty.channel.kqueue.Native.keventWait",
          "io.netty.channel.uring.Native.ioUringEnter");

  /** The packages of handlers that wait for I/O, and of what they call. */
  private static final List<String> HANDLERS =
      List.of(
          "java.nio.channels.",
          "sun.nio.ch.",
          "io.netty.channel.nio.",
          "io.netty.channel.epoll.",
          "io.netty.channel.kqueue.",
          "io.netty.channel.uring.");

  private EventLoops() {}

  /**
   * Returns whether the loop itself waits for I/O: nothing that a channel called is in between.
   *
   * @param elements the stack, innermost first, of a thread on a carrier of another scheduler than
   *     the JDK's
   */
  static boolean isIdle(List<StackTraceElement> elements) {
    if (elements.isEmpty() || !WAITS.contains(name(elements.getFirst()))) {
      return false;
    }
    for (StackTraceElement element : elements) {
      if (element.getMethodName().equals("run") && element.getClassName().equals(LOOP)) {
        return true;
      }
      // A handler may be wrapped by another one; channels are not reached by methods of that name.
      if (!element.getMethodName().equals("run")
          && HANDLERS.stream().noneMatch(element.getClassName()::startsWith)) {
        return false;
      }
    }
    return false;
  }

  private static String name(StackTraceElement element) {
    return element.getClassName() + "." + element.getMethodName();
  }
}
