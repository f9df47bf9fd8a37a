package io.github.vtdiag.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Gradle plugin from the repository of a release, in a fresh project. Offline. */
final class GradleIT {
  private static final String VERSION = System.getProperty("gradle.version");

  @TempDir static Path shared;
  private static Path gradle;

  @TempDir private Path folder;

  @BeforeAll
  static void assemble() throws IOException {
    gradle =
        GradleFromParts.assemble(
            Path.of(System.getProperty("gradle.parts")), shared.resolve("gradle"), VERSION);
  }

  @Test
  void theSnippetOfThePageFailsABuildThatPinsAndKeepsBothCaches() throws Exception {
    Path project = project("shop", Snippets.of("builds.md", "Gradle", "groovy"), 21);
    writeTest(project, "Thread.ofVirtual().start(() -> new Slow()).join();");
    Forked first = gradle(project, "check", "--configuration-cache", "--build-cache");
    assertEquals(1, first.exitCode(), first.out());
    assertTrue(first.err().contains("vtdiag: FAIL  1 of 1 limit exceeded"), first.err());
    assertTrue(first.err().contains("limit 50 ms: shop.OrdersTest$Slow.<clinit>"), first.err());
    assertTrue(first.out().contains("Configuration cache entry stored"), first.out());
    String next = first.err().replaceFirst("(?s).*\\RNext: (.*?)\\R.*", "$1");
    assertTrue(next.contains(" advise build/vtdiag/test "), first.err());
    Forked advice = Forked.run(project, Map.of(), List.of("sh", "-c", next));
    assertEquals(0, advice.exitCode(), advice.err());
    assertTrue(advice.out().contains("slow work out of the class initializer"), advice.out());

    Forked again = gradle(project, "check", "--configuration-cache", "--build-cache");
    assertEquals(1, again.exitCode(), again.out());
    assertTrue(again.out().contains("Reusing configuration cache"), again.out());
    assertTrue(again.out().contains("Task :test UP-TO-DATE"), again.out());
    assertTrue(again.err().contains("vtdiag: FAIL  1 of 1 limit exceeded"), again.err());

    // Somebody else's checkout: the recordings come from the build cache with the results.
    Path other = project("elsewhere", Snippets.of("builds.md", "Gradle", "groovy"), 21);
    writeTest(other, "Thread.ofVirtual().start(() -> new Slow()).join();");
    Forked cached = gradle(other, "check", "--build-cache");
    assertTrue(cached.out().contains("Task :test FROM-CACHE"), cached.out());
    assertTrue(cached.err().contains("vtdiag: FAIL  1 of 1 limit exceeded"), cached.err());
  }

  @Test
  void aBuildThatDoesNotPinPassesWithReportsAndARunIsRecordedOnDemand() throws Exception {
    Path project =
        project(
            "shop",
            Snippets.of("builds.md", "Gradle", "groovy")
                + """

                vtdiag { formats = ['junit', 'html', 'sarif'] }
                application { mainClass = 'shop.App' }
                """
                + Snippets.of("builds.md", "Runs", "groovy").replace("bootRun", "run"),
            25);
    writeTest(project, "Thread.ofVirtual().start(() -> {}).join();");
    Path main = Files.createDirectories(project.resolve("src/main/java/shop"));
    Files.writeString(
        main.resolve("App.java"),
        """
        package shop;

        public class App {
          public static void main(String[] arguments) throws Exception {
            Thread.ofVirtual().start(() -> System.out.println("ran")).join();
          }
        }
        """);
    Forked run = gradle(project, "run", "check", "--configuration-cache");
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("vtdiag: PASS"), run.out());
    assertEquals(1, recordings(project.resolve("build/vtdiag/run")));
    assertEquals(1, recordings(project.resolve("build/vtdiag/test")));
    for (String report : List.of("junit.xml", "report.html", "vtdiag.sarif")) {
      assertTrue(Files.size(project.resolve("build/reports/vtdiag").resolve(report)) > 100, report);
    }
  }

  @Test
  void whatCannotBeJudgedFails() throws Exception {
    Path project = project("shop", "", 21);
    Forked empty = gradle(project, "check");
    assertEquals(1, empty.exitCode(), empty.out());
    assertTrue(empty.err().contains("vtdiag: no limit given"), empty.err());

    Files.writeString(project.resolve("vtdiag.yml"), "limits:\n  max-pin: 50ms\n");
    Forked untested = gradle(project, "check");
    assertEquals(0, untested.exitCode(), untested.err());
    assertTrue(untested.out().contains("NOT CHECKED: this project has no tests"), untested.out());

    writeTest(project, "Thread.ofVirtual().start(() -> {}).join();");
    Files.writeString(
        project.resolve("build.gradle"),
        Files.readString(project.resolve("build.gradle"))
            + "tasks.named('test') { vtdiag.enabled = false }\n");
    Forked unrecorded = gradle(project, "check");
    assertEquals(1, unrecorded.exitCode(), unrecorded.out());
    assertTrue(unrecorded.err().contains("vtdiag: NO_DATA  no recording"), unrecorded.err());
    assertFalse(unrecorded.out().contains("vtdiag: PASS"), unrecorded.out());
  }

  /** Makes a project like any other, with the repositories of files in place of Central. */
  private Path project(String name, String script, int java) throws IOException {
    Path project = Files.createDirectory(folder.resolve(name));
    String released = "maven { url = uri('" + Released.REPOSITORY.toUri() + "') }";
    Files.writeString(
        project.resolve("settings.gradle"),
        """
        pluginManagement { repositories { %s } }
        rootProject.name = 'shop'
        buildCache { local { directory = '%s' } }
        """
            .formatted(released, folder.resolve("build cache")));
    String plugin = "id 'io.github.vtdiag' version '" + Released.VERSION + "'";
    String block = script.replaceFirst("(?s)^plugins \\{.*?\\n\\}\\n", "");
    assertTrue(script.isEmpty() || script.contains(plugin), script);
    Files.writeString(
        project.resolve("build.gradle"),
        """
        plugins { id 'application'; %s }
        repositories {
          %s
          maven { url = uri('%s'); metadataSources { mavenPom(); artifact() } }
        }
        dependencies {
          testImplementation 'org.junit.jupiter:junit-jupiter:6.1.3'
          testRuntimeOnly 'org.junit.platform:junit-platform-launcher:6.1.3'
        }
        tasks.withType(JavaCompile).configureEach {
          // By a compiler of its own: the one inside Gradle is not in its parts.
          options.fork = true
          options.forkOptions.executable = '%s'
          options.compilerArgs += ['--release', '21']
        }
        def java = javaToolchains.launcherFor { languageVersion = JavaLanguageVersion.of(%d) }
        tasks.withType(Test).configureEach { useJUnitPlatform(); javaLauncher = java }
        tasks.withType(JavaExec).configureEach { javaLauncher = java }
        %s
        """
            .formatted(
                plugin,
                released,
                Path.of(System.getProperty("local.repository")).toUri(),
                Jdk.JAVA_25.home().resolve("bin/javac"),
                java,
                block));
    return project;
  }

  private static void writeTest(Path project, String body) throws IOException {
    Path sources = Files.createDirectories(project.resolve("src/test/java/shop"));
    Files.writeString(
        sources.resolve("OrdersTest.java"),
        """
        package shop;

        import org.junit.jupiter.api.Test;

        class OrdersTest {
          static class Slow {
            static {
              java.util.concurrent.locks.LockSupport.parkNanos(300_000_000);
            }
          }

          @Test
          void placesAnOrder() throws Exception {
            %s
          }
        }
        """
            .formatted(body));
  }

  private static long recordings(Path in) throws IOException {
    try (Stream<Path> files = Files.list(in)) {
      return files.filter(file -> file.toString().endsWith(".jfr")).count();
    }
  }

  private Forked gradle(Path project, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Jdk.JAVA_21.home().resolve("bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
    // As Gradle's launcher gives them.
    for (String open :
        List.of(
            "java.base/java.util",
            "java.base/java.lang",
            "java.base/java.lang.invoke",
            "java.prefs/java.util.prefs",
            "java.base/java.nio.charset",
            "java.base/java.net",
            "java.base/java.util.concurrent.atomic")) {
      command.add("--add-opens=" + open + "=ALL-UNNAMED");
    }
    command.addAll(
        List.of(
            "-cp",
            gradle.toString(),
            "org.gradle.launcher.GradleMain",
            "--no-daemon",
            "--offline",
            "--gradle-user-home=" + shared.resolve("home"),
            "-Dorg.gradle.internal.instrumentation.agent=false",
            "-Porg.gradle.java.installations.auto-detect=false",
            "-Porg.gradle.java.installations.paths="
                + Jdk.JAVA_21.home()
                + ","
                + Jdk.JAVA_25.home()));
    command.addAll(Arrays.asList(arguments));
    return Forked.run(project, Map.of("JAVA_HOME", Jdk.JAVA_21.home().toString()), command);
  }
}
