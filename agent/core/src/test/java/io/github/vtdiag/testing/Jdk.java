package io.github.vtdiag.testing;

import java.nio.file.Path;

/** A JDK whose behaviour the tests hold; {@code @EnumSource} runs a test on each. */
public enum Jdk {
  /** Pins on {@code synchronized}. */
  JAVA_21("21"),
  /** After JEP 491: pins on native and VM frames and on class initializers only. */
  JAVA_25("25");

  /** The word that {@code vtdiag jdk} takes. */
  final String release;

  Jdk(String release) {
    this.release = release;
  }

  /** The home of this JDK; a test that asks counts as one that ran on it. */
  public Path home() {
    return Jdks.home(this);
  }

  /** The {@code java} of this JDK; a test that asks counts as one that ran on it. */
  public Path java() {
    return home().resolve("bin/java");
  }
}
