package io.github.vtdiag.scan;

/** A kind of wait. The names are part of the JSON. */
public enum Wait {
  SLEEP("sleep"),
  OBJECT_WAIT("Object.wait"),
  PARK("park"),
  /** A wait for a lock that another thread holds. */
  LOCK("lock"),
  SOCKET("socket"),
  HOST_NAME("host name lookup"),
  DATABASE("JDBC call"),
  /** Code of the program that is not Java. It may wait, or call Java back; nothing shows it. */
  NATIVE("native code"),
  /** Reads and writes of files, which keep the carrier with and without a monitor. */
  FILE("file");

  private final String text;

  Wait(String text) {
    this.text = text;
  }

  /** Returns whether the duration does not depend on the other threads. */
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
