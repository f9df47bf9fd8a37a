package io.github.vtdiag.agent.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the pollers of either JDK know of threads that read, and who should answer these. */
class UnansweredReadsTest {
  @TempDir Path folder;

  private String said(Jdk jdk, String way) throws Exception {
    Forked program =
        Forked.java(
            jdk,
            folder,
            "-javaagent:" + agent(),
            Forked.QUICK,
            "-cp",
            System.getProperty("java.class.path"),
            Reads.class.getName(),
            way);
    assertEquals(0, program.exitCode(), program::err);
    return program.out();
  }

  private Path agent() throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", Reads.class.getName());
    Path jar = folder.resolve("reads-agent.jar");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar;
  }

  private static String expected(int unanswered, int later) {
    return String.join(
        System.lineSeparator(),
        "nobody reads: {}",
        "descriptors: 3",
        "unanswered: " + unanswered,
        "at the port: true",
        "still waiting: 0",
        "a moment later: " + later,
        "");
  }

  /** Each file has to be asked for, so it is not looked again at once. */
  @ParameterizedTest
  @EnumSource
  void nobodyAnswersWhereNobodyReads(Jdk jdk) throws Exception {
    assertEquals(expected(3, 3), said(jdk, "kept"));
  }

  @ParameterizedTest
  @EnumSource
  void virtualThreadsThatReadMayAnswer(Jdk jdk) throws Exception {
    assertEquals(expected(0, 0), said(jdk, "read"));
  }

  /** From which connection one of these reads is not known. */
  @ParameterizedTest
  @EnumSource
  void platformThreadsThatReadMayAnswer(Jdk jdk) throws Exception {
    assertEquals(expected(0, 0), said(jdk, "platform"));
  }
}
