package samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.CommandLine;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * An ordinary application of Spring Boot, with Tomcat, Guava and Hibernate on its class path: all
 * ten of its monitors become locks, and it still serves.
 */
class SpringBootIT {
  private static final Path SHOP = Jdks.projectFolder().resolve("sample-apps/src/test/shop/shop");
  private static final Path JARS =
      Jdks.projectFolder().resolve("sample-apps/target/libraries/spring-boot");

  @TempDir Path temporary;
  private Path folder;

  @BeforeEach
  void copyShop() throws IOException {
    folder = temporary.toRealPath();
    Path shop = Files.createDirectories(folder.resolve("src/shop"));
    try (Stream<Path> files = Files.list(SHOP)) {
      for (Path file : files.toList()) {
        Files.copy(file, shop.resolve(file.getFileName()));
      }
    }
    compile();
  }

  private static String jars() throws IOException {
    try (Stream<Path> jars = Files.list(JARS)) {
      return jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
  }

  private void compile() throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("--release", "21", "-parameters", "-g", "-proc:none", "-Xlint:none"));
    arguments.addAll(List.of("-cp", jars(), "-d", folder.resolve("classes").toString()));
    try (Stream<Path> files = Files.list(folder.resolve("src/shop"))) {
      files.map(Path::toString).forEach(arguments::add);
    }
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new)));
  }

  private Forked patch() throws Exception {
    return Forked.run(
        folder,
        Map.of(),
        CommandLine.command(
            Jdk.JAVA_25,
            List.of(
                "patch",
                "--all",
                "--verify",
                "--classpath",
                "classes" + File.pathSeparator + jars(),
                "--sources",
                "src",
                "-o",
                "locks.patch")));
  }

  @ParameterizedTest
  @EitherJdk
  void allTenMonitorsMoveAndItStillServes(Jdk jdk) throws Exception {
    Forked patched = patch();
    assertEquals(0, patched.exitCode(), patched.err());
    assertTrue(patched.err().contains("patched 7 locks (10 sites in 7 files)\n"), patched.err());
    Forked applied = Forked.run(folder, Map.of(), List.of("git", "apply", "locks.patch"));
    assertEquals(0, applied.exitCode(), applied.err());
    compile();
    Forked ran =
        Forked.java(
            jdk,
            folder,
            "-cp",
            "classes" + File.pathSeparator + jars(),
            "shop.ShopApplication",
            "--server.port=0",
            "--server.address=127.0.0.1");
    assertEquals(0, ran.exitCode(), ran.err());
    assertTrue(ran.out().contains("ordered 1 tea -1 3\n"), ran.out());
  }

  /** One that Spring's mutex of a session really can be stays, and what keeps it is named. */
  @Test
  void whatASessionLocksStays() throws Exception {
    Files.writeString(
        folder.resolve("src/shop/Basket.java"),
        """
        package shop;

        class Basket {
          private int items;

          synchronized void add() {
            items++;
          }

          void lockedBySpring(jakarta.servlet.http.HttpSession session) {
            session.setAttribute(
                org.springframework.web.util.WebUtils.SESSION_MUTEX_ATTRIBUTE, this);
          }
        }
        """);
    compile();
    Forked patched = patch();
    assertEquals(0, patched.exitCode(), patched.err());
    assertTrue(
        patched.err().contains("(10 sites in 7 files); 1 lock stays a monitor\n"), patched.err());
    assertTrue(patched.err().contains(".SessionScope#get: 1 lock\n"), patched.err());
  }
}
