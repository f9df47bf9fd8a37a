package samples.hangs;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A program that stands still, and on which Java it does.
 *
 * @param program its simple class name
 * @param options its system properties
 */
public record Hang(String program, List<String> options, Set<Jdk> on) {
  private static final Set<Jdk> BOTH = Set.of(Jdk.JAVA_21, Jdk.JAVA_25);
  private static final Set<Jdk> MONITORS_PIN = Set.of(Jdk.JAVA_21);

  /** They stand still for as long as nobody gives up. */
  private static final List<String> PATIENT = List.of("-Dpatience=86400");

  private static final String PINNING = "deadlock by pinning: ";
  private static final String CYCLE = "deadlock: ";
  private static final String KEPT = "so far: ";

  public Hang {
    options = List.copyOf(options);
  }

  /** All there are. */
  public static List<Hang> all() {
    return List.of(
        new Hang("PinnedCarriers", List.of(), MONITORS_PIN),
        new Hang("PinnedCarriers", List.of("-Dpin=initializer"), BOTH),
        new Hang("ObjectPool", PATIENT, MONITORS_PIN),
        new Hang("HttpConnections", PATIENT, MONITORS_PIN),
        new Hang("TwoLocks", List.of(), BOTH),
        new Hang("TwoLocks", List.of("-Dpinned=true"), BOTH),
        new Hang("TwoMonitors", List.of(), BOTH),
        new Hang("TwoInitializers", List.of(), BOTH),
        new Hang("TwoLoaders", List.of(), BOTH),
        new Hang("NativeWait", List.of(), BOTH));
  }

  /** The twin, which ends by itself. */
  public Hang healthy() {
    return new Hang(
        program, Stream.concat(options.stream(), Stream.of("-Dhealthy=true")).toList(), Set.of());
  }

  /** What the agent says of it. */
  public String told() {
    return switch (program) {
      case "PinnedCarriers", "ObjectPool", "HttpConnections" -> PINNING;
      case "NativeWait" -> KEPT;
      default -> CYCLE;
    };
  }

  /** Whether it is known to be a deadlock. */
  public boolean isDeadlock() {
    return !told().equals(KEPT);
  }

  /** What to start it with. */
  public List<String> command(Jdk jdk, String... jvmOptions) {
    List<String> command = new ArrayList<>();
    command.add(jdk.java().toString());
    command.addAll(List.of(Forked.QUICK, Forked.PATIENT, "-XX:+UseSerialGC"));
    command.addAll(Arrays.asList(jvmOptions));
    command.addAll(options);
    command.addAll(List.of("-cp", classPath(), "samples.hangs." + program));
    return command;
  }

  /** The built samples with their libraries. */
  public static String classPath() {
    Path target = Jdks.projectFolder().resolve("sample-apps").resolve("target");
    Path libraries = target.resolve("libraries");
    return String.join(
        File.pathSeparator,
        target.resolve("vtdiag-samples.jar").toString(),
        target.resolve("lib").resolve("*").toString(),
        libraries.resolve("commons-pool2").resolve("*").toString(),
        libraries.resolve("httpclient5-before").resolve("*").toString());
  }

  @Override
  public String toString() {
    return Stream.concat(Stream.of(program), options.stream()).reduce("", (a, b) -> a + " " + b);
  }
}
