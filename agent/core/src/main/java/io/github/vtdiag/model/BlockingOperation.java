package io.github.vtdiag.model;

/**
 * The operation in which a pinned thread waited.
 *
 * @param kind the kind of operation
 * @param detail the class parked on or waited for; empty if there is none or it is unknown
 */
public record BlockingOperation(Kind kind, String detail) {

  /** The kinds of blocking operation. */
  public enum Kind {
    SOCKET_READ("socket read"),
    SOCKET_WRITE("socket write"),
    SOCKET_CONNECT("socket connect"),
    SOCKET_ACCEPT("socket accept"),
    SLEEP("sleep"),
    OBJECT_WAIT("Object.wait"),
    MONITOR_ENTRY("monitor entry"),
    CLASS_INITIALIZATION("class initialization"),
    NATIVE("native code"),
    LOCK("lock"),
    CONDITION("condition wait"),
    FUTURE("future"),
    QUEUE("queue"),
    SEMAPHORE("semaphore"),
    LATCH("latch"),
    THREAD_JOIN("thread join"),
    PROCESS_WAIT("process wait"),
    PARK("park"),
    UNKNOWN("unknown operation");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** Returns {@code socket read}, {@code park on java.util.concurrent.Phaser}. */
  public String text() {
    return detail.isEmpty() ? kind.text() : kind.text() + " on " + ClassRef.readable(detail);
  }
}
