package io.github.vtdiag.fleet.options;

import io.github.vtdiag.fleet.FleetAnswers;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say which recordings are asked for, and how they are grouped. */
public final class GroupOptions {
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

  /** Returns why recordings cannot be grouped so; empty if they can. */
  public Optional<String> refusal() {
    return FleetAnswers.refusal(by);
  }

  public List<String> by() {
    return List.copyOf(by);
  }

  public String since() {
    return since;
  }
}
