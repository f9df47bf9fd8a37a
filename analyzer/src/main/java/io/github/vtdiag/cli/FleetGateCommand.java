package io.github.vtdiag.cli;

import io.github.vtdiag.fleet.FleetGate;
import io.github.vtdiag.fleet.FleetVerdict;
import io.github.vtdiag.gate.Policy;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.policy.PolicyFile;
import io.github.vtdiag.report.Report;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code vtdiag fleet gate}. */
@Command(
    name = "gate",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Judges the recordings of each service by a policy, as vtdiag gate judges one run. It fails"
            + " if one service fails.",
    footer = {
      "",
      "Exit codes: 0 PASS, 1 FAIL, 2 wrong usage, 3 bad input, 4 NO_DATA.",
      "",
      "Example:",
      "  vtdiag fleet gate lake --by service,version --since 2.0 --policy vtdiag.yml"
    })
final class FleetGateCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private FleetScope scope;
  @Mixin private OutputOptions output;

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description = "The policy (default: vtdiag.yml in the working directory; docs/gate.md).")
  private Path policy = Path.of(PolicyFile.NAME);

  FleetGateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    scope.check();
    output.check(List.of(policy));
    Policy allowed = FleetGate.policy(PolicyFile.read(policy), LocalDate.now(ZoneOffset.UTC));
    FleetVerdict verdict =
        scope.lake().ask(engine -> FleetGate.judge(engine, scope.by(), scope.since(), allowed));
    output.write(console, new Report.FleetJudgement(verdict));
    return switch (verdict.kind()) {
      case PASS -> Exit.OK;
      case FAIL -> Exit.FAIL;
      case NO_DATA -> Exit.NO_DATA;
    };
  }
}
