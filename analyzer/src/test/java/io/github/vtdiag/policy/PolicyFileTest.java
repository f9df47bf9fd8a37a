package io.github.vtdiag.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.harrel.jsonschema.ValidatorFactory;
import io.github.vtdiag.baseline.Tolerance;
import io.github.vtdiag.gate.Measures;
import io.github.vtdiag.gate.Policy.Evidence;
import io.github.vtdiag.gate.Policy.Limit;
import io.github.vtdiag.gate.Scope;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.OwnCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class PolicyFileTest {
  private static final Path FILE = Path.of("vtdiag.yml");
  private static final Path SCHEMA = Path.of("..", "docs", "policy.schema.json");

  private static final String WHOLE =
      """
      # yaml-language-server: $schema=https://example.com/policy.schema.json
      limits:
        max-pin: 50ms
        max-capacity-lost: 5%
        max-queue: 10
        max-rate: 60/min
      budgets:
        - owner: application
          max-pin: 20ms
        - package: com.example.orders
          max-count: 0
        - library: org.postgresql:*
          max-total: 1.5s
      warm-up:
        until: com.example.Ready
      allowances:
        - site: com.example.Foo.bar
          reason: "waits for 42.6: see JIRA-1"
          owner: team-db
          expires: 2026-12-31
      baseline:
        file: ci/vtdiag-baseline.json
        tolerance: {factor: 3, pins: 20}
        others: true
      evidence:
        allow-unwatched: true
      own:
        - package: com.example
        - library: com.acme:*
      """;

  /** What breaks a policy, and what is said of it. */
  private static List<List<String>> broken() {
    return List.of(
        List.of("", "line 1: is empty; expected limits, budgets, warm-up, allowances, baseline,"),
        List.of("50ms", "line 1: the policy must have members: limits, budgets,"),
        List.of("- max-pin: 50ms", "line 1: the policy must have members"),
        List.of("own: com.acme", "line 1: own must be a list"),
        List.of("own: [{package: 'a b'}]", "line 1: package is 'a b'; expected a package"),
        List.of("own: [{package: a, library: 'a:b'}]", "line 1: an item of own must have exactly"),
        List.of("limits: {}", "line 1: limits has too few members; expected max-pin, max-total"),
        List.of("limits:", "line 1: limits must have members"),
        List.of(
            "limits:\n  max-pinn: 50ms",
            "line 2: 'max-pinn' is no member of limits (did you mean max-pin?); expected max-pin,"),
        List.of("limit:\n  max-pin: 50ms", "line 1: 'limit' is no member of the policy (did you"),
        List.of("limits:\n  banana: 50ms", "line 2: 'banana' is no member of limits; expected"),
        List.of("limits:\n  ? [a]\n  : 1", "line 2: '' is no member of limits"),
        List.of("limits:\n  max-pin: fast", "line 2: max-pin is 'fast'; expected a duration: 50ms"),
        List.of("limits:\n  max-pin: 50", "line 2: max-pin is '50'; expected a duration"),
        List.of("limits:\n  max-pin:", "line 2: max-pin is missing; expected a duration"),
        List.of("limits:\n  max-pin: [50ms]", "line 2: max-pin must be a duration"),
        List.of("limits:\n  max-count: -1", "line 2: max-count is '-1'; expected a whole number"),
        List.of("limits:\n  max-count: 1.5", "line 2: max-count is '1.5'; expected a whole number"),
        List.of("limits:\n  max-count: '5'", "line 2: max-count is '5'; expected a whole number"),
        List.of(
            "limits:\n  max-capacity-lost: 5%%", "line 2: max-capacity-lost is '5%%'; expected"),
        List.of(
            "limits:\n  max-pin: 1s\n  max-pin: 2s", "line 3: max-pin is there twice in limits"),
        List.of("budgets: {}", "line 1: budgets must be a list"),
        List.of("budgets: []", "line 1: budgets must be a list"),
        List.of(
            "budgets:\n  - max-pin: 1s\n    max-count: 3",
            "line 2: an item of budgets must have exactly one of owner, package, library"),
        List.of(
            "budgets:\n  - owner: jdk\n    package: a.b\n    max-pin: 1s",
            "line 2: an item of budgets must have exactly one of"),
        List.of("budgets:\n  - owner: jdk", "line 2: an item of budgets has too few members"),
        List.of(
            "budgets:\n  - owner: jdk\n    max-queue: 5",
            "line 3: 'max-queue' is no member of an item of budgets"),
        List.of(
            "budgets:\n  - owner: aplication\n    max-pin: 1s",
            "line 2: owner is 'aplication'; expected application, libraries or jdk"),
        List.of(
            "budgets:\n  - library: postgresql\n    max-pin: 1s",
            "line 2: library is 'postgresql'; expected Maven coordinates without a version"),
        List.of(
            "budgets:\n  - package: com.example.*\n    max-pin: 1s",
            "line 2: package is 'com.example.*'; expected a package: com.example"),
        List.of(
            "allowances:\n  - site: a.B\n    reason: x\n    owner: me",
            "line 2: an item of allowances has no expires; it needs one"),
        List.of(
            "allowances:\n  - {site: a.B, reason: x, owner: me, expires: 2026-02-30}",
            "line 2: expires is '2026-02-30'; expected a day: 2026-12-31"),
        List.of(
            "allowances:\n  - {site: a.B, reason: ' ', owner: me, expires: 2026-02-03}",
            "line 2: reason is ' '; expected a text"),
        List.of("warm-up: soon", "line 1: warm-up is 'soon'; expected a duration"),
        List.of("warm-up: {after: x}", "line 1: 'after' is no member of warm-up"),
        List.of("baseline: {tolerance: {factor: 2}}", "line 1: baseline has no file; it needs one"),
        List.of(
            "baseline: {file: a.json, tolerance: {factor: 0.5}}",
            "line 1: factor is '0.5'; expected a number, 1 or more"),
        List.of("evidence: {strict: yes}", "line 1: strict is 'yes'; expected true or false"),
        List.of("limits:\n  max-pin: *x", "is not YAML"),
        List.of("limits: {max-pin: 1s", "is not YAML"),
        List.of("limits:\n\tmax-pin: 1s", "line 2: is not YAML"),
        List.of("a: &a [*a]", "line 1: 'a' is no member of the policy"),
        List.of("limits: {max-pin: 1s}\n---\nlimits: {max-pin: 2s}", "is not YAML"));
  }

  @ParameterizedTest
  @MethodSource("broken")
  void aBrokenPolicyNamesLineMemberAndWhatWasExpected(List<String> broken) {
    DataException refused =
        assertThrows(DataException.class, () -> PolicyFile.parse(FILE, broken.getFirst()));
    assertTrue(refused.getMessage().startsWith("vtdiag.yml"), refused.getMessage());
    assertTrue(refused.getMessage().contains(broken.getLast()), refused.getMessage());
    assertEquals(1, refused.getMessage().lines().count(), refused.getMessage());
  }

  /** An editor must not accept what the gate refuses. */
  @ParameterizedTest
  @MethodSource("broken")
  void theSchemaRefusesWhatTheParserRefuses(List<String> broken) throws IOException {
    boolean isMoreThanAShape =
        broken.getLast().contains("is not YAML")
            || broken.getLast().contains("twice")
            || broken.getFirst().contains("2026-02-30")
            || broken.getFirst().contains("? [a]");
    if (!isMoreThanAShape) {
      assertFalse(validates(broken.getFirst()), broken.getFirst());
    }
  }

  private static boolean validates(String yaml) throws IOException {
    Object loaded = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    return new ValidatorFactory().validate(Files.readString(SCHEMA), json(loaded)).isValid();
  }

  private static String json(Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> members ->
          members.entrySet().stream()
              .map(each -> json(String.valueOf(each.getKey())) + ":" + json(each.getValue()))
              .reduce((a, b) -> a + "," + b)
              .map(all -> "{" + all + "}")
              .orElse("{}");
      case List<?> items ->
          items.contains(items)
              ? "[]"
              : items.stream()
                  .map(PolicyFileTest::json)
                  .reduce((a, b) -> a + "," + b)
                  .map(all -> "[" + all + "]")
                  .orElse("[]");
      case String text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
      default -> value.toString();
    };
  }

  /** In a build the module's folder is not the one in which somebody typed. */
  @Test
  void aPolicyIsNamedAsTheUserKnowsIt(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("vtdiag.yml");
    Files.writeString(file, "limits:\n  max-pin: 50ms\nbaseline: accepted.json\n");
    PolicyFile read = PolicyFile.read(file, "shop/vtdiag.yml");
    assertEquals("shop/vtdiag.yml", read.source());
    assertEquals("shop/vtdiag.yml, line 2", read.limits().getFirst().origin());
    PolicyFile.Baseline baseline = read.baseline().orElseThrow();
    assertEquals("accepted.json (shop/vtdiag.yml, line 3)", baseline.origin());
    assertEquals(folder.resolve("accepted.json"), baseline.file(), "it is found all the same");
    Files.writeString(file, "limits:\n  max-pins: 50ms\n");
    String wrong =
        assertThrows(DataException.class, () -> PolicyFile.read(file, "shop/vtdiag.yml"))
            .getMessage();
    assertTrue(wrong.startsWith("shop/vtdiag.yml"), wrong);
    Files.delete(file);
    String missing =
        assertThrows(DataException.class, () -> PolicyFile.read(file, "shop/vtdiag.yml"))
            .getMessage();
    assertTrue(missing.startsWith("shop/vtdiag.yml: no such file"), missing);
  }

  @Test
  void theSchemaOfTheDocsIsThatOfTheParser() throws IOException {
    assertEquals(PolicySchema.text(), Files.readString(SCHEMA));
  }

  @Test
  void aWholePolicyIsRead() throws Exception {
    assertTrue(validates(WHOLE));
    PolicyFile policy = PolicyFile.parse(FILE, WHOLE);
    assertEquals(
        List.of(
            new Limit(Measures.LONGEST_PIN, 50e6, Scope.all(), "vtdiag.yml, line 3"),
            new Limit(Measures.RATE, 60, Scope.all(), "vtdiag.yml, line 6"),
            new Limit(Measures.CAPACITY_LOST, 0.05, Scope.all(), "vtdiag.yml, line 4"),
            new Limit(Measures.QUEUE, 10, Scope.all(), "vtdiag.yml, line 5"),
            new Limit(Measures.LONGEST_PIN, 20e6, new Scope.Application(), "vtdiag.yml, line 9"),
            new Limit(
                Measures.COUNT,
                0,
                new Scope.InPackage("com.example.orders"),
                "vtdiag.yml, line 11"),
            new Limit(
                Measures.TOTAL,
                1.5e9,
                new Scope.Library("org.postgresql", "*"),
                "vtdiag.yml, line 13")),
        policy.limits());
    assertEquals(Optional.of(new PolicyFile.WarmUp.Until("com.example.Ready")), policy.warmUp());
    assertEquals(LocalDate.of(2026, 12, 31), policy.allowances().getFirst().expires());
    assertEquals("vtdiag.yml, line 17", policy.allowances().getFirst().origin());
    PolicyFile.Baseline baseline = policy.baseline().orElseThrow();
    assertTrue(baseline.file().isAbsolute());
    assertTrue(baseline.file().endsWith("ci/vtdiag-baseline.json"));
    Tolerance normal = Tolerance.NORMAL;
    assertEquals(
        new Tolerance(3, normal.longestNanos(), normal.typicalNanos(), 20, normal.newNanos()),
        baseline.tolerance());
    assertTrue(baseline.others());
    assertEquals(new Evidence(false, false, false, true, false), policy.evidence());
    assertEquals(
        List.of(
            new OwnCode.Name.InPackage("com.example"), new OwnCode.Name.Library("com.acme", "*")),
        policy.own());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limits: {max-pin: PT0.2S}",
        "limits: {max-pin: 200us, max-total: 1m, max-count: 0, min-idle: 20}",
        "limits: {max-rate: 0.5}",
        "budgets: [{library: 'org.postgresql:postgresql', max-rate: 6}]",
        "warm-up: 30s",
        "baseline: vtdiag-baseline.json",
        "allowances: [{site: a.B.*, reason: r, owner: o, expires: '2026-01-01'}]",
        "evidence: {strict: false, allow-hang: true}",
        "own: [{library: 'com.acme:shop'}]",
      })
  void whatTheParserTakesTheSchemaTakes(String yaml) throws Exception {
    PolicyFile.parse(FILE, yaml);
    assertTrue(validates(yaml), yaml);
  }

  @Test
  void everyMeasureHasItsMember() throws Exception {
    for (var measure : Measures.ALL) {
      String value =
          switch (measure.unit()) {
            case DURATION -> "1s";
            case COUNT, RATE, PERCENT -> "1";
          };
      String yaml = "limits: {" + measure.option().substring(2) + ": " + value + "}";
      assertEquals(measure, PolicyFile.parse(FILE, yaml).limits().getFirst().measure());
      assertTrue(validates(yaml), yaml);
    }
  }

  @Test
  void aFileThatIsNoneSaysSo(@TempDir Path folder) throws IOException {
    Path missing = folder.resolve("missing.yml");
    assertTrue(
        assertThrows(DataException.class, () -> PolicyFile.read(missing))
            .getMessage()
            .endsWith("missing.yml: no such file; name a policy with --policy FILE"));
    Path latin = folder.resolve("latin.yml");
    Files.write(latin, new byte[] {'a', (byte) 0xe4, ':'});
    assertTrue(
        assertThrows(DataException.class, () -> PolicyFile.read(latin))
            .getMessage()
            .contains("is not UTF-8"));
    Path large = folder.resolve("large.yml");
    Files.writeString(large, "# " + "x".repeat(2 << 20));
    assertThrows(DataException.class, () -> PolicyFile.read(large));
  }

  @ParameterizedTest
  @CsvSource({
    "max-pinn, max-pin",
    "maxpin, max-pin",
    "min-idel, min-idle",
    "max-cuont, max-count",
  })
  void theNearestNameIsSuggested(String typed, String meant) {
    assertEquals(
        Optional.of(meant),
        Nearest.to(typed, List.of("max-pin", "max-count", "min-idle", "max-capacity-lost")));
    assertEquals(0, Nearest.distance(meant, meant));
    assertEquals(3, Nearest.distance("kitten", "sitting"));
  }
}
