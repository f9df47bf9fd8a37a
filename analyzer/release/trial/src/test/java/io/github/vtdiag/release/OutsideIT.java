package io.github.vtdiag.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody who has the repository of a release and the pages, and no sources. Offline: all else is
 * what this build needs, too.
 */
final class OutsideIT {
  @TempDir private Path folder;
  private Path settings;

  @BeforeEach
  void addRepository() throws IOException {
    settings =
        Files.writeString(
            folder.resolve("settings.xml"),
            """
            <settings>
              <mirrors>
                <mirror>
                  <id>this-machine</id>
                  <mirrorOf>*,!released</mirrorOf>
                  <url>%s</url>
                </mirror>
              </mirrors>
              <profiles>
                <profile>
                  <id>released</id>
                  <repositories>
                    <repository><id>released</id><url>%2$s</url></repository>
                  </repositories>
                  <pluginRepositories>
                    <pluginRepository><id>released</id><url>%2$s</url></pluginRepository>
                  </pluginRepositories>
                </profile>
              </profiles>
              <activeProfiles>
                <activeProfile>released</activeProfile>
              </activeProfiles>
            </settings>
            """
                .formatted(
                    Path.of(System.getProperty("local.repository")).toUri(),
                    Released.REPOSITORY.toUri()));
  }

  @Test
  void thePluginOfThePageFailsABuildThatPinsAndPassesOneThatDoesNot() throws Exception {
    project(Snippets.of("builds.md", "Maven", "xml"), "", "");
    writeTest("Thread.ofVirtual().start(() -> new Slow()).join();", "");
    Forked pins = maven("verify");
    assertEquals(1, pins.exitCode(), pins.out());
    assertTrue(pins.out().contains("vtdiag: FAIL  1 of 1 limit exceeded"), pins.out());
    assertTrue(pins.out().contains("limit 50 ms: shop.OrdersTest$Slow.<clinit>"), pins.out());

    writeTest("Thread.ofVirtual().start(() -> {}).join();", "");
    Forked passes = maven("verify");
    assertEquals(0, passes.exitCode(), passes.out());
    assertTrue(passes.out().contains("vtdiag: PASS"), passes.out());
  }

  @Test
  void theExtensionOfThePageFailsATestThatPins() throws Exception {
    project("", Snippets.of("builds.md", "JUnit", "xml"), "");
    String imports = Snippets.of("builds.md", "JUnit", "java").lines().limit(1).toList().getFirst();
    writeTest("Thread.ofVirtual().start(() -> new Slow()).join();", imports);
    Forked build = maven("test");
    assertEquals(1, build.exitCode(), build.out());
    assertTrue(build.out().contains("A virtual thread of this test kept its carrier"), build.out());
    assertTrue(build.out().contains("no longer than 20 ms is allowed"), build.out());
  }

  @Test
  void theBillOfMaterialsGivesTheVersion() throws Exception {
    String junit = Snippets.of("builds.md", "JUnit", "xml");
    project(
        "",
        junit.replaceAll("\\s*<version>[^<]*</version>", ""),
        Snippets.of("install.md", "With Maven", "xml"));
    writeTest(
        "Thread.ofVirtual().start(() -> {}).join();",
        "import io.github.vtdiag.junit.ShouldNotPin;");
    Forked build = maven("test");
    assertEquals(0, build.exitCode(), build.out());
  }

  @Test
  void theAgentIsCopiedAndGivenToAProgram() throws Exception {
    // Two commands: one of Maven, and one of Java.
    String[] commands =
        Snippets.of("install.md", "The agent from a repository", "sh").split("\njava ", -1);
    List<String> copy = Arrays.asList(commands[0].replace("\\\n", "").split(" +", -1));
    Forked copied = maven(copy.subList(1, copy.size()).toArray(String[]::new));
    assertEquals(0, copied.exitCode(), copied.out());

    Path main =
        Files.writeString(
            folder.resolve("App.java"),
            """
            class App {
              static class Slow { static { java.util.concurrent.locks.LockSupport.parkNanos(60_000_000); } }
              public static void main(String[] a) throws Exception {
                Thread.ofVirtual().start(() -> new Slow()).join();
              }
            }
            """);
    Path javac = Jdk.JAVA_25.home().resolve("bin/javac");
    Forked.run(folder, Map.of(), List.of(javac.toString(), "-d", "classes", main.toString()));
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "App");
    try (JarOutputStream jar =
        new JarOutputStream(Files.newOutputStream(folder.resolve("app.jar")), manifest)) {
      for (String name : List.of("App.class", "App$Slow.class")) {
        jar.putNextEntry(new ZipEntry(name));
        Files.copy(folder.resolve("classes").resolve(name), jar);
        jar.closeEntry();
      }
    }
    Forked run = Forked.java(Jdk.JAVA_25, folder, commands[1].strip().split(" +", -1));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.err().contains("App$Slow"), run.err());

    // And read by the command line of the same repository.
    Forked analysis =
        Forked.java(
            Jdk.JAVA_25,
            folder,
            "-jar",
            Released.file("vtdiag-cli", ".jar").toString(),
            "analyze",
            "app.jfr",
            "--classpath",
            "app.jar");
    assertEquals(0, analysis.exitCode(), analysis.err());
    assertTrue(analysis.out().contains("App$Slow.<clinit>"), analysis.out());
  }

  @Test
  void theRecipeOfThePageMovesTheLockOfARecording() throws Exception {
    project(Snippets.of("patching.md", "With OpenRewrite", "xml"), "", "");
    Files.writeString(
        folder.resolve("rewrite.yml"), Snippets.of("patching.md", "With OpenRewrite", "yaml"));
    Path shop = Files.createDirectories(folder.resolve("src/main/java/shop"));
    Path source =
        Files.writeString(
            shop.resolve("Stock.java"),
            """
            package shop;

            class Stock {
              private int goods;

              synchronized int put() throws InterruptedException {
                Thread.sleep(60);
                return ++goods;
              }

              public static void main(String[] arguments) throws Exception {
                Stock stock = new Stock();
                Thread.ofVirtual().start(() -> stock.unchecked()).join();
                System.out.println(stock.put());
              }

              private void unchecked() {
                try {
                  put();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }
            }
            """);
    Forked compiled = maven("compile");
    assertEquals(0, compiled.exitCode(), compiled.out());
    Forked pins = runWithAgent();
    assertTrue(pins.err().contains("shop.Stock.put"), pins.err());

    Forked moved = maven("rewrite:run");
    assertEquals(0, moved.exitCode(), moved.out());
    assertTrue(moved.out().contains("patched 1 lock (1 site in 1 file)"), moved.out());
    String text = Files.readString(source);
    assertTrue(
        text.contains("private final transient ReentrantLock lock = new ReentrantLock();"), text);

    Forked again = maven("rewrite:run");
    assertEquals(0, again.exitCode(), again.out());
    assertEquals(text, Files.readString(source));
    Forked free = runWithAgent();
    assertTrue(!free.err().contains("shop.Stock.put"), free.err());
  }

  /** Runs the program of the project on Java 21, and records it. */
  private Forked runWithAgent() throws Exception {
    Files.deleteIfExists(folder.resolve("app.jfr"));
    Forked run =
        Forked.java(
            Jdk.JAVA_21,
            folder,
            "-javaagent:" + Released.file("vtdiag-agent", ".jar") + "=output=app.jfr",
            "-cp",
            "target/classes",
            "shop.Stock");
    assertEquals(0, run.exitCode(), run.err());
    assertEquals("2\n", run.out());
    return run;
  }

  /** A project like any other, with what the pages say. */
  private void project(String plugin, String dependency, String management) throws IOException {
    Files.writeString(
        folder.resolve("pom.xml"),
        """
        <project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>shop</groupId>
          <artifactId>shop</artifactId>
          <version>1</version>
          <properties>
            <maven.compiler.release>21</maven.compiler.release>
            <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
          </properties>
          %s
          <dependencies>
            <dependency>
              <groupId>org.junit.jupiter</groupId>
              <artifactId>junit-jupiter</artifactId>
              <version>6.1.3</version>
              <scope>test</scope>
            </dependency>
            %s
          </dependencies>
          <build>
            <plugins>
              <plugin><artifactId>maven-resources-plugin</artifactId><version>3.5.0</version></plugin>
              <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.16.0</version></plugin>
              <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.6.1</version></plugin>
              <plugin><artifactId>maven-jar-plugin</artifactId><version>3.5.1</version></plugin>
              %s
            </plugins>
          </build>
        </project>
        """
            .formatted(management, dependency, plugin));
  }

  private void writeTest(String body, String imports) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("src/test/java/shop"));
    Files.writeString(
        sources.resolve("OrdersTest.java"),
        """
        package shop;

        %s
        import org.junit.jupiter.api.Test;

        class OrdersTest {
          static class Slow {
            static {
              java.util.concurrent.locks.LockSupport.parkNanos(300_000_000);
            }
          }

          @Test
          %s
          void placesAnOrder() throws Exception {
            %s
          }
        }
        """
            .formatted(imports, imports.isEmpty() ? "" : "@ShouldNotPin", body));
  }

  private Forked maven(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-B",
                "-o",
                // A repository of files is one that can be reached offline.
                "-Daether.offline.protocols=file",
                "-s",
                settings.toString(),
                "-Dmaven.repo.local=" + folder.resolve("m2")));
    command.addAll(Arrays.asList(arguments));
    return Forked.run(
        folder,
        Map.of("JAVA_HOME", Jdk.JAVA_25.home().toString(), "MAVEN_OPTS", "-XX:TieredStopAtLevel=1"),
        command);
  }
}
