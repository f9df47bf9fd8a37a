package io.github.vtdiag.cli;

import io.github.vtdiag.fleet.Lake;
import io.github.vtdiag.fleet.options.GroupOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The lake that a command queries, and the recordings that it asks for. */
final class FleetScope {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private FleetOptions options;
  @Mixin private GroupOptions groups;

  @Parameters(paramLabel = "LAKE", description = "The lake that vtdiag fleet add wrote.")
  private Path lake;

  /** Refuses properties by which recordings cannot be grouped. */
  void check() {
    Optional<String> refusal = groups.refusal();
    if (refusal.isPresent()) {
      throw new ParameterException(spec.commandLine(), refusal.get());
    }
  }

  Lake lake() {
    return options.lake(lake);
  }

  String lakeName() {
    return lake.toString();
  }

  List<String> by() {
    return groups.by();
  }

  String since() {
    return groups.since();
  }
}
