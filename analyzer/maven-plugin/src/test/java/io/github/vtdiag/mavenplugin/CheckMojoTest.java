package io.github.vtdiag.mavenplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.gate.Measure;
import io.github.vtdiag.gate.Measures;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class CheckMojoTest {
  /** Maven wants each as a field: one that is missing fails here. */
  @Test
  void itHasTheLimitsOfTheGate() {
    Set<String> gate = Measures.ALL.stream().map(Measure::option).collect(Collectors.toSet());
    Set<String> plugin =
        Arrays.stream(CheckMojo.class.getDeclaredFields())
            .filter(CheckMojo::isLimit)
            .map(CheckMojo::option)
            .collect(Collectors.toSet());
    assertEquals(gate, plugin);
  }
}
