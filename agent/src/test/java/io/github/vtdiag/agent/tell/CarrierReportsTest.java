package io.github.vtdiag.agent.tell;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class CarrierReportsTest {
  @Test
  void twoCausesAreNamed() {
    assertEquals("", CarrierReports.causes(List.of()));
    assertEquals("holding A", CarrierReports.causes(List.of("holding A")));
    assertEquals("holding A; holding B", CarrierReports.causes(List.of("holding A", "holding B")));
  }

  @Test
  void moreCausesAreCounted() {
    List<String> five = List.of("holding A", "holding B", "holding C", "holding D", "holding E");
    assertEquals("holding A; holding B; and 3 more", CarrierReports.causes(five));
  }
}
