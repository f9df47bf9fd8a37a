package io.github.vtdiag.fleet.options;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.ServiceInfo;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** The options that override what each recording says of its JVM. */
public final class ServiceOptions {
  @Option(
      names = "--service",
      paramLabel = "NAME",
      description = "The service of all of them, instead of what each recording says.")
  private String service = "";

  @Option(
      names = "--version",
      paramLabel = "VERSION",
      description = "The version of the service, instead of what each recording says.")
  private String version = "";

  @Option(
      names = "--environment",
      paramLabel = "NAME",
      description = "Where they ran, such as production, instead of what each recording says.")
  private String environment = "";

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description = "The namespace, instead of what each recording says.")
  private String namespace = "";

  private Map<String, String> values() {
    return new TreeMap<>(
        Map.of(
            "service", service,
            "version", version,
            "environment", environment,
            "namespace", namespace));
  }

  /** Returns why a value cannot be taken; empty if all can. */
  public Optional<String> refusal() {
    return values().entrySet().stream()
        .filter(value -> value.getValue().length() > ServiceInfo.LONGEST)
        .map(
            value ->
                "the %s has %s; %d are the most"
                    .formatted(
                        value.getKey(),
                        Figures.count(value.getValue().length(), "character"),
                        ServiceInfo.LONGEST))
        .findFirst();
  }

  /** Returns the values, of which those that were not given are unknown. */
  public ServiceInfo given() {
    Map<String, String> values = values();
    return ServiceInfo.of(name -> values.getOrDefault(name, ""));
  }
}
