package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.vtdiag.recording.RecordingFacts;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarInputStream;
import java.util.jar.Manifest;
import picocli.CommandLine.IVersionProvider;

/**
 * The version of vtdiag, the commit it was built from, the agent inside, and the Java that runs it.
 */
final class ProductVersion implements IVersionProvider {
  /**
   * The resource with the commit. The build of the command line's jar writes it; it is absent where
   * that was not built from a repository.
   */
  private static final String COMMIT = "/io/github/vtdiag/cli/commit.txt";

  @Override
  public String[] getVersion() {
    List<String> lines = new ArrayList<>();
    lines.add("vtdiag " + own().orElse("(not built as a jar)"));
    commit().ifPresent(commit -> lines.add("commit " + commit));
    agentInside().ifPresent(version -> lines.add("agent " + version));
    lines.add(
        "Java "
            + Runtime.version()
            + " ("
            + System.getProperty("java.vendor", "unknown vendor")
            + "), "
            + System.getProperty("java.home"));
    return lines.toArray(String[]::new);
  }

  /** Returns the version in the jar's manifest. */
  static Optional<String> own() {
    return Optional.ofNullable(Main.class.getPackage().getImplementationVersion());
  }

  /** Returns why a recording may tell less than it could: another version's agent made it. */
  static Optional<String> otherAgent(RecordingFacts facts) {
    return facts.agent().flatMap(agent -> difference(facts.source(), agent.version(), own()));
  }

  static Optional<String> difference(String source, String agent, Optional<String> own) {
    return own.filter(
            version -> !agent.isEmpty() && !agent.equals("unknown") && !agent.equals(version))
        .map(
            version ->
                "%s was recorded by the agent of vtdiag %s, and this is vtdiag %s: what only one of them knows is missing; use both of one version"
                    .formatted(source, agent, version));
  }

  private static Optional<String> commit() {
    try (InputStream in = ProductVersion.class.getResourceAsStream(COMMIT)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), UTF_8).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> agentInside() {
    try (InputStream in = ProductVersion.class.getResourceAsStream(AgentJar.RESOURCE)) {
      if (in == null) {
        return Optional.empty();
      }
      try (JarInputStream jar = new JarInputStream(in)) {
        return Optional.ofNullable(jar.getManifest())
            .map(Manifest::getMainAttributes)
            .map(main -> main.getValue(Attributes.Name.IMPLEMENTATION_VERSION));
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
