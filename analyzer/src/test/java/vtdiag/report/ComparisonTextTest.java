package vtdiag.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import vtdiag.measure.Comparison;
import vtdiag.measure.Comparison.Figure;
import vtdiag.measure.JavaCommand;
import vtdiag.measure.Peak;
import vtdiag.measure.Plan;
import vtdiag.measure.Ratio;
import vtdiag.measure.Run;
import vtdiag.measure.Side;
import vtdiag.measure.Verdict;

final class ComparisonTextTest {
  private static Run run(Side side, int threads) {
    return new Run(
        side, 1, Optional.empty(), Optional.empty(), Optional.of(new Peak(threads, 64 << 20)));
  }

  @Test
  void theVerdictComesFirstAndWhatToDoLast() {
    JavaCommand command = new JavaCommand("java", List.of(), List.of("Main"));
    Figure throughput = new Figure("throughput", 94.13, 14_700, new Ratio(156.2, 0.94, 25_900));
    Comparison comparison =
        new Comparison(
            new Plan(
                command,
                command,
                List.of("--jdk-after /opt/jdk-25"),
                new Plan.Measure.Printed(Optional.empty(), 1),
                2,
                0,
                Optional.empty()),
            List.of(run(Side.BEFORE, 20), run(Side.AFTER, 1_021)),
            throughput,
            List.of(),
            throughput,
            Verdict.NOT_ENOUGH_EVIDENCE,
            OptionalDouble.empty(),
            List.of("the moon is full"));
    assertEquals(
        """
        NOT ENOUGH EVIDENCE  156 times the throughput, 95% interval 0.94 to 25,900 over 2 pairs
          change: --jdk-after /opt/jdk-25
          operations as the program prints them

                                      before     after  after/before  95% interval
          throughput                  94.1/s  14,700/s           156  0.94 to 25,900
          peak platform threads           20     1,021
          peak memory of the process   64 MB     64 MB

          The runs differ too much among themselves; take more --pairs or longer runs.
          Warning: the moon is full.
        """,
        ComparisonText.of(comparison, Style.PLAIN));
  }
}
