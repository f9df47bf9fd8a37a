package io.github.vtdiag.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JavaCommandTest {
  private static Optional<List<String>> withClassPath(String arguments) {
    return new JavaCommand("java", List.of(), List.of(arguments.split(" ")))
        .withClassPath("new")
        .map(JavaCommand::arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-cp old Main|-cp new Main",
        "-classpath old Main|-classpath new Main",
        "--class-path old Main|--class-path new Main",
        "--class-path=old Main|--class-path=new Main",
        "-Da=b -cp old -ea Main|-Da=b -cp new -ea Main",
        "--add-modules -cp -cp old Main|--add-modules -cp -cp new Main",
        "Main -cp its-own|-cp new Main -cp its-own",
        "-m app/Main -cp its-own|-cp new -m app/Main -cp its-own",
        "-cp old Main -cp its-own|-cp new Main -cp its-own"
      })
  void theClassPathOfJavaAndNoOtherIsReplaced(String arguments, String expected) {
    assertEquals(Optional.of(List.of(expected.split(" "))), withClassPath(arguments));
  }

  @Test
  void aJarHasItsOwn() {
    assertEquals(Optional.empty(), withClassPath("-Xmx1g -jar app.jar"));
    assertEquals(Optional.of(List.of("-cp", "new", "Main", "-jar")), withClassPath("Main -jar"));
  }

  @Test
  void theAgentComesFirst() {
    assertEquals(
        List.of("java", "-javaagent:vtdiag.jar=output=a.jfr", "-Dx", "-jar", "app.jar"),
        new JavaCommand("java", List.of("-Dx"), List.of("-jar", "app.jar"))
            .line(Optional.of("vtdiag.jar=output=a.jfr")));
  }

  /** The usual launcher on the PATH is a link. */
  @Test
  void theReleaseOfALauncherIsThatOfItsHome(@TempDir Path folder) throws IOException {
    Path java = folder.resolve("jdk/bin/java");
    Files.createDirectories(java.getParent());
    Files.createFile(java);
    Path link = Files.createSymbolicLink(folder.resolve("java"), java);
    assertEquals(OptionalInt.empty(), JavaCommand.feature(link));
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"17.0.15\"\n");
    assertEquals(OptionalInt.of(17), JavaCommand.feature(link));
    assertEquals(OptionalInt.empty(), JavaCommand.feature(folder.resolve("none")));
  }
}
