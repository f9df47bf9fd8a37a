package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AgentJarTest {
  /** The launcher keeps its Java below the same folder. A variable may be unset or empty. */
  @ParameterizedTest
  @CsvSource({
    "/xdg, /env, /xdg/vtdiag",
    "/xdg,, /xdg/vtdiag",
    "'', /env, /env/.cache/vtdiag",
    ", /env, /env/.cache/vtdiag",
    ", '', /passwd/.cache/vtdiag",
    ",, /passwd/.cache/vtdiag"
  })
  void theCacheIsWhereTheLauncherHasIt(String xdg, String home, String cache) {
    Map<String, String> environment = new HashMap<>();
    if (xdg != null) {
      environment.put("XDG_CACHE_HOME", xdg);
    }
    if (home != null) {
      environment.put("HOME", home);
    }
    assertEquals(Path.of(cache), AgentJar.cache(environment, "/passwd"));
  }
}
