package samples.whatif;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Applications on real frameworks and libraries start and work with locks for monitors. */
class StartsIT {
  @TempDir Path folder;

  /** This module's test class path without vtdiag, which no application has. */
  private static String classPath() {
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Stream.of(all.split(File.pathSeparator))
        .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("vtdiag-"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private Forked run(Jdk jdk, List<String> program, String... more)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(more));
    // Mockito attaches itself, which Java 21 and later warn of otherwise.
    all.addAll(List.of("-Xverify:all", "-XX:+EnableDynamicAgentLoading", "-XX:-UsePerfData"));
    all.addAll(program);
    return Forked.java(jdk, folder, all.toArray(String[]::new));
  }

  private void worksAsItDid(Jdk jdk, String... program) throws Exception {
    Forked bare = run(jdk, List.of(program));
    assertTrue(bare.out().endsWith("done\n"), bare.out() + bare.err());
    Path agent = Jdks.projectFolder().resolve("agent/target/vtdiag.jar");
    String options = "=output=" + folder.resolve("a.jfr") + ",summary=off,rewrite=auto";
    Forked rewritten = run(jdk, List.of(program), "-javaagent:" + agent + options);
    assertEquals(bare.out(), rewritten.out(), rewritten.err());
    assertEquals(bare.exitCode(), rewritten.exitCode(), rewritten.err());
    assertTrue(rewritten.err().contains("what-if: replacing the monitors"), rewritten.err());
  }

  @ParameterizedTest
  @EitherJdk
  void springOnTomcat(Jdk jdk) throws Exception {
    worksAsItDid(jdk, "-cp", classPath(), SpringOnTomcat.class.getName());
  }

  @ParameterizedTest
  @EitherJdk
  void jnaAndSqlite(Jdk jdk) throws Exception {
    worksAsItDid(jdk, "-cp", classPath(), NativeLibraries.class.getName());
  }

  @ParameterizedTest
  @EitherJdk
  void mockito(Jdk jdk) throws Exception {
    worksAsItDid(jdk, "-cp", classPath(), Mocks.class.getName());
  }

  /** Its inline mock maker copies the code of what it mocks into other methods. */
  @ParameterizedTest
  @EitherJdk
  void mockitoFourInline(Jdk jdk) throws Exception {
    Path extensions = Files.createDirectories(folder.resolve("mock/mockito-extensions"));
    Files.writeString(extensions.resolve("org.mockito.plugins.MockMaker"), "mock-maker-inline");
    Path old = Jdks.projectFolder().resolve("sample-apps/target/libraries/mockito-4");
    String classPath =
        String.join(
            File.pathSeparator,
            folder.resolve("mock").toString(),
            old.resolve("mockito-core-4.11.0.jar").toString(),
            Stream.of(classPath().split(File.pathSeparator))
                .filter(entry -> !entry.contains("mockito-core-"))
                .collect(Collectors.joining(File.pathSeparator)));
    worksAsItDid(jdk, "-cp", classPath, Mocks.class.getName());
  }

  @ParameterizedTest
  @EitherJdk
  void aModule(Jdk jdk) throws Exception {
    Path sources = Files.createDirectories(folder.resolve("source/q"));
    Path module = sources.resolveSibling("module-info.java");
    Files.writeString(module, "module n {}\n");
    Path main = sources.resolve("Main.java");
    Files.writeString(
        main,
        """
        package q;

        class Main {
          private int count;

          private synchronized int next() {
            notifyAll();
            return ++count;
          }

          public static void main(String[] args) {
            Object lock = new Object();
            Main main = new Main();
            synchronized (lock) {
              System.out.println(main.next() + " " + main.next() + " " + Thread.holdsLock(lock));
            }
            System.out.println("done");
          }
        }
        """);
    Path classes = folder.resolve("classes");
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "--release",
                "21",
                "-d",
                classes.toString(),
                module.toString(),
                main.toString());
    assertEquals(0, result);
    worksAsItDid(jdk, "-p", classes.toString(), "-m", "n/q.Main");
  }
}
