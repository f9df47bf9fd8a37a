package io.github.vtdiag.agent.recording;

import io.github.vtdiag.agent.threads.Management;
import io.github.vtdiag.model.Launch;
import io.github.vtdiag.model.Secrets;
import io.github.vtdiag.model.ServiceInfo;
import io.github.vtdiag.pin.JvmEvents;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/**
 * The facts about this JVM that are recorded: a fixed list. Nothing else of its environment, its
 * properties and its arguments is recorded, because they hold secrets.
 */
final class JvmFacts {
  /**
   * OpenTelemetry's names of the attributes in {@link ServiceInfo}; the first that is set counts.
   */
  private static final Map<String, List<String>> ATTRIBUTES =
      Map.of(
          "service", List.of("service.name"),
          "version", List.of("service.version"),
          "instance", List.of("service.instance.id"),
          "namespace", List.of("service.namespace", "k8s.namespace.name"),
          "environment", List.of("deployment.environment.name", "deployment.environment"),
          "pod", List.of("k8s.pod.name"),
          "container", List.of("container.id"));

  /**
   * The form in which container engines name the files that they mount, and the groups of
   * processes.
   */
  private static final Pattern CONTAINER =
      Pattern.compile(
          "(?:/containers/|/docker/|docker-|crio-|cri-containerd-|libpod-)([0-9a-f]{64})");

  private JvmFacts() {}

  @Name(JvmEvents.SERVICE)
  @Label("vtdiag Service")
  @Description("The program of this JVM, as its deployment names it")
  @Category("vtdiag")
  @Period("beginChunk")
  @StackTrace(false)
  static final class Service extends Event {
    String service;
    String version;
    String instance;
    String namespace;
    String environment;
    String pod;
    String container;
    String vendor;
  }

  @Name(JvmEvents.WITHOUT_SECRETS)
  @Label("vtdiag JVM")
  @Description("The fields of JFR's own event of the JVM, without values named like secrets")
  @Category("vtdiag")
  @Period("beginChunk")
  @StackTrace(false)
  static final class Jvm extends Event {
    String jvmName;
    String jvmVersion;
    String jvmArguments;
    String javaArguments;
    long jvmStartTime;
    long pid;
  }

  @Name(JvmEvents.LISTENING)
  @Label("vtdiag Listening")
  @Description("A TCP port at which this JVM listens; Linux only")
  @Category("vtdiag")
  @Period("1 s")
  @StackTrace(false)
  static final class Listening extends Event {
    int port;
  }

  /**
   * Returns whether the command line may hold a secret; then JFR's own event must not be enabled.
   */
  static boolean mayHoldSecrets() {
    return Stream.concat(
            Management.arguments().stream(), Stream.of(System.getProperty("sun.java.command", "")))
        .anyMatch(Secrets::areNamed);
  }

  static void commitWithoutSecrets() {
    Jvm event = new Jvm();
    event.jvmName = System.getProperty("java.vm.name", "");
    event.jvmVersion =
        "%s (%s) JRE (%s)"
            .formatted(
                event.jvmName,
                System.getProperty("java.vm.version", ""),
                System.getProperty("java.runtime.version", ""));
    event.jvmArguments =
        Management.arguments().stream().map(Secrets::without).collect(Collectors.joining(" "));
    event.javaArguments = launched(System.getProperty("sun.java.command", ""));
    event.jvmStartTime = Management.startMillis();
    event.pid = ProcessHandle.current().pid();
    event.commit();
  }

  /** Returns the jar or class, without the program's arguments. */
  private static String launched(String command) {
    Launch launch = Launch.of(command);
    return launch.jar().isEmpty() ? launch.mainClass() : launch.jar();
  }

  static void commitService(ServiceInfo info) {
    Service event = new Service();
    event.service = info.service();
    event.version = info.version();
    event.instance = info.instance();
    event.namespace = info.namespace();
    event.environment = info.environment();
    event.pod = info.pod();
    event.container = info.container();
    event.vendor = info.vendor();
    event.commit();
  }

  /** Returns the service that this JVM runs. */
  static ServiceInfo service() {
    StartedJar jar = StartedJar.of(Launch.of(System.getProperty("sun.java.command", "")).jar());
    return service(System::getenv, System::getProperty, jar, container());
  }

  static ServiceInfo service(
      Function<String, String> environment,
      Function<String, String> properties,
      StartedJar jar,
      String container) {
    Map<String, String> attributes = attributes(text(environment, "OTEL_RESOURCE_ATTRIBUTES"));
    return ServiceInfo.of(
        name ->
            switch (name) {
              case "service" ->
                  first(
                      text(properties, "service.name"),
                      text(environment, "OTEL_SERVICE_NAME"),
                      attribute(attributes, name),
                      jar.name());
              case "version" ->
                  first(
                      text(properties, "service.version"),
                      attribute(attributes, name),
                      jar.version());
              case "container" -> first(attribute(attributes, name), container);
              case "vendor" -> text(properties, "java.vendor");
              default -> attribute(attributes, name);
            });
  }

  private static String attribute(Map<String, String> attributes, String name) {
    return first(
        ATTRIBUTES.get(name).stream()
            .map(key -> attributes.getOrDefault(key, ""))
            .toArray(String[]::new));
  }

  /** Parses {@code key=value,key=value}; the values may have URL escapes. */
  private static Map<String, String> attributes(String text) {
    Map<String, String> attributes = new HashMap<>();
    for (String pair : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        String value = pair.substring(equals + 1).strip();
        try {
          value = URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
          // No escape: the text is taken literally.
        }
        attributes.put(pair.substring(0, equals).strip(), value);
      }
    }
    return attributes;
  }

  private static String container() {
    for (String file : List.of("/proc/self/cgroup", "/proc/self/mountinfo")) {
      try (Stream<String> lines = Files.lines(Path.of(file))) {
        String id = lines.map(JvmFacts::container).filter(i -> !i.isEmpty()).findFirst().orElse("");
        if (!id.isEmpty()) {
          return id;
        }
      } catch (IOException | RuntimeException e) {
        // Not Linux, or no permission to read the file.
      }
    }
    return "";
  }

  static String container(String line) {
    Matcher id = CONTAINER.matcher(line);
    return id.find() ? id.group(1) : "";
  }

  private static String text(Function<String, String> from, String name) {
    String value = from.apply(name);
    return value == null ? "" : value.strip();
  }

  private static String first(String... values) {
    return Stream.of(values).filter(value -> !value.isEmpty()).findFirst().orElse("");
  }
}
