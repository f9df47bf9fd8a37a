package samples.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.vtdiag.testing.Forked;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment with web servers, in its short form. */
class WebIT {
  /** The driver's is the innermost; who waits to enter waits for the repository's. */
  private static final String MONITORS =
      "org\\.postgresql\\..*|samples\\.web\\.Orders\\$Synchronized\\.newest";

  @TempDir Path folder;

  @Tag("full")
  @Test
  void thePinnedVariantIsNamedByItsCauseAndThePoolByItsSize() throws Exception {
    Forked run = Sampled.run(folder, "web", "--short", "--json");
    assertEquals(0, run.exitCode(), run.err());
    JsonNode json = Sampled.valid(run.out());
    assertEquals("[]", json.get("problems").toString());
    assertEquals(4, json.get("tables").size(), run.out());

    JsonNode pinned = diagnosis(json, "synchronized");
    assertTrue(pinned.get("pins").asInt() > 0, pinned.toString());
    assertTrue(pinned.get("first").asText().matches(MONITORS), pinned.toString());
    Sampled.assertNamedIfTheLimit("(" + MONITORS + ")", pinned);
    // Tomcat has monitors of its own, which may hold a carrier for a moment.
    JsonNode mended = diagnosis(json, "repositories with locks");
    assertFalse(mended.get("first").asText().matches(MONITORS), mended.toString());
    JsonNode pool = diagnosis(json, "a pool of 10");
    String first = pool.get("report").get(0).asText();
    // A busy machine computes for so long that nobody waits for a connection.
    assertTrue(
        first.contains("HikariCP (\"orders\", 10)") || first.contains("because threads computed"),
        pool.toString());

    JsonNode versus = json.get("versus").get(0);
    assertTrue(versus.get("ratio").asDouble() > 1, versus.toString());
  }

  private static JsonNode diagnosis(JsonNode json, String label) {
    for (JsonNode each : json.get("diagnoses")) {
      if (each.get("label").asText().startsWith(label)) {
        return each;
      }
    }
    throw new AssertionError("no " + label + " in " + json.get("diagnoses"));
  }
}
