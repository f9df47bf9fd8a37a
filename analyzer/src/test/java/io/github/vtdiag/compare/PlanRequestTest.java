package io.github.vtdiag.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.DataException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is refused is in the test of the command line, where the sentences are seen. */
class PlanRequestTest {
  private static final RequestedMeasures NOTHING_SAID = measures(List.of(), Optional.empty());

  private static RequestedMeasures measures(
      List<Plan.Source.Http.Target> http, Optional<Double> rate) {
    return new RequestedMeasures(
        http,
        Optional.empty(),
        rate,
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static RequestedChange change(String whatIf, String classPath, String options) {
    return new RequestedChange(
        Optional.ofNullable(whatIf),
        Optional.empty(),
        Optional.ofNullable(classPath),
        Optional.ofNullable(options));
  }

  private static PlanRequest request(
      RequestedChange change, RequestedMeasures measures, boolean recorded) {
    return new PlanRequest(
        List.of("-cp", "app.jar", "Main"),
        Optional.of(Path.of("/jdk")),
        change,
        measures,
        2,
        0,
        recorded);
  }

  private static Plan plan(RequestedChange change, RequestedMeasures measures) throws Exception {
    return request(change, measures, true)
        .plan(() -> Path.of("agent.jar"), note -> assertEquals("", note));
  }

  @Test
  void nothingIsMadeForWhatIsRefused() {
    PlanRequest.AgentJar none =
        () -> {
          throw new AssertionError("the agent's jar is made");
        };
    assertThrows(
        WrongPlanException.class,
        () -> request(change(null, null, null), NOTHING_SAID, true).plan(none, note -> {}));
    assertThrows(
        WrongPlanException.class,
        () -> request(change("auto", null, null), NOTHING_SAID, false).plan(none, note -> {}));
    assertThrows(
        DataException.class,
        () -> request(change("none.json", null, null), NOTHING_SAID, true).plan(none, note -> {}));
  }

  @Test
  void bothSidesAreTheSameButForTheChange() throws Exception {
    Plan plan = plan(change("auto:!a.B", "new.jar", " -Xmx1g  -Da=b "), NOTHING_SAID);
    assertEquals("/jdk/bin/java", plan.before().java());
    assertEquals(List.of(), plan.before().options());
    assertEquals(List.of("-cp", "app.jar", "Main"), plan.before().arguments());
    assertEquals("/jdk/bin/java", plan.after().java());
    assertEquals(List.of("-Xmx1g", "-Da=b"), plan.after().options());
    assertEquals(List.of("-cp", "new.jar", "Main"), plan.after().arguments());
    assertEquals(Optional.of("auto:!a.B"), plan.agent().orElseThrow().whatIf());
    assertEquals(3, plan.changes().size());
  }

  @Test
  void whatIsLeftOutHasADefault() throws Exception {
    Plan.Source printed = plan(change("auto", null, null), NOTHING_SAID).source();
    assertEquals(List.of("operations"), printed.names());

    List<Plan.Source.Http.Target> targets =
        List.of(new Plan.Source.Http.Target("home", URI.create("http://localhost/")));
    Plan closed = plan(change("auto", null, null), measures(targets, Optional.empty()));
    assertEquals(
        new Plan.Source.Http(
            targets,
            new Load.Closed(50),
            60_000_000_000L,
            false,
            5_000_000_000L,
            10_000_000_000L,
            0.01),
        closed.source());
    Plan open = plan(change("auto", null, null), measures(targets, Optional.of(7.5)));
    assertTrue(open.source() instanceof Plan.Source.Http http && http.load() instanceof Load.Open);
  }
}
