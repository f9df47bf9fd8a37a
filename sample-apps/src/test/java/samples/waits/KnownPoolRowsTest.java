package samples.waits;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.waits.KnownPools;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The methods of the table of known pools are there in the libraries that the tests have. */
class KnownPoolRowsTest {
  private static final int COLUMNS = 5;

  private static List<String[]> rows() throws Exception {
    try (InputStream in = KnownPools.class.getResourceAsStream("pools.tsv")) {
      return new String(in.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", -1))
          .toList();
    }
  }

  @Test
  void eachRowSaysInWhichVersionItWasSeen() throws Exception {
    for (String[] row : rows()) {
      assertEquals(COLUMNS, row.length, row[1]);
      assertFalse(row[4].isBlank(), row[1]);
    }
  }

  @Test
  void theMethodsAreThere() throws Exception {
    int seen = 0;
    for (String[] row : rows()) {
      Optional<Class<?>> type = find(row[1]);
      if (type.isPresent()) {
        seen++;
        assertTrue(
            Arrays.stream(type.get().getDeclaredMethods())
                .map(Method::getName)
                .anyMatch(row[2]::equals),
            () -> row[1] + " has no " + row[2]);
      }
    }
    // HikariCP, DBCP2, commons-pool2 twice, httpclient5, H2.
    assertTrue(seen >= 6, seen + " of them are on the class path");
  }

  private static Optional<Class<?>> find(String name) {
    try {
      return Optional.of(Class.forName(name, false, KnownPoolRowsTest.class.getClassLoader()));
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
  }
}
