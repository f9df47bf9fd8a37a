package io.github.vtdiag.pin;

import io.github.vtdiag.model.BlockingOperation;
import io.github.vtdiag.model.BlockingOperation.Kind;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinEpisode;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Finds what a pinned thread was waiting for, from the JDK frames on top of its stack. */
final class BlockingOperations {
  /** The lock that replaces a monitor in a recording of a what-if. */
  private static final String WHAT_IF_LOCK = "io.github.vtdiag.boot.CanonicalLock";

  /** The operation of a monitor entry in the pinned event of JDK 24+. */
  static final String MONITOR_ENTRY = "Contended monitor enter";

  static final String OBJECT_WAIT = "Object.wait";

  private BlockingOperations() {}

  static BlockingOperation of(PinEpisode episode) {
    String detail = episode.lockClass().orElse("");
    return switch (episode.kind()) {
      case MONITOR_ENTER -> new BlockingOperation(Kind.MONITOR_ENTRY, detail);
      case MONITOR_WAIT -> new BlockingOperation(Kind.OBJECT_WAIT, detail);
      case NATIVE -> new BlockingOperation(Kind.NATIVE, detail);
      case PINNED ->
          switch (episode.blockingOperation().orElse("")) {
            case MONITOR_ENTRY -> new BlockingOperation(Kind.MONITOR_ENTRY, detail);
            case OBJECT_WAIT -> new BlockingOperation(Kind.OBJECT_WAIT, detail);
            default -> fromFrames(episode.stack().frames());
          };
    };
  }

  /**
   * Finds the outermost JDK frame that names an operation: a queue's {@code take} rather than the
   * condition and the park inside it. Its class is what the thread waits at. The object itself is
   * not recorded ({@code jdk.ThreadPark} has no class for a virtual thread).
   */
  private static BlockingOperation fromFrames(List<Frame> frames) {
    Kind kind = Kind.UNKNOWN;
    String type = "";
    for (Frame frame : frames) {
      if (!frame.type().isJdk() && !frame.type().name().equals(WHAT_IF_LOCK)) {
        break;
      }
      Kind named = kind(frame.type().name(), frame.method());
      if (named != Kind.UNKNOWN && (named != Kind.PARK || kind == Kind.UNKNOWN)) {
        kind = named;
        type = frame.type().name();
      }
    }
    return new BlockingOperation(kind, isOfAnObject(kind) ? type : "");
  }

  private static boolean isOfAnObject(Kind kind) {
    return Set.of(Kind.LOCK, Kind.FUTURE, Kind.QUEUE, Kind.LATCH).contains(kind);
  }

  private static Kind kind(String type, String method) {
    return switch (type) {
      case "java.lang.Thread" ->
          method.startsWith("sleep")
              ? Kind.SLEEP
              : method.equals("join") ? Kind.THREAD_JOIN : Kind.UNKNOWN;
      case "java.lang.VirtualThread" ->
          method.startsWith("sleep")
              ? Kind.SLEEP
              : method.startsWith("join") ? Kind.THREAD_JOIN : Kind.UNKNOWN;
      case "java.lang.Object" -> method.startsWith("wait") ? Kind.OBJECT_WAIT : Kind.UNKNOWN;
      case "java.util.concurrent.locks.LockSupport" -> Kind.PARK;
      case "sun.nio.ch.NioSocketImpl",
          "sun.nio.ch.SocketChannelImpl",
          "sun.nio.ch.ServerSocketChannelImpl",
          "sun.nio.ch.DatagramChannelImpl",
          "sun.nio.ch.SocketAdaptor",
          "sun.nio.ch.DatagramSocketAdaptor" ->
          socket(method);
      case "java.lang.Process", "java.lang.ProcessImpl" ->
          method.equals("waitFor") ? Kind.PROCESS_WAIT : Kind.UNKNOWN;
      case "java.util.concurrent.CompletableFuture",
          "java.util.concurrent.FutureTask",
          "java.util.concurrent.ForkJoinTask" ->
          Kind.FUTURE;
      case "java.util.concurrent.Semaphore" -> Kind.SEMAPHORE;
      case "java.util.concurrent.CountDownLatch",
          "java.util.concurrent.CyclicBarrier",
          "java.util.concurrent.Phaser" ->
          Kind.LATCH;
      case "java.util.concurrent.locks.StampedLock",
          "java.util.concurrent.locks.ReentrantLock",
          "java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock",
          "java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock" ->
          Kind.LOCK;
      case WHAT_IF_LOCK -> method.equals("enter") ? Kind.LOCK : Kind.UNKNOWN;
      case "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
          "java.util.concurrent.locks.AbstractQueuedLongSynchronizer$ConditionObject" ->
          Kind.CONDITION;
      case "java.util.concurrent.Exchanger" -> Kind.QUEUE;
      default ->
          type.startsWith("java.util.concurrent.")
                  && (type.endsWith("Queue") || type.endsWith("Deque"))
              ? Kind.QUEUE
              : Kind.UNKNOWN;
    };
  }

  private static Kind socket(String method) {
    String name = method.toLowerCase(Locale.ROOT);
    if (name.contains("read") || name.contains("receive")) {
      return Kind.SOCKET_READ;
    }
    if (name.contains("write") || name.contains("send")) {
      return Kind.SOCKET_WRITE;
    }
    if (name.contains("accept")) {
      return Kind.SOCKET_ACCEPT;
    }
    return name.contains("connect") ? Kind.SOCKET_CONNECT : Kind.UNKNOWN;
  }
}
