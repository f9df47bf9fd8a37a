package io.github.vtdiag.report.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.JacksonNode;
import io.github.vtdiag.advice.Advisor;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.Identity;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.report.words.Detail;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What programs are told of a hang. */
final class FindingsJsonTest {
  private static final HangPlace PAY =
      new HangPlace("app.Account.pay", "app.Teller.serve", "app.Account", "app.Account.close");
  private static final HangPlace AUDIT = new HangPlace("app.Ledger.audit", "", "", "");

  private static JsonNode hang(Pins pins) throws IOException {
    Findings findings = pins.findings();
    String json = Formats.JSON.write(analysis(findings), Style.PLAIN);
    Validator.Result result =
        new ValidatorFactory()
            .withJsonNodeFactory(new JacksonNode.Factory())
            .validate(Files.readString(Path.of("..", "docs", "findings.schema.json")), json);
    assertTrue(result.isValid(), () -> result.getErrors() + "\n" + json);
    return new ObjectMapper().readTree(json).at("/recordings/0/hangs/0");
  }

  private static List<String> identities(Pins pins, Function<Identity, String> part) {
    return Identities.of(pins.findings().hangs().getFirst()).keySet().stream().map(part).toList();
  }

  @ParameterizedTest
  @EnumSource
  void eachKindHasTheNameThatRecordingsHave(DiagnosisKind kind) throws Exception {
    Pins pins = new Pins().hang(kind.wireName(), List.of(), "what is said");
    assertEquals(kind.wireName(), hang(pins).path("kind").asText());
    assertFalse(text(pins).contains("does not know"), text(pins));
  }

  @Test
  void anEarlierNameIsTheSameKind() throws Exception {
    Pins pins = new Pins().hang("Forgotten", List.of(), "forgotten: 1 virtual thread waits");
    assertEquals("LostWakeUp", hang(pins).path("kind").asText());
  }

  @Test
  void aKindOfANewerAgentIsSaidToBeUnknown() throws Exception {
    Pins pins = new Pins().hang("Livelock", List.of(), "livelock: 2 threads");
    assertEquals("Livelock", hang(pins).path("kind").asText());
    assertTrue(text(pins).contains("does not know the kind of this hang, Livelock"), text(pins));
  }

  private static String text(Pins pins) {
    return Formats.TEXT.write(analysis(pins.findings()), Style.PLAIN);
  }

  private static Report analysis(Findings findings) {
    return new Report.Analysis(
        findings,
        Advisor.advise(findings, KnownFixes.load(), Advisor::unknown, type -> false),
        Detail.BRIEF,
        List.of());
  }

  @Test
  void ofAnOldRecordingItsKindIsItsIdentityAndNoPlaceIsKnown() throws Exception {
    Pins pins = new Pins().hang("deadlock: 2 threads wait for each other");
    JsonNode findings = hang(pins).path("findings");
    assertEquals(identities(pins, Identity::text), findings.findValuesAsText("identity"));
    assertEquals("[]", findings.path(0).path("places").toString());
  }

  @Test
  void eachPlaceThatKeepsACarrierIsAFinding() throws Exception {
    Pins pins =
        new Pins()
            .hang("DeadlockByPinning", List.of(PAY, AUDIT), "deadlock by pinning: 2 carriers");
    JsonNode findings = hang(pins).path("findings");
    assertEquals(2, findings.size());
    assertEquals(identities(pins, Identity::text), findings.findValuesAsText("identity"));
    assertEquals(identities(pins, Identity::fingerprint), findings.findValuesAsText("fingerprint"));
    assertEquals(
        "[{\"method\":\"app.Account.pay\",\"caller\":\"app.Teller.serve\",\"lock\":\"app.Account\","
            + "\"holder\":\"app.Account.close\"}]",
        findings.path(0).path("places").toString());
    assertEquals(
        "[{\"method\":\"app.Ledger.audit\",\"caller\":null,\"lock\":null,\"holder\":null}]",
        findings.path(1).path("places").toString());
  }
}
