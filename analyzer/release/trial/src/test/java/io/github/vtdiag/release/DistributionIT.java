package io.github.vtdiag.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distribution, unpacked elsewhere by somebody whose home is empty. */
final class DistributionIT {
  private static final Path MADE = Jdks.projectFolder().resolve("target/distribution");
  private static final String NAME = "vtdiag-" + Released.VERSION;

  @TempDir private Path folder;
  private Path installed;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void unpack() throws Exception {
    // For other users, too.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path to = Files.createDirectory(folder.resolve("installed here"));
    run(Map.of(), "unzip", "-q", MADE.resolve(NAME + ".zip").toString(), "-d", to.toString());
    installed = to.resolve(NAME);
    environment.put("PATH", "/usr/bin:/bin");
    environment.put("HOME", Files.createDirectory(folder.resolve("home")).toString());
    environment.put("JAVA_HOME", Jdk.JAVA_25.home().toString());
  }

  @Test
  void bothArchivesHoldTheSame() throws Exception {
    Path to = Files.createDirectory(folder.resolve("tar"));
    run(Map.of(), "tar", "-xzf", MADE.resolve(NAME + ".tar.gz").toString(), "-C", to.toString());
    assertEquals(files(installed), files(to.resolve(NAME)));
    for (Path bin : List.of(installed, to.resolve(NAME))) {
      assertTrue(Files.isExecutable(bin.resolve("bin/vtdiag")), bin.toString());
    }
    TreeSet<String> names = new TreeSet<>(files(installed).keySet());
    names.removeIf(name -> name.startsWith("share/man/man1/vtdiag-"));
    assertEquals(
        new TreeSet<>(
            List.of(
                "LICENSE",
                "NOTICE",
                "bin/vtdiag",
                "bin/vtdiag.cmd",
                "lib/vtdiag-cli.jar",
                "lib/vtdiag.jar",
                "share/bash-completion/completions/vtdiag",
                "share/man/man1/vtdiag.1")),
        names);
  }

  @Test
  void itRunsAndLeavesItsFolderAsItWas() throws Exception {
    Map<String, Long> before = files(installed);
    Path link = Files.createSymbolicLink(folder.resolve("vtdiag"), installed.resolve("bin/vtdiag"));
    for (int start = 0; start < 2; start++) {
      Forked version = run(environment, link.toString(), "--version");
      assertEquals(0, version.exitCode(), version.err());
      assertTrue(version.out().startsWith("vtdiag " + Released.VERSION), version.out());
      assertEquals("", version.err());
    }
    assertEquals(before, files(installed));
    Path classes = folder.resolve("home/.cache/vtdiag/classes");
    Map<String, Long> archives = files(classes);
    assertEquals(1, archives.size(), archives.toString());
    assertTrue(archives.values().stream().allMatch(size -> size > 1_000_000), archives.toString());

    Forked list = run(environment, link.toString(), "demo");
    assertEquals(3, list.exitCode());
    assertTrue(list.err().contains("run ./vtdiag demo in vtdiag's source folder"), list.err());
  }

  @Test
  void itRunsForAUserWhoMayWriteNothing() throws Exception {
    run(Map.of(), "chmod", "-R", "a-w,a+rX", installed.toString());
    for (String home : List.of(folder.resolve("home").toString(), "/nonexistent", "")) {
      environment.put("HOME", home);
      List<String> command = new ArrayList<>();
      if (Files.isWritable(Path.of("/"))) {
        // The tests run as root.
        command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
      }
      command.addAll(List.of(installed.resolve("bin/vtdiag").toString(), "--version"));
      Forked version = run(environment, command.toArray(String[]::new));
      assertEquals(0, version.exitCode(), home + ": " + version.err());
      assertTrue(version.out().startsWith("vtdiag " + Released.VERSION), version.out());
      assertEquals("", version.err(), home);
    }
  }

  @Test
  void itRecordsAndAnalyzes() throws Exception {
    Path recording = recordPin();
    Forked analysis =
        run(
            environment,
            installed.resolve("bin/vtdiag").toString(),
            "analyze",
            recording.toString());
    assertEquals(0, analysis.exitCode(), analysis.err());
    assertTrue(analysis.out().contains("Pins$Slow.<clinit>"), analysis.out());
  }

  /** Makes the recording {@code app.jfr} of a program that pins. */
  private Path recordPin() throws Exception {
    Path program =
        Files.writeString(
            folder.resolve("Pins.java"),
            """
            class Pins {
              static class Slow { static { java.util.concurrent.locks.LockSupport.parkNanos(60_000_000); } }
              public static void main(String[] a) throws Exception {
                Thread.ofVirtual().start(() -> new Slow()).join();
              }
            }
            """);
    Path recording = folder.resolve("app.jfr");
    Forked run =
        Forked.java(
            Jdk.JAVA_25,
            folder,
            "-javaagent:" + installed.resolve("lib/vtdiag.jar") + "=output=" + recording,
            program.toString());
    assertEquals(0, run.exitCode(), run.err());
    return recording;
  }

  @Test
  void theShellCompletesAndThePagesAreWellFormed() throws Exception {
    Forked complete =
        run(
            environment,
            "bash",
            "-c",
            "source '%s' && complete -p vtdiag"
                .formatted(installed.resolve("share/bash-completion/completions/vtdiag")));
    assertEquals(0, complete.exitCode(), complete.err());
    assertTrue(complete.out().contains("-F _complete_vtdiag"), complete.out());
    if (!Files.isExecutable(Path.of("/usr/bin/groff"))) {
      System.out.println("NOT RUN: there is no groff to read the manual pages");
      return;
    }
    for (String page : files(installed.resolve("share/man/man1")).keySet()) {
      Path file = installed.resolve("share/man/man1").resolve(page);
      Forked shown = run(environment, "groff", "-ww", "-man", "-Tascii", file.toString());
      assertEquals(0, shown.exitCode(), page);
      assertEquals("", shown.err(), page);
    }
  }

  @Test
  void theDebianPackageInstallsTheSame() throws Exception {
    if (!Files.isExecutable(Path.of("/usr/bin/dpkg-deb"))) {
      System.out.println("NOT RUN: there is no dpkg-deb to unpack the Debian package");
      return;
    }
    String deb = MADE.resolve(NAME + ".deb").toString();
    Path root = Files.createDirectory(folder.resolve("root"));
    run(Map.of(), "dpkg-deb", "-x", deb, root.toString());
    // Before the release itself in Debian's order.
    assertEquals(
        Released.VERSION.replaceFirst("-(?=rc|alpha|beta)", "~"),
        run(Map.of(), "dpkg-deb", "-f", deb, "Version").out().strip());
    Path share = root.resolve("usr/share");
    assertEquals(files(installed.resolve("lib")), files(share.resolve("vtdiag/lib")));
    assertEquals(files(installed.resolve("share/man")), files(share.resolve("man")));
    assertTrue(Files.size(share.resolve("doc/vtdiag/copyright")) > 10_000);
    Forked version = run(environment, root.resolve("usr/bin/vtdiag").toString(), "--version");
    assertEquals(0, version.exitCode(), version.err());
    assertTrue(version.out().startsWith("vtdiag " + Released.VERSION), version.out());
  }

  /**
   * The jbang of Central lacks the script that starts it: the command to run is what it prints, and
   * 255 says so to that script.
   */
  @Test
  void jbangRunsTheCommandOfThePage() throws Exception {
    Files.copy(MADE.resolve("jbang-catalog.json"), folder.resolve("jbang-catalog.json"));
    recordPin();
    environment.put("JBANG_DIR", folder.resolve("jbang").toString());
    environment.put("JBANG_REPO", folder.resolve("m2").toString());
    List<String> page =
        List.of(Snippets.of("install.md", "With jbang", "sh").strip().split(" +", -1));
    assertEquals("jbang", page.getFirst());
    List<String> command =
        new ArrayList<>(
            List.of(
                Jdk.JAVA_25.home().resolve("bin/java").toString(),
                "-cp",
                Files.readString(Path.of(System.getProperty("jbang.classpath"))).strip(),
                "dev.jbang.Main",
                "run",
                "--repos=released=" + Released.REPOSITORY.toUri()));
    command.addAll(page.subList(1, page.size()));
    Forked resolved = run(environment, command.toArray(String[]::new));
    assertEquals(255, resolved.exitCode(), resolved.err());

    Forked analysis = run(environment, "sh", "-c", resolved.out());
    assertEquals(0, analysis.exitCode(), analysis.err());
    assertTrue(analysis.out().contains("Pins$Slow.<clinit>"), analysis.out());
    assertTrue(resolved.out().contains("vtdiag-cli-" + Released.VERSION + ".jar"), resolved.out());
  }

  /** Neither Homebrew nor SDKMAN is here to take them. */
  @Test
  void theEntriesOfOthersNameWhatTheReleaseHas() throws Exception {
    String formula = Files.readString(MADE.resolve("vtdiag.rb"));
    String sum = run(Map.of(), "sha256sum", MADE.resolve(NAME + ".tar.gz").toString()).out();
    assertTrue(formula.contains("sha256 \"" + sum.substring(0, 64) + "\""), formula);
    assertTrue(formula.contains("/v" + Released.VERSION + "/" + NAME + ".tar.gz\""), formula);

    // SDKMAN takes an archive with one folder, and puts its bin on the PATH.
    JsonNode sdkman = new ObjectMapper().readTree(MADE.resolve("sdkman-release.json").toFile());
    assertEquals("vtdiag", sdkman.at("/candidate").asText());
    assertEquals(Released.VERSION, sdkman.at("/version").asText());
    assertEquals("UNIVERSAL", sdkman.at("/platform").asText());
    String url = sdkman.at("/url").asText();
    assertTrue(url.endsWith("/v" + Released.VERSION + "/" + NAME + ".zip"), url);
    try (Stream<Path> top = Files.list(installed.getParent())) {
      assertEquals(List.of(installed), top.toList());
    }
  }

  @Test
  void theLauncherForWindowsHasTheLineEndsOfWindows() throws IOException {
    String text = Files.readString(installed.resolve("bin/vtdiag.cmd"));
    assertFalse(text.replace("\r\n", "").contains("\n"), text);
  }

  /** The files below a folder with their sizes. */
  private static Map<String, Long> files(Path below) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    try (Stream<Path> all = Files.walk(below)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        sizes.put(below.relativize(file).toString(), Files.size(file));
      }
    }
    return sizes;
  }

  /** With no more than these environment variables. */
  private Forked run(Map<String, String> variables, String... command) throws Exception {
    List<String> all = new ArrayList<>(List.of("env", "-i"));
    variables.forEach((name, value) -> all.add(name + "=" + value));
    all.addAll(Arrays.asList(command));
    return Forked.run(folder, Map.of(), all);
  }
}
