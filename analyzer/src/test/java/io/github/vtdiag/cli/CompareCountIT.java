package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.vtdiag.cli.programs.Calls;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs whose calls are counted, those that go wrong first. */
final class CompareCountIT extends Comparing {
  private Forked counted(String options, String how) throws Exception {
    List<String> arguments =
        compare(Jdk.JAVA_21, "--pairs 2 --java-options-after -Dtwice=true " + options);
    arguments.addAll(List.of(Calls.class.getName(), how));
    return run(arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "never|work|1s|completed no call of io.github.vtdiag.cli.programs.Calls#work within 3"
            + " s|thinking",
        "for-ever|never|1s|completed no call of io.github.vtdiag.cli.programs.Calls#never within 3"
            + " s|it printed nothing",
        "for-ever|nope|1s|before any call of io.github.vtdiag.cli.programs.Calls#nope"
            + " completed|there is no method",
        "nothing|work|1s|ended with exit code 0 before any call of|nothing to do",
        "dies|work|1m|ended with exit code 8 while its calls were being counted|out of luck",
        "ends-early|work|1m|too soon after the warm-up of 60 s; give it more work|all done",
        "stops|work|5s|completed no call of io.github.vtdiag.cli.programs.Calls#work in the"
            + " measured|all done"
      })
  void callsThatCannotBeCountedAreASentenceAndTheEndOfTheOutput(
      String how, String method, String warmUp, String sentence, String end) throws Exception {
    // Only what never comes is to be waited for in vain; a busy machine takes long to start a
    // program.
    String timeout = sentence.contains("within 3 s") ? "3s" : "30s";
    Forked refused =
        counted(
            "--timeout "
                + timeout
                + " --duration 1s --warm-up "
                + warmUp
                + " --count "
                + Calls.class.getName()
                + "#"
                + method,
            how);
    assertRefused(refused, "run 1 of 4 (without the change) ", end);
    assertTrue(refused.err().contains(sentence), refused.err());
  }

  /** Each call of the one calls the other, once on one side and twice on the other. */
  @ParameterizedTest
  @ValueSource(strings = {"for-ever", "ends"})
  void callsAreCountedWhetherTheProgramEndsOrNot(String how) throws Exception {
    String method = Calls.class.getName() + "#";
    Forked compared =
        counted(
            "--warm-up 300ms --duration 1500ms --json --count %swork --count beside=%sbeside"
                .formatted(method, method),
            how);
    assertEquals("", compared.err());
    JsonNode report = valid(compared.out());
    assertEquals(2, report.path("measures").size());
    for (JsonNode run : report.path("runs")) {
      assertEquals(
          List.of(method + "work", "beside"), run.path("measured").findValuesAsText("name"));
      double work = run.path("measured").path(0).path("perSecond").asDouble();
      double beside = run.path("measured").path(1).path("perSecond").asDouble();
      assertTrue(work > 0, run.toString());
      int times = run.path("side").asText().equals("AFTER") ? 2 : 1;
      // A line is written between two counts at worst.
      assertEquals(work * times, beside, 5, run.toString());
    }
  }
}
