package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import whatif.Natives;

/**
 * Native methods that are synchronized, with a library of our own. Needs a C compiler, {@code cc}.
 */
class NativesIT {
  @TempDir Path folder;

  private Path library() throws IOException, InterruptedException {
    Path library = folder.resolve("libnatives.so");
    Path headers = Path.of(System.getProperty("java.home"), "include");
    List<String> command = new ArrayList<>(List.of("cc", "-shared", "-fPIC", "-o"));
    command.add(library.toString());
    command.add("-I" + headers);
    try (Stream<Path> folders = Files.list(headers)) {
      folders.filter(Files::isDirectory).forEach(each -> command.add("-I" + each));
    }
    command.add(AgentJar.PROGRAMS.resolve("natives.c").toString());
    Forked compiled = Forked.run(folder, Map.of(), command);
    assertEquals(0, compiled.exitCode(), compiled.err());
    return library;
  }

  private Forked run(Jdk jdk, Path library, String... options)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("-Xverify:all", "-Xcheck:jni", "-cp", AgentJar.PROGRAMS.toString()));
    all.addAll(List.of(Natives.class.getName(), library.toString()));
    return Forked.java(jdk, folder, all.toArray(String[]::new));
  }

  @ParameterizedTest
  @EitherJdk
  void nativeMethodsAreAsTheyWereWithALockInTheirMonitorsPlace(Jdk jdk) throws Exception {
    Path library = library();
    Forked bare = run(jdk, library);
    assertTrue(bare.out().endsWith("\nheld true, then false\ncounted 160000\n"), bare.out());
    String agent = AgentJar.option("output=a.jfr,warn=off,summary=off,rewrite=auto");
    Forked rewritten = run(jdk, library, agent);
    assertEquals(bare.out(), rewritten.out(), rewritten.err());
    assertEquals(0, rewritten.exitCode(), rewritten.err());
    // What Java 24 and later warn of names the methods of the source.
    assertEquals(
        bare.err().lines().toList(),
        rewritten.err().lines().filter(line -> !line.startsWith("[vtdiag] ")).toList());
  }
}
