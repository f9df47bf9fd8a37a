package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.programs.GateAgent;
import io.github.vtdiag.agent.programs.MountGate;
import io.github.vtdiag.agent.programs.StandsStill;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The built agent names what keeps all carriers where no pinned thread shows it. */
class StandsStillIT {
  private static final String PROGRAM = "io.github.vtdiag.agent.programs.StandsStill";

  @TempDir Path folder;

  /** All that is said until a hang has been told of. */
  private String said(Jdk jdk, String way, String... options) throws IOException {
    List<String> command = new ArrayList<>(Forked.ON_ONE_PROCESSOR);
    command.addAll(
        List.of(
            jdk.java().toString(),
            Forked.QUICK,
            Forked.PATIENT,
            "-Djdk.virtualThreadScheduler.parallelism=2",
            "-Djdk.virtualThreadScheduler.maxPoolSize=2",
            AgentJar.option("output=s.jfr")));
    command.addAll(List.of(options));
    command.addAll(
        List.of(
            "-cp",
            AgentJar.programsWith("org.objectweb.asm.ClassReader"),
            StandsStill.class.getName(),
            way));
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    StringBuilder said = new StringBuilder();
    try (BufferedReader out = process.inputReader()) {
      String line = out.readLine();
      while (line != null && !line.startsWith("[vtdiag]   ends: ")) {
        said.append(line).append('\n');
        line = out.readLine();
      }
      return said.append(line).toString();
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }

  private static void assertSaid(String said, String pattern) {
    assertTrue(said.lines().anyMatch(line -> line.matches(".*" + pattern + ".*")), said);
  }

  /** An agent with a class on the boot class path. */
  private String gateAgent(String method) throws IOException {
    String gate = MountGate.class.getName().replace('.', '/') + ".class";
    Path boot = folder.resolve("gate.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(boot))) {
      out.putNextEntry(new JarEntry(gate));
      out.write(Files.readAllBytes(AgentJar.PROGRAMS.resolve(gate)));
      out.closeEntry();
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", GateAgent.class.getName());
    manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
    manifest.getMainAttributes().putValue("Boot-Class-Path", "gate.jar");
    Path jar = folder.resolve("exporter-agent.jar");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return "-javaagent:" + jar + "=" + method;
  }

  @ParameterizedTest
  @CsvSource({
    "JAVA_21,runContinuation",
    "JAVA_21,mount",
    "JAVA_25,runContinuation",
    "JAVA_25,mount"
  })
  void namesTheAgentThatMakesCarriersWait(Jdk jdk, String method) throws Exception {
    String said = said(jdk, "gate", gateAgent(method));
    assertSaid(
        said,
        "carrier blocked for .* so far: carrier \"ForkJoinPool-1-worker-[12]\" waits itself, with"
            + " no virtual thread on it, in io\\.github\\.vtdiag\\.agent\\.programs\\.MountGate"
            + "\\.pass:\\d+ for java\\.util\\.concurrent\\.locks\\.ReentrantLock held by thread"
            + " \"exporter\"");
    assertSaid(
        said,
        "starved: both carriers stand still, with no virtual thread on them, and \\d virtual"
            + " threads? needs? one");
    assertSaid(
        said,
        "carrier #\\d+ .* carries no virtual thread: it waits in .*MountGate\\.pass:\\d+ for"
            + " ReentrantLock\\$NonfairSync@\\w+, which thread #\\d+ \"exporter\" holds, now in .*,"
            + " called by java\\.lang\\.VirtualThread\\."
            + method
            + " \\(code of the agent exporter-agent\\.jar\\)");
    assertSaid(said, "ends: when one of them goes on; .*update or remove the agent.*");
  }

  @ParameterizedTest
  @EnumSource
  void namesTheLoopAndWhoWouldEndIt(Jdk jdk) throws Exception {
    String said = said(jdk, "spin");
    assertSaid(said, "starved: both carriers are kept by virtual threads that wait in loops, .*");
    assertSaid(
        said,
        "it waits in a loop in .*StandsStill\\.waitBusily:\\d+ until "
            + PROGRAM
            + "\\.ready changes, which virtual thread #\\d+ \"setter\" writes in"
            + " .*StandsStill\\.set:\\d+ once it has a carrier");
    assertSaid(said, "ends: when another thread changes .* park in place of the loop: .*");
    assertFalse(said.contains("belongs on platform threads"), said);
  }

  @ParameterizedTest
  @EnumSource(names = "JAVA_21")
  void namesTheLoopThatYieldsToOneThatHasNoCarrier(Jdk jdk) throws Exception {
    String said = said(jdk, "handover", "-Xlog:redefine+class+load=info");
    assertFalse(said.contains("redefined name=" + PROGRAM), said); // That takes lines from frames.
    assertSaid(said, "starved: both carriers are kept by virtual threads that wait in loops, .*");
    assertSaid(
        said,
        "\"gives-\\d\" keeps its carrier: it .*waits in a loop in .*StandsStill\\.give:\\d+ until "
            + PROGRAM
            + "\\.TAKERS changes, which virtual thread #\\d+ \"taker\" writes in"
            + " .*StandsStill\\.take:\\d+ once it has a carrier");
    assertSaid(said, "ends: when another thread changes .* wait without the monitor: .*");
  }

  @ParameterizedTest
  @EnumSource(names = "JAVA_25")
  void namesTheLoaderWhoseMonitorTheJvmTakes(Jdk jdk) throws Exception {
    String said = said(jdk, "loader");
    assertSaid(said, "waits in monitor entry, while loading a class for StandsStill\\.java:\\d+");
    assertSaid(said, "\\[vtdiag] deadlock by pinning: both carriers are kept .*");
    assertSaid(
        said,
        "it waits in .*StandsStill\\$User\\.run:\\d+ for the monitor of the class loader"
            + " .*StandsStill\\$Loader@\\w+ \\(to load .*StandsStill\\$Part\\), which virtual"
            + " thread #\\d+ \"owner\" holds in .*StandsStill\\$Loader\\.loadClass:\\d+");
    assertSaid(said, "ends: not by itself; to prevent it, load these classes at start, .*");
  }
}
