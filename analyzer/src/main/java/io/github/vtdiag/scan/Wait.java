package io.github.vtdiag.scan;

/** What a thread can wait for. The names are part of the JSON. */
public enum Wait {
  SLEEP("sleep"),
  OBJECT_WAIT("Object.wait"),
  PARK("park"),
  /** For a lock that another thread holds. */
  LOCK("lock"),
  SOCKET("socket"),
  HOST_NAME("host name lookup"),
  DATABASE("JDBC call"),
  /** Code of the program that is not Java: it may wait, or call Java back, and nothing tells. */
  NATIVE("native code"),
  /** Reads and writes of files, which keep the carrier with and without a monitor. */
  FILE("file");

  private final String text;

  Wait(String text) {
    this.text = text;
  }

  /** Whether it takes its time whatever the other threads do. */
  boolean isOutside() {
    return switch (this) {
      case SLEEP, SOCKET, HOST_NAME, DATABASE -> true;
      case OBJECT_WAIT, PARK, LOCK, NATIVE, FILE -> false;
    };
  }

  public String text() {
    return text;
  }
}
