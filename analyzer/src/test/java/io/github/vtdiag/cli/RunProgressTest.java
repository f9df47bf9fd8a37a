package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.report.Style;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class RunProgressTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream err = new PrintStream(written, true, StandardCharsets.UTF_8);

  private String tell(PrintStream terminal, boolean verbose) {
    OutputOptions output = new OutputOptions();
    output.verbose = verbose;
    try (RunProgress progress =
        new RunProgress(terminal, new Console(err, err, Style.PLAIN), output)) {
      progress.at(0, 4, "measuring the load generator itself");
      progress.at(1, 4, "starting");
      progress.at(1, 4, "ending");
      progress.at(2, 4, "starting");
    }
    return written.toString(StandardCharsets.UTF_8);
  }

  @Test
  void withoutATerminalNothingIsSaid() {
    assertEquals("", tell(null, false));
  }

  @Test
  void withoutATerminalVerboseIsALineARun() {
    assertEquals(
        """
        vtdiag: measuring the load generator itself
        vtdiag: run 1 of 4
        vtdiag: run 2 of 4
        """,
        tell(null, true));
  }

  @Test
  void onATerminalItIsOneLineThatGoesAway() {
    String clear = "\r\u001b[K";
    assertEquals(
        clear
            + "measuring the load generator itself"
            + clear
            + "run 1 of 4: starting"
            + clear
            + "run 1 of 4: ending"
            + clear
            + "run 2 of 4: starting"
            + clear,
        tell(err, false));
  }
}
