package io.github.vtdiag.report.ci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.JacksonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.validation.SchemaFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What build servers make of what is written for them, each by a reader of its own. */
public final class BuildReports {
  private BuildReports() {}

  /** Reads a test report, and holds it against the schema of Maven's. */
  public static Document junit(String text) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    Document document =
        factory
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    SchemaFactory.newDefaultInstance()
        .newSchema(BuildReports.class.getResource("surefire-test-report.xsd"))
        .newValidator()
        .validate(new DOMSource(document));
    Element suite = document.getDocumentElement();
    // The schema does not say it, and servers count for themselves.
    assertEquals(
        suite.getAttribute("tests"), "" + suite.getElementsByTagName("testcase").getLength());
    assertEquals(
        suite.getAttribute("failures"), "" + suite.getElementsByTagName("failure").getLength());
    assertEquals(
        suite.getAttribute("errors"), "" + suite.getElementsByTagName("error").getLength());
    return document;
  }

  /** The names of the tests, each with what it came to. */
  public static Map<String, String> tests(Document junit) {
    Map<String, String> tests = new LinkedHashMap<>();
    NodeList cases = junit.getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      Element outcome = (Element) test.getElementsByTagName("*").item(0);
      tests.put(
          test.getAttribute("name"),
          outcome == null ? "" : outcome.getTagName() + ": " + outcome.getAttribute("message"));
    }
    assertEquals(cases.getLength(), tests.size(), "two tests of one name");
    return tests;
  }

  /** Reads a log and holds it against the schema of SARIF; the one run in it. */
  public static JsonNode sarif(String text) throws IOException {
    Validator validator =
        new ValidatorFactory().withJsonNodeFactory(new JacksonNode.Factory()).createValidator();
    try (InputStream schema =
        BuildReports.class.getResourceAsStream("/schema/sarif-schema-2.1.0.json")) {
      var uri = validator.registerSchema(new String(schema.readAllBytes(), StandardCharsets.UTF_8));
      Validator.Result result = validator.validate(uri, text);
      assertTrue(
          result.isValid(),
          () ->
              result.getErrors().stream()
                  .map(error -> error.getInstanceLocation() + ": " + error.getError())
                  .toList()
                  .toString());
    }
    JsonNode runs = new ObjectMapper().readTree(text).path("runs");
    assertEquals(1, runs.size());
    return runs.path(0);
  }

  /**
   * A command as GitHub's runner takes it from a line.
   *
   * @param properties unescaped, as {@code data}
   */
  public record Command(String name, Map<String, String> properties, String data) {}

  /** All lines are commands: none is text, and none goes on in the next. */
  public static List<Command> annotations(String text) {
    List<Command> commands = new ArrayList<>();
    assertTrue(text.isEmpty() || text.endsWith("\n"), text);
    for (String line : text.lines().toList()) {
      assertTrue(line.startsWith("::"), line);
      int end = line.indexOf("::", 2);
      String head = line.substring(2, end);
      int space = head.indexOf(' ');
      Map<String, String> properties = new LinkedHashMap<>();
      for (String property : head.substring(space + 1).split(",", -1)) {
        String[] pair = property.split("=", 2);
        String value = pair[1].replace("%0D", "\r").replace("%0A", "\n");
        properties.put(pair[0], value.replace("%3A", ":").replace("%2C", ",").replace("%25", "%"));
      }
      String data = line.substring(end + 2).replace("%0D", "\r").replace("%0A", "\n");
      commands.add(new Command(head.substring(0, space), properties, data.replace("%25", "%")));
    }
    return commands;
  }

  /** What GitLab needs of each issue. */
  public static JsonNode codeQuality(String text) throws IOException {
    JsonNode issues = new ObjectMapper().readTree(text);
    assertTrue(issues.isArray(), text);
    for (JsonNode issue : issues) {
      for (String member : List.of("description", "check_name", "fingerprint", "severity")) {
        assertTrue(issue.path(member).isTextual() && !issue.path(member).asText().isEmpty(), text);
      }
      assertTrue(
          List.of("info", "minor", "major", "critical", "blocker")
              .contains(issue.path("severity").asText()),
          text);
      assertTrue(issue.at("/location/path").asText().matches("(?!\\./).+"), text);
      assertTrue(issue.at("/location/lines/begin").asInt() >= 1, text);
    }
    return issues;
  }
}
