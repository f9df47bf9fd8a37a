package io.github.vtdiag.agent;

import io.github.vtdiag.testing.Jdks;
import java.io.File;
import java.io.IOException;
import java.net.JarURLConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The built agent. */
public final class AgentJar {
  public static final Path PATH = Jdks.projectFolder().resolve("agent/target/vtdiag.jar");

  /** What test programs are run from. */
  public static final Path PROGRAMS = Jdks.projectFolder().resolve("agent/target/test-classes");

  private AgentJar() {}

  /** The class path of test programs and of the jars that have these classes. */
  static String programsWith(String... classNames) throws IOException {
    List<String> all = new ArrayList<>(List.of(PROGRAMS.toString()));
    for (String name : classNames) {
      var url = ClassLoader.getSystemResource(name.replace('.', '/') + ".class");
      all.add(new File(((JarURLConnection) url.openConnection()).getJarFile().getName()).getPath());
    }
    return String.join(File.pathSeparator, all);
  }

  /** What the agent says, but for the faults of the Java that the test happens to run on. */
  public static List<String> said(String err) {
    return err.lines()
        .filter(line -> line.startsWith("[vtdiag]"))
        .filter(line -> !line.startsWith("[vtdiag] this Java, "))
        .toList();
  }

  public static String option(String options) {
    return "-javaagent:" + PATH + (options.isEmpty() ? "" : "=" + options);
  }
}
