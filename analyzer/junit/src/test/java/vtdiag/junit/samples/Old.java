package vtdiag.junit.samples;

import org.junit.jupiter.api.Test;
import vtdiag.junit.ShouldNotPin;

/** Compiled for a Java without virtual threads too. */
final class Old {
  @Test
  @ShouldNotPin
  void asked() {}

  @Test
  void notAsked() {}
}
