package io.github.vtdiag.scan;

import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.testing.Javac;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Compiles programs of one source file and scans them. */
final class ScannedSource {
  private static final String IMPORTS =
      "package p; import java.io.*; import java.util.*; import java.util.concurrent.*;"
          + " import java.util.concurrent.locks.*; import java.util.function.*;";

  private ScannedSource() {}

  static Path compile(Path folder, String name, String source, String... classPath)
      throws IOException {
    Path out = Files.createDirectories(folder.resolve(name));
    Path file =
        Files.writeString(Files.createDirectories(folder.resolve("src")).resolve("S.java"), source);
    Javac.compile(out, List.of(file), "-cp", String.join(":", classPath));
    return out;
  }

  static Path compileMembers(Path folder, String members) throws IOException {
    return compile(folder, "classes", IMPORTS + " class A { " + members + " }");
  }

  static Scan scan(JdkClasses jdk, Path... path) throws Exception {
    List<String> classPath = Stream.of(path).map(Path::toString).toList();
    try (Program program = Program.readWithCalls(ClassPathBytes.open(classPath, 21), jdk)) {
      return MonitorScanner.scan(program);
    }
  }

  /** Each monitor: the caller of one in the JDK, the method that takes it, what it waits for. */
  static List<String> found(Scan scan) {
    return scan.monitors().stream()
        .map(
            each ->
                each.caller().map(caller -> caller.name() + " in ").orElse("")
                    + each.site().method()
                    + " "
                    + each.waits())
        .toList();
  }
}
