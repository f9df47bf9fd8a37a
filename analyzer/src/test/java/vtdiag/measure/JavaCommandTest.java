package vtdiag.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vtdiag.recording.DataException;

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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-cp a:b/* Main|a b/*",
        "-cp a::b Main|a . b",
        "-Da=b --class-path=a -classpath b -ea Main -cp c|b",
        "-cp a -Xmx1g -jar app.jar -cp c|app.jar",
        "--add-modules -cp -cp a Main|a",
        "-p mods -m app/Main -cp c|mods mods/*",
        "--module-path=mods -cp a --module app/Main -cp c|mods mods/* a",
      })
  void theClassPathIsTheLaunchersOwn(String arguments, String expected) throws Exception {
    String path = arguments.replace(':', File.pathSeparatorChar);
    JavaCommand command = new JavaCommand("java", List.of("-Dfirst"), List.of(path.split(" ")));
    assertEquals(List.of(expected.split(" ")), command.classPath());
  }

  @Test
  void aFileOfArgumentsHidesIt() {
    JavaCommand command = new JavaCommand("java", List.of(), List.of("-ea", "@args", "Main"));
    assertTrue(
        assertThrows(DataException.class, command::classPath).getMessage().startsWith("@args may"));
  }

  @Test
  void theAgentComesFirst() {
    assertEquals(
        List.of("java", "-javaagent:vtdiag.jar=output=a.jfr", "-Dx", "-jar", "app.jar"),
        new JavaCommand("java", List.of("-Dx"), List.of("-jar", "app.jar"))
            .line(Optional.of("vtdiag.jar=output=a.jfr")));
  }
}
