package samples.languages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import io.github.vtdiag.testing.WarmCommandLine;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs in Kotlin and Groovy, by their own compilers: their locks are decided as those of Java,
 * and where the patch cannot write it, the advice says how.
 */
class LanguagesIT {
  private static final Path AGENT = Jdks.projectFolder().resolve("agent/target/vtdiag.jar");
  private static final Path SOURCES =
      Jdks.projectFolder().resolve("sample-apps/src/test/languages");
  private static final Path LIBRARIES = Path.of("target", "libraries").toAbsolutePath();
  private static final String KOTLIN = jar("kotlin", "kotlin-stdlib");
  private static final String GROOVY = jar("groovy", "groovy");

  @TempDir Path folder;

  private static String jar(String library, String name) {
    String[] files = LIBRARIES.resolve(library).toFile().list((at, file) -> file.startsWith(name));
    if (files == null || files.length != 1) {
      throw new IllegalStateException(name + " in " + library + ": " + Arrays.toString(files));
    }
    return LIBRARIES.resolve(library).resolve(files[0]).toString();
  }

  private void compileKotlin() throws Exception {
    succeed(
        Forked.java(
            Jdk.JAVA_21,
            folder,
            "-cp",
            LIBRARIES.resolve("kotlin-compiler") + "/*" + File.pathSeparator + KOTLIN,
            "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
            "-no-stdlib",
            "-no-reflect",
            "-jvm-target",
            "21",
            "-cp",
            KOTLIN,
            "-d",
            "classes",
            SOURCES.resolve("shop/Main.kt").toString()));
  }

  private static Forked succeed(Forked forked) {
    assertEquals(0, forked.exitCode(), forked::toString);
    return forked;
  }

  private Forked run(String library, String agent, String main) throws Exception {
    return succeed(
        Forked.java(
            Jdk.JAVA_21,
            folder,
            "-Djdk.virtualThreadScheduler.parallelism=2",
            "-javaagent:" + AGENT + "=output=x.jfr" + agent,
            "-cp",
            "classes" + File.pathSeparator + library,
            main));
  }

  private Forked vtdiag(String command, String library, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(command));
    arguments.addAll(List.of(more));
    arguments.addAll(
        List.of("--classpath", folder.resolve("classes") + File.pathSeparator + library));
    arguments.addAll(List.of("--sources", SOURCES.toString()));
    return WarmCommandLine.run(Jdk.JAVA_25, arguments.toArray(String[]::new));
  }

  @Test
  void kotlinsMonitorsAreReplacedByHand() throws Exception {
    compileKotlin();
    run(KOTLIN, "", "shop.MainKt");
    String recording = folder.resolve("x.jfr").toString();
    Forked advice = succeed(vtdiag("advise", KOTLIN, recording));
    for (String said :
        List.of(
            "Replace the monitor of Orders with a ReentrantLock by hand (1 site)\n",
            "Replace the monitor of Orders's field lock with a ReentrantLock by hand (1 site)\n",
            "Main.kt is not Java, which is all that vtdiag patch changes; in Kotlin: private val"
                + " lock = ReentrantLock(), and lock.withLock { }",
            "Read the property at start-up, or declare it with"
                + " lazy(LazyThreadSafetyMode.PUBLICATION) where it may be computed twice\n")) {
      assertTrue(advice.out().contains(said), () -> said + " is not in " + advice.out());
    }
    assertFalse(advice.out().contains("vtdiag patch " + recording), advice.out());
    for (String[] selected : List.of(new String[] {recording}, new String[] {"--all"})) {
      Forked patch = succeed(vtdiag("patch", KOTLIN, selected));
      assertEquals("", patch.out());
      assertTrue(
          patch
              .err()
              .contains("  Orders: it is taken in Main.kt, and only Java sources are patched\n"),
          patch.err());
    }
  }

  /** JFR does not record it; the agent and the class path know it. */
  @Test
  void theSourceFileIsThatOfTheClass() throws Exception {
    compileKotlin();
    Forked agent = run(KOTLIN, ",warn=1ms", "shop.MainKt");
    assertTrue(agent.err().contains("(synchronized method audit, Main.kt:11)"), agent.err());
    String recording = folder.resolve("x.jfr").toString();
    allSayMainKt(recording);

    succeed(
        Forked.java(
            Jdk.JAVA_21,
            folder,
            "-Djdk.virtualThreadScheduler.parallelism=2",
            "-XX:StartFlightRecording:filename=jdk.jfr,jdk.VirtualThreadPinned#threshold=1ms",
            "-cp",
            "classes" + File.pathSeparator + KOTLIN,
            "shop.MainKt"));
    allSayMainKt(
        folder.resolve("jdk.jfr").toString(),
        "--classpath",
        folder.resolve("classes") + File.pathSeparator + KOTLIN);
  }

  private static void allSayMainKt(String recording, String... more) throws Exception {
    for (String[] command :
        List.of(
            new String[] {"analyze"},
            new String[] {"advise"},
            new String[] {"analyze", "--format=json"},
            new String[] {"analyze", "--format=html"},
            new String[] {"advise", "--format=markdown"})) {
      List<String> arguments = new ArrayList<>(List.of(command));
      arguments.add(recording);
      arguments.addAll(List.of(more));
      String said =
          succeed(WarmCommandLine.run(Jdk.JAVA_25, arguments.toArray(String[]::new))).out();
      assertTrue(said.contains("Main.kt"), () -> arguments + ": " + said);
      for (String invented : List.of("Orders.java", "MainKt.java", "Prices.java")) {
        assertFalse(said.contains(invented), () -> arguments + ": " + invented + " in " + said);
      }
    }
  }

  /** What the advice says of Kotlin's monitors is true: as locks they do not pin. */
  @Test
  void asLocksKotlinsMonitorsDoNotPin() throws Exception {
    compileKotlin();
    Forked monitors = run(KOTLIN, ",warn=off", "shop.MainKt");
    assertTrue(monitors.err().contains(" shop.Orders.audit, synchronized method"), monitors.err());
    Forked locks = run(KOTLIN, ",warn=off,rewrite=auto", "shop.MainKt");
    assertFalse(locks.err().contains(" shop.Orders."), locks.err());
    assertEquals(monitors.out(), locks.out());
  }

  @Test
  void groovysMonitorsAreReplacedByHand() throws Exception {
    succeed(
        Forked.run(
            folder,
            Map.of(),
            List.of(
                Jdk.JAVA_21.java().toString(),
                "-cp",
                GROOVY,
                "org.codehaus.groovy.tools.FileSystemCompiler",
                "-d",
                "classes",
                SOURCES.resolve("shop/Books.groovy").toString())));
    run(GROOVY, "", "shop.Books");
    Forked advice = succeed(vtdiag("advise", GROOVY, folder.resolve("x.jfr").toString()));
    assertTrue(
        advice
            .out()
            .contains("Replace the monitor of Books with a ReentrantLock by hand (1 site)\n"),
        advice.out());
    assertTrue(advice.out().contains("; in Groovy: private final ReentrantLock"), advice.out());
  }
}
