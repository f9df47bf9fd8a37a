package samples.experiments;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.JacksonNode;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs {@code vtdiag sample} as the launcher does, and reads what it says. */
final class Sampled {
  private Sampled() {}

  /** The command line before {@code sample}. */
  static List<String> vtdiag() {
    Path top = Jdks.projectFolder();
    return new ArrayList<>(
        List.of(
            Jdk.JAVA_25.java().toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Dvtdiag.home=" + top,
            "-Dvtdiag.jdk21=" + Jdk.JAVA_21.home(),
            "-jar",
            top.resolve("sample-apps/experiments/target/vtdiag-experiments.jar").toString()));
  }

  /** On Java 21, unless the arguments name another. */
  static Forked run(Path folder, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(vtdiag());
    command.add("sample");
    command.addAll(List.of(arguments));
    return Forked.run(
        folder, Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()), command);
  }

  /** What it wrote as JSON, which is as {@code sample-apps/experiments/sample.schema.json} says. */
  static JsonNode valid(String json) throws IOException {
    Path schema = Jdks.projectFolder().resolve("sample-apps/experiments/sample.schema.json");
    Validator.Result result =
        new ValidatorFactory()
            .withJsonNodeFactory(new JacksonNode.Factory())
            .validate(Files.readString(schema), json);
    assertTrue(result.isValid(), () -> result.getErrors() + "\n" + json);
    return new ObjectMapper().readTree(json);
  }

  /**
   * A machine that does other things may leave it open what the limit was, or be busy itself for
   * most of a short run; but who says that it was pins says whose.
   */
  static void assertNamedIfTheLimit(String monitor, JsonNode diagnosis) {
    String first = diagnosis.get("report").get(0).asText();
    assertTrue(
        !first.matches("The carriers were the bottleneck.* were pinned.*")
            || first.matches(".* because of the monitor of " + monitor + ": .*"),
        first);
  }

  /** The one of an array whose {@code label} is this. */
  static JsonNode labelled(JsonNode array, String label) {
    for (JsonNode each : array) {
      if (each.get("label").asText().equals(label)) {
        return each;
      }
    }
    throw new AssertionError("no " + label + " in " + array);
  }
}
