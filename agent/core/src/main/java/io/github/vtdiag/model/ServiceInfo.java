package io.github.vtdiag.model;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The service that a JVM runs, and its environment, as its deployment declares them. Queries over a
 * fleet use these values. A value is empty if it is unknown.
 *
 * @param service the service's name
 * @param version the service's version
 * @param instance the instance of the service
 * @param namespace the namespace of the service
 * @param environment such as {@code production}
 * @param pod of Kubernetes
 * @param container the container's id
 * @param vendor the vendor of the JDK's build
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

  /** The longest value that is kept whole; no real name is longer. */
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

  /** Creates one from values by name: {@code service}, {@code version} and so on. */
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

  /** Returns the values by their names, in their order. */
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

  /** Returns these values, with another's where they are empty. */
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
