package io.github.vtdiag.testing;

import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The Javas on this machine that vtdiag does not support, and must do no harm on. Unlike those it
 * supports, nobody has to have one: where there is none, the test is skipped and says so.
 */
public final class OlderJavas {
  private OlderJavas() {}

  /** The homes of all that are found: in the environment, on the path, in the usual folders. */
  public static List<Path> homes() {
    Stream<Path> environment =
        System.getenv().entrySet().stream()
            .filter(variable -> variable.getKey().matches("JAVA_HOME.*|VTDIAG_JDK\\d+"))
            .map(Map.Entry::getValue)
            .map(home -> launcher(Path.of(home)));
    Stream<Path> onPath =
        Stream.of(System.getenv("PATH").split(":", -1)).map(bin -> Path.of(bin, "java"));
    Stream<Path> installed =
        Stream.ofNullable(new File("/usr/lib/jvm").listFiles())
            .flatMap(Stream::of)
            .map(home -> launcher(home.toPath()));
    List<Path> homes =
        Stream.of(environment, onPath, installed)
            .flatMap(launchers -> launchers)
            .filter(Files::isExecutable)
            .map(OlderJavas::home)
            .filter(OlderJavas::isOlder)
            .distinct()
            .toList();
    Assumptions.assumeFalse(
        homes.isEmpty(),
        "no Java before 21 on this machine: what the agent does there is untested");
    return homes;
  }

  /** The launcher of a home. */
  public static Path launcher(Path home) {
    return home.resolve("bin/java");
  }

  private static Path home(Path launcher) {
    try {
      return launcher.toRealPath().getParent().getParent();
    } catch (IOException e) {
      return launcher;
    }
  }

  private static boolean isOlder(Path home) {
    try {
      Properties release = new Properties();
      release.load(new StringReader(Files.readString(home.resolve("release"))));
      String version = release.getProperty("JAVA_VERSION", "").replaceAll("\"|^\"?1\\.", "");
      int feature = Integer.parseInt(version.split("[^0-9]", 2)[0]);
      return feature >= 8 && feature < 21;
    } catch (IOException | NumberFormatException e) {
      return false;
    }
  }
}
