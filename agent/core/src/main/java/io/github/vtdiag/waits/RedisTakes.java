package io.github.vtdiag.waits;

import io.github.vtdiag.model.Frame;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds commands to Redis that wait until there is something to take, as a take from a queue does.
 * The wait for the answer inside looks like one for what the thread has asked.
 */
final class RedisTakes {
  private static final List<String> CLIENTS = List.of("redis.clients.jedis.", "io.lettuce.core.");

  private static final Set<String> TAKES =
      Set.of(
          "blpop",
          "brpop",
          "brpoplpush",
          "blmove",
          "blmpop",
          "bzpopmin",
          "bzpopmax",
          "bzmpop",
          "xread",
          "xreadGroup",
          "xreadgroup",
          "subscribe",
          "psubscribe");

  private RedisTakes() {}

  /**
   * Returns the wait for work of a thread whose code has called such a command.
   *
   * @param frames the innermost first
   */
  static Optional<Awaited> calledBy(List<Frame> frames) {
    boolean inClient = false;
    Frame called = null;
    for (Frame frame : frames) {
      boolean ofClient = CLIENTS.stream().anyMatch(frame.type().name()::startsWith);
      if (!ofClient && frame.type().isWritten()) {
        break;
      }
      inClient |= ofClient;
      // Lettuce's commands are the methods of a proxy.
      if (inClient && (ofClient || TAKES.contains(frame.method()))) {
        called = frame;
      }
    }
    return Optional.ofNullable(called)
        .filter(frame -> TAKES.contains(frame.method()))
        .map(
            frame ->
                new Awaited(
                    Awaited.Kind.IDLE, "Redis " + frame.method(), Set.of(), Optional.of(frame)));
  }
}
