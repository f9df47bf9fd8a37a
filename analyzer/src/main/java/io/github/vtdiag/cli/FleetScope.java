package io.github.vtdiag.cli;

import io.github.vtdiag.fleet.FleetAnswers;
import io.github.vtdiag.fleet.Lake;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The lake that a command queries, and the recordings that it asks for. */
final class FleetScope {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private FleetOptions options;

  @Parameters(paramLabel = "LAKE", description = "What vtdiag fleet add made.")
  private Path lake;

  @Option(
      names = "--by",
      split = ",",
      paramLabel = "KEY",
      description =
          "What to group by (default: service): service, version, jdk, jdk_version, vendor,"
              + " instance, pod, namespace, environment, date; several with commas.")
  private List<String> by = List.of("service");

  @Option(
      names = "--since",
      paramLabel = "VERSION",
      description = "Only versions of the services from this one on, in Maven's order.")
  private String since = "";

  /** Refuses properties by which recordings cannot be grouped. */
  void check() {
    Optional<String> refusal = FleetAnswers.refusal(by);
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
    return by;
  }

  String since() {
    return since;
  }
}
