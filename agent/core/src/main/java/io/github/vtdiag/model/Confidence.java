package io.github.vtdiag.model;

/** The certainty that a frame holds a monitor, the highest first. */
public enum Confidence {
  /** The JVM named the locked objects of this very frame while the thread was pinned. */
  EXACT_MONITORS("exact monitors seen"),
  /** The bytes of the loaded class hold a monitor at the frame's bci. */
  LOADED_BYTECODE("bytecode of the loaded class"),
  /** The bytes in a jar or directory hold one, and fit the frame's bci and line. */
  CLASS_PATH_BYTECODE("bytecode from the class path"),
  /** The recording says the method is synchronized; no bytes were needed. */
  METHOD_FLAG("synchronized flag in the recording"),
  /** The bytes do not fit the frame's bci; its line lies in a synchronized block. */
  LINE_ONLY("line only");

  private final String text;

  Confidence(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }
}
