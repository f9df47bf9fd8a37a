package io.github.vtdiag.agent.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs cases that read private fields of the JDK, on each JDK in a JVM of its own. */
public final class CasesRun {
  private CasesRun() {}

  /**
   * Runs a main class of the tests and returns the lines that it prints.
   *
   * @param open the packages that it reads, beside {@code java.lang} and {@code
   *     java.util.concurrent}
   */
  public static List<String> lines(Jdk jdk, Path folder, Class<?> cases, String... open)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.add(Forked.QUICK);
    Stream.concat(Stream.of("java.lang", "java.util.concurrent"), Stream.of(open))
        .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
        .forEach(arguments::add);
    arguments.add("-cp");
    arguments.add(System.getProperty("java.class.path"));
    arguments.add(cases.getName());
    Forked run = Forked.java(jdk, folder, arguments.toArray(String[]::new));
    assertEquals("", run.err());
    return run.out().lines().toList();
  }
}
