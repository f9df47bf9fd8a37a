package io.github.vtdiag.junit.samples;

import io.github.vtdiag.junit.ShouldNotPin;
import org.junit.jupiter.api.Test;

/** Compiled for a Java without virtual threads too. */
final class Old {
  @Test
  @ShouldNotPin
  void asked() {}

  @Test
  void notAsked() {}
}
