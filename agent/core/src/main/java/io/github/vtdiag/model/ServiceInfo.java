package io.github.vtdiag.model;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * What a JVM runs, and where, as whoever deploys it says: the questions that a fleet is asked are
 * by these. What is not known is empty.
 *
 * @param service the service's name
 * @param version the service's version
 * @param instance which of its instances
 * @param namespace what it belongs to
 * @param environment such as {@code production}
 * @param pod of Kubernetes
 * @param container the container's id
 * @param vendor whose build of the JDK it is
 */
public record ServiceInfo(
    String service,
    String version,
    String instance,
    String namespace,
    String environment,
    String pod,
    String container,
    String vendor) {
  public static final ServiceInfo UNKNOWN = new ServiceInfo("", "", "", "", "", "", "", "");

  /** Longer ones are cut: nobody names anything so. */
  public static final int LONGEST = 200;

  public ServiceInfo {
    service = cut(service);
    version = cut(version);
    instance = cut(instance);
    namespace = cut(namespace);
    environment = cut(environment);
    pod = cut(pod);
    container = cut(container);
    vendor = cut(vendor);
  }

  /** One by its names: {@code service}, {@code version} and so on. */
  public static ServiceInfo of(Function<String, String> value) {
    return new ServiceInfo(
        value.apply("service"),
        value.apply("version"),
        value.apply("instance"),
        value.apply("namespace"),
        value.apply("environment"),
        value.apply("pod"),
        value.apply("container"),
        value.apply("vendor"));
  }

  /** By their names, in their order. */
  public Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("service", service);
    values.put("version", version);
    values.put("instance", instance);
    values.put("namespace", namespace);
    values.put("environment", environment);
    values.put("pod", pod);
    values.put("container", container);
    values.put("vendor", vendor);
    return values;
  }

  /** These, and another's where they say nothing. */
  public ServiceInfo or(ServiceInfo other) {
    Map<String, String> mine = values();
    Map<String, String> others = other.values();
    return of(name -> mine.get(name).isEmpty() ? others.get(name) : mine.get(name));
  }

  private static String cut(String text) {
    String line = text.strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST);
  }
}
