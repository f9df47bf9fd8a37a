package io.github.vtdiag.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import org.junit.jupiter.api.Test;

class HttpGaugeTest {
  /** A program that asks for no port has another one in each run. */
  @Test
  void aPortThatTheSystemChoseIsSaidToChange() {
    String said = HttpGauge.movingPort(URI.create("http://localhost:36813/"));
    assertTrue(said.contains("give it a fixed one"), said);
    assertEquals("", HttpGauge.movingPort(URI.create("http://localhost:8080/")));
    assertEquals("", HttpGauge.movingPort(URI.create("http://localhost/")));
  }
}
