package io.github.vtdiag.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JdksTest {
  private static final Pattern VERSION = Pattern.compile("version \"(\\d+)");

  @ParameterizedTest
  @EnumSource
  void theJdkIsTheOneAskedFor(Jdk jdk) throws Exception {
    Process process =
        new ProcessBuilder(jdk.java().toString(), "-version").redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    int feature =
        VERSION
            .matcher(said)
            .results()
            .map((MatchResult match) -> Integer.parseInt(match.group(1)))
            .findFirst()
            .orElseThrow();
    switch (jdk) {
      case JAVA_21 -> assertEquals(21, feature);
      case JAVA_25 -> assertTrue(feature >= 24, said);
    }
  }
}
