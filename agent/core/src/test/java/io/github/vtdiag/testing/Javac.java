package io.github.vtdiag.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.tools.ToolProvider;

/** Compiles what a test has written, in the test's JVM. */
public final class Javac {
  private Javac() {}

  /** The class file of a class, compiled in a folder of its own below this one. */
  public static byte[] classFile(Path folder, String name, String source) throws IOException {
    Path in = Files.createTempDirectory(folder, name);
    compile(in, List.of(Files.writeString(in.resolve(name + ".java"), source)));
    return Files.readAllBytes(in.resolve(name + ".class"));
  }

  /**
   * Compiles to class files of Java 21 with all debug information, against the folder itself. A
   * class path would be that of the tests, of which javac opens every jar for each small program,
   * and {@code --release} opens the list of an older JDK's API: both took a third of the time of
   * the analyzer's unit tests.
   *
   * @param options more of them, which may be {@code -cp} or {@code --release}
   * @throws IllegalArgumentException with what javac says, if it does not compile
   */
  public static void compile(Path to, Collection<Path> sources, String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    if (!arguments.contains("--release")) {
      arguments.addAll(List.of("-source", "21", "-target", "21"));
    }
    if (!arguments.contains("-cp")) {
      arguments.addAll(List.of("-cp", to.toString()));
    }
    arguments.addAll(List.of("-g", "-nowarn", "-Xlint:none", "-proc:none", "-d", to.toString()));
    sources.forEach(source -> arguments.add(source.toString()));
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    if (ToolProvider.getSystemJavaCompiler()
            .run(null, OutputStream.nullOutputStream(), messages, arguments.toArray(String[]::new))
        != 0) {
      throw new IllegalArgumentException(messages.toString(StandardCharsets.UTF_8));
    }
  }
}
