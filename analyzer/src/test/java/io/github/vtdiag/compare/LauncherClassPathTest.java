package io.github.vtdiag.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.DataException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LauncherClassPathTest {
  @TempDir private Path folder;

  @Test
  void aFileOfArgumentsHidesIt() {
    JavaCommand command = new JavaCommand("java", List.of(), List.of("-ea", "@args", "Main"));
    String message = assertThrows(DataException.class, command::classPath).getMessage();
    assertTrue(message.startsWith("@args may set the class path; write"), message);
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
  void itIsTheLaunchersAndNotTheProgramsOwn(String arguments, String expected) throws Exception {
    assertEquals(
        List.of(expected.split(" ")),
        LauncherClassPath.entries(
            List.of(arguments.replace(':', File.pathSeparatorChar).split(" "))));
  }

  private Path jar(String name, String classPath) throws Exception {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    new JarOutputStream(Files.newOutputStream(file), manifest).close();
    return file;
  }

  @Test
  void whatIsThereIsFoundAndWhatItsManifestsName() throws Exception {
    Path first = jar("lib/first.jar", "../app.jar no.jar http://x/y.jar %zz");
    Path second = jar("lib/second one.jar", "first.jar");
    Path app = jar("app.jar", "lib/second%20one.jar classes/");
    Path classes = Files.createDirectory(folder.resolve("classes"));
    assertEquals(
        List.of(app, second, first, classes),
        found("-jar", app.toString()).stream().map(Path::normalize).distinct().toList());
    assertEquals(
        List.of(first, app, second, classes),
        found("-cp", folder.resolve("lib") + "/*" + File.pathSeparator + "no", "Main").stream()
            .map(Path::normalize)
            .distinct()
            .toList());
  }

  private static List<Path> found(String... arguments) throws DataException {
    return new JavaCommand("java", List.of(), List.of(arguments))
        .classPath().stream().map(Path::of).toList();
  }
}
