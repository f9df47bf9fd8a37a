package io.github.vtdiag.agent.threads;

import io.github.vtdiag.hang.SeenThread;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The ports on which this program itself listens and from which it waits for answers, although no
 * thread reads what it has sent there.
 *
 * @param byThread the port by the id of the virtual thread that reads from it
 * @param bySelector the port from which a selector waits for an answer, if selectors wait for no
 *     other program's
 */
public record AskedPorts(Map<Long, Integer> byThread, OptionalInt bySelector) {
  /** No such port, or it is unknown. */
  public static final AskedPorts NONE = new AskedPorts(Map.of(), OptionalInt.empty());

  /** Returns whether a thread waits for what may be an answer of this program. */
  static boolean mayAsk(SeenThread thread) {
    return thread.readsSocket() || thread.awaitsCall();
  }

  /** Returns the port from which that thread waits for an answer. */
  OptionalInt of(SeenThread thread) {
    if (thread.awaitsCall()) {
      return bySelector;
    }
    Integer port = thread.readsSocket() ? byThread.get(thread.id()) : null;
    return port == null ? OptionalInt.empty() : OptionalInt.of(port);
  }
}
