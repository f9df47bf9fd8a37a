package io.github.vtdiag.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The container image that {@code .ci/image VERSION --local} made: its layers are unpacked into a
 * root file system, which is run as a container runtime would, with what the image's configuration
 * says: its user, its command, and nothing that can be written but volumes and {@code /tmp}.
 */
final class ImageIT {
  private static final Path MADE =
      Jdks.projectFolder().resolve("target/distribution/vtdiag-" + Released.VERSION + "-image.tar");

  private static final String PROGRAM =
      """
      class Waits {
        static class Slow { static { java.util.concurrent.locks.LockSupport.parkNanos(60_000_000); } }
        public static void main(String[] a) throws Exception {
          Thread.ofVirtual().start(() -> new Slow()).join();
          if (a.length > 0) {
            Object lock = new Object();
            synchronized (lock) {
              Thread.ofVirtual().name("shut out").start(() -> { synchronized (lock) { } });
              System.out.println("ready");
              Thread.sleep(600_000);
            }
          }
        }
      }
      """;

  @TempDir private static Path folder;
  private static Path root;
  private static Path volume;
  private static JsonNode settings;

  @BeforeAll
  static void unpack() throws Exception {
    assumeTrue(Files.isRegularFile(MADE), "NOT RUN: there is no image; run .ci/image");
    assumeTrue(Files.isWritable(Path.of("/")), "NOT RUN: only root can mount what a container has");
    Path image = Files.createDirectory(folder.resolve("image"));
    root = Files.createDirectory(folder.resolve("root"));
    volume = Files.createDirectory(folder.resolve("volume"));
    run(List.of("tar", "-xf", MADE.toString(), "-C", image.toString()));
    JsonNode manifest = new ObjectMapper().readTree(image.resolve("manifest.json").toFile()).get(0);
    for (JsonNode layer : manifest.get("Layers")) {
      run(List.of("tar", "-xpf", image.resolve(layer.asText()).toString(), "-C", root.toString()));
    }
    settings =
        new ObjectMapper()
            .readTree(image.resolve(manifest.get("Config").asText()).toFile())
            .get("config");
    Files.writeString(volume.resolve("Waits.java"), PROGRAM);
    run(List.of("chown", "-R", settings.get("User").asText(), volume.toString()));
    run(List.of("chmod", "a+x", folder.toString()));
    // As by docker run --read-only --tmpfs /tmp -v ...:/data; the processes are the host's.
    run(List.of("mount", "--bind", root.toString(), root.toString()));
    run(List.of("mount", "-o", "remount,ro,bind", root.toString()));
    run(List.of("mount", "--bind", volume.toString(), root.resolve("data").toString()));
    run(List.of("mount", "-t", "tmpfs", "tmpfs", root.resolve("tmp").toString()));
    run(List.of("mount", "--bind", "/proc", root.resolve("proc").toString()));
  }

  @AfterAll
  static void unmount() throws Exception {
    for (String mounted : List.of("proc", "tmp", "data", "")) {
      if (root != null) {
        Forked.run(folder, Map.of(), List.of("umount", "-l", root.resolve(mounted).toString()));
      }
    }
  }

  @Test
  void itIsNobodysAndHoldsTheDistribution() {
    assertEquals("10001:10001", settings.get("User").asText());
    assertEquals("[\"/opt/vtdiag/bin/vtdiag\"]", settings.get("Entrypoint").toString());
    assertEquals("/data", settings.get("WorkingDir").asText());
    Set<String> labels = new TreeSet<>();
    settings.get("Labels").fieldNames().forEachRemaining(labels::add);
    assertTrue(labels.contains("org.opencontainers.image.version"), labels.toString());
    assertTrue(Files.isRegularFile(root.resolve("opt/vtdiag/LICENSE")));
  }

  @Test
  void itSaysItsVersion() throws Exception {
    Forked version = container("--version");
    assertEquals(0, version.exitCode(), version.err());
    assertTrue(version.out().startsWith("vtdiag " + Released.VERSION), version.out());
    assertEquals("", version.err());
  }

  /** As an init container does, whose volume the application's container has, too. */
  @Test
  void itHandsOutTheAgentAndAnalyzesWhatThatRecorded() throws Exception {
    Forked copied = in(List.of("cp", "/opt/vtdiag/lib/vtdiag.jar", "/data/agent.jar"));
    assertEquals(0, copied.exitCode(), copied.err());
    Forked app =
        Forked.java(
            Jdk.JAVA_25,
            folder,
            "-javaagent:" + volume.resolve("agent.jar") + "=output=" + volume.resolve("app.jfr"),
            volume.resolve("Waits.java").toString());
    assertEquals(0, app.exitCode(), app.err());
    Forked analysis = container("analyze", "app.jfr");
    assertEquals(0, analysis.exitCode(), analysis.err());
    assertTrue(analysis.out().contains("Waits$Slow.<clinit>"), analysis.out());
    assertEquals(0, container("report", "app.jfr", "-o", "/data/app.html").exitCode());
    assertTrue(Files.size(volume.resolve("app.html")) > 10_000);
  }

  /** As kubectl debug does with --target: the processes are seen, and the user is the target's. */
  @Test
  void itLooksIntoAnotherContainersJvm() throws Exception {
    List<String> command = new ArrayList<>(asUser());
    command.addAll(
        List.of(Jdk.JAVA_25.java().toString(), "-Xshare:auto", "-Djava.io.tmpdir=" + volume));
    command.addAll(List.of(volume.resolve("Waits.java").toString(), "stay"));
    Process target =
        new ProcessBuilder(command).directory(volume.toFile()).redirectErrorStream(true).start();
    try {
      String first = target.inputReader().readLine();
      assertEquals("ready", first);
      Forked hang = container("hang", Long.toString(target.pid()));
      assertTrue(hang.exitCode() <= 1, hang.exitCode() + hang.err());
      assertTrue(hang.out().contains("waits in Waits.lambda$main"), hang.out() + hang.err());
    } finally {
      target.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
  }

  private static List<String> asUser() {
    String[] ids = settings.get("User").asText().split(":", -1);
    return List.of("setpriv", "--reuid=" + ids[0], "--regid=" + ids[1], "--clear-groups");
  }

  /** What the container runs, with these arguments. */
  private static Forked container(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    settings.get("Entrypoint").forEach(each -> command.add(each.asText()));
    command.addAll(Arrays.asList(arguments));
    return in(command);
  }

  private static Forked in(List<String> inside) throws Exception {
    List<String> command = new ArrayList<>(List.of("env", "-i"));
    settings.get("Env").forEach(each -> command.add(each.asText()));
    String ids = settings.get("User").asText();
    command.addAll(List.of("chroot", "--userspec=" + ids, root.toString()));
    String folder = settings.get("WorkingDir").asText();
    command.addAll(List.of("sh", "-c", "cd " + folder + " && exec \"$@\"", "sh"));
    command.addAll(inside);
    return Forked.run(ImageIT.folder, Map.of(), command);
  }

  private static void run(List<String> command) throws Exception {
    Forked ran = Forked.run(folder, Map.of(), command);
    assertEquals(0, ran.exitCode(), command + ": " + ran.err());
  }
}
