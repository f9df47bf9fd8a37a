package samples.languages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import io.github.vtdiag.testing.WarmCommandLine;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import samples.Once;

/**
 * Programs in Kotlin and Groovy, by their own compilers: their locks are decided as those of Java,
 * patched in Kotlin, and where the patch cannot write it, the advice says how.
 */
class LanguagesIT {
  private static final Path AGENT = Jdks.projectFolder().resolve("agent/target/vtdiag.jar");
  private static final Path SOURCES =
      Jdks.projectFolder().resolve("sample-apps/src/test/languages");
  private static final Path LIBRARIES = Path.of("target", "libraries").toAbsolutePath();
  private static final String KOTLIN = jar("kotlin", "kotlin-stdlib");
  private static final String GROOVY = jar("groovy", "groovy");

  private static final String KOTLIN_COMPILER =
      LIBRARIES.resolve("kotlin-compiler") + File.pathSeparator + KOTLIN;
  private static final List<String> KOTLIN_SOURCES =
      List.of("Main.kt", "Locks.kt", "Refused.kt", "Unknown.kt");
  private static final Once<Path> COMPILED = new Once<>();

  @TempDir Path folder;

  private static String jar(String library, String name) {
    String[] files = LIBRARIES.resolve(library).toFile().list((at, file) -> file.startsWith(name));
    if (files == null || files.length != 1) {
      throw new IllegalStateException(name + " in " + library + ": " + Arrays.toString(files));
    }
    return LIBRARIES.resolve(library).resolve(files[0]).toString();
  }

  /** The programs, whose sources have the line ends of two systems, and their classes. */
  private static Path compiledKotlin() throws Exception {
    return COMPILED.get(
        "kotlin",
        () -> {
          Path made = Files.createDirectories(Path.of("target", "kotlin").toAbsolutePath());
          Path shop = Files.createDirectories(made.resolve("sources/shop"));
          for (String name : KOTLIN_SOURCES) {
            String text = Files.readString(SOURCES.resolve("shop").resolve(name));
            Files.writeString(
                shop.resolve(name), name.equals("Locks.kt") ? text.replace("\n", "\r\n") : text);
          }
          compileKotlin(made);
          return made;
        });
  }

  private static void compileKotlin(Path folder) throws Exception {
    compileKotlin(folder, "21", KOTLIN_SOURCES);
  }

  private static void compileKotlin(Path folder, String target, List<String> names)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Forked.QUICK,
                "-XX:+UseSerialGC",
                "-cp",
                LIBRARIES.resolve("kotlin-compiler") + "/*" + File.pathSeparator + KOTLIN,
                "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
                "-no-stdlib",
                "-no-reflect",
                "-jvm-target",
                target,
                "-cp",
                KOTLIN,
                "-d",
                "classes"));
    names.forEach(name -> command.add("sources/shop/" + name));
    succeed(Forked.java(Jdk.JAVA_21, folder, command.toArray(String[]::new)));
  }

  private static Forked succeed(Forked forked) {
    assertEquals(0, forked.exitCode(), forked::toString);
    return forked;
  }

  private Forked run(String classPath, String agent, String main) throws Exception {
    return succeed(
        Forked.java(
            Jdk.JAVA_21,
            folder,
            "-Djdk.virtualThreadScheduler.parallelism=2",
            "-javaagent:" + AGENT + "=output=x.jfr" + agent,
            "-cp",
            classPath,
            main));
  }

  private static Forked vtdiag(String command, List<String> first, String... more)
      throws Exception {
    List<String> arguments = new ArrayList<>(List.of(command));
    arguments.addAll(first);
    arguments.addAll(List.of(more));
    return WarmCommandLine.run(Jdk.JAVA_25, arguments.toArray(String[]::new));
  }

  @Test
  void kotlinsMonitorsArePatched() throws Exception {
    Path compiled = compiledKotlin();
    String classPath = compiled.resolve("classes") + File.pathSeparator + KOTLIN;
    String recording = folder.resolve("x.jfr").toString();
    run(classPath, "", "shop.MainKt");
    String[] sources = {"--classpath", classPath, "--sources", compiled.resolve("sources") + ""};
    Forked advice = succeed(vtdiag("advise", List.of(recording), sources));
    for (String said :
        List.of(
            "Replace the monitor of Orders with a ReentrantLock (1 site)\n",
            "Replace the monitor of Orders's field lock with a ReentrantLock (1 site)\n",
            "Next: vtdiag patch " + recording,
            "Read the property at start-up, or declare it with"
                + " lazy(LazyThreadSafetyMode.PUBLICATION) where it may be computed twice\n")) {
      assertTrue(advice.out().contains(said), () -> said + " is not in " + advice.out());
    }
    Forked patch =
        succeed(vtdiag("patch", List.of(recording, "--kotlin-compiler", KOTLIN_COMPILER), sources));
    assertTrue(patch.err().contains("patched 2 locks (2 sites in 1 file)\n"), patch.err());
    assertTrue(
        patch
            .out()
            .contains(
                """
                +    @Transient private val instanceLock = ReentrantLock()
                +    private val lock = ReentrantLock()
                """),
        patch.out());

    Forked refused = vtdiag("patch", List.of(recording, "--kotlin-compiler", recording), sources);
    assertEquals(3, refused.exitCode());
    assertTrue(refused.err().contains("x.jfr is no Kotlin compiler; "), refused.err());
  }

  /** What is patched runs as before, and what cannot be is told, each with its reason. */
  @Test
  void eachFormOfKotlinIsPatchedOrRefused() throws Exception {
    Path compiled = compiledKotlin();
    String before = compiled.resolve("classes") + File.pathSeparator + KOTLIN;
    Path patched = folder.resolve("patched");
    Path shop = Files.createDirectories(patched.resolve("sources/shop"));
    for (String name : KOTLIN_SOURCES) {
      Files.copy(compiled.resolve("sources/shop").resolve(name), shop.resolve(name));
    }
    Forked patch =
        succeed(
            vtdiag(
                "patch",
                List.of("--all", "--kotlin-compiler", KOTLIN_COMPILER),
                "--classpath",
                before,
                "--sources",
                patched.resolve("sources").toRealPath().toString()));
    assertEquals(
        """
          Anonymous$make$1: Refused.kt does not name shop.Anonymous$make$1 as a class of its own
          Base: line 29 of Refused.kt takes it outside of shop.Base, where a private lock is not seen
          Entries$ONE: shop.Entries$ONE is declared as an entry of an enum
          ForJava$Companion: what line 10 of Refused.kt locks also takes another monitor
          ForJava.class: what line 10 of Refused.kt locks also takes another monitor
          Handed's field lock: line 5 of Unknown.kt calls synchronized without a block in braces
          Inlined's field lock: shop.Inlined.use takes it in code that Kotlin inlines there
          Level: shop.Level is declared as enum
          Observed's field lock: shop.Observed$special$$inlined$observable$1.afterChange takes it in code that Kotlin inlines there
          OfItsClass.class: shop.OfItsClass's class object is locked, for which a Kotlin class has no place; lock a private val of its companion
          OneLine's field a: cannot tell apart the monitors on line 59 of Refused.kt
          OneLine's field b: cannot tell apart the monitors on line 59 of Refused.kt
          Outwards's field lock: the block on line 53 of Refused.kt has returns to labels that would mean another block
          Renamed's field list: line 46 of Refused.kt locks list by another name
          Waiting's field lock: Refused.kt calls wait on line 21, which is not rewritten in Kotlin
          shop.Variable.use (Refused.kt:39): Variable.lock is not final and is assigned in Variable.use, so two threads may lock different objects
        vtdiag: 1 file is left out, with all locks taken there: line 5 of Unknown.kt calls synchronized without a block in braces
        vtdiag: patched 16 locks (29 sites in 2 files); 16 locks stay monitors
        """,
        patch
            .err()
            .lines()
            .filter(line -> line.startsWith("vtdiag:") || line.startsWith("  "))
            .filter(line -> !line.endsWith("Locks.kt:25")) // a comment to read
            .sorted()
            .map(line -> line + "\n")
            .collect(Collectors.joining()));

    Files.writeString(patched.resolve("locks.patch"), patch.out());
    succeed(
        Forked.run(
            patched.resolve("sources"),
            Map.of(),
            List.of("git", "apply", "--verbose", "../locks.patch")));
    String locks = Files.readString(shop.resolve("Locks.kt"));
    assertEquals(
        locks.lines().count(), locks.split("\r\n", -1).length - 1, "each line ends as before");
    assertFalse(
        Pattern.compile("^\\s*@?[sS]ynchronized|= synchronized", Pattern.MULTILINE)
            .matcher(locks)
            .find(),
        locks);
    compileKotlin(patched);
    String after = patched.resolve("classes") + File.pathSeparator + KOTLIN;
    assertEquals(
        succeed(Forked.java(Jdk.JAVA_21, folder, "-cp", before, "shop.Locks")).out(),
        succeed(Forked.java(Jdk.JAVA_21, folder, "-cp", after, "shop.Locks")).out());
    Forked run = run(after, ",warn=off", "shop.MainKt");
    assertFalse(run.err().contains(" shop.Orders."), run.err());
  }

  /**
   * Kotlin makes classes for Java 8 unless told, and the oldest JDK may have no virtual threads.
   */
  @Test
  void classesForJava8MayStartVirtualThreads() throws Exception {
    Path shop = Files.createDirectories(folder.resolve("sources/shop"));
    Files.writeString(
        shop.resolve("Young.kt"),
        """
        package shop

        class Young {
            @Synchronized
            fun start() {
                Thread.startVirtualThread { }.join()
            }
        }
        """);
    compileKotlin(folder, "1.8", List.of("Young.kt"));
    Forked patch =
        succeed(
            vtdiag(
                "patch",
                List.of("--all", "--kotlin-compiler", KOTLIN_COMPILER),
                "--classpath",
                folder.resolve("classes") + File.pathSeparator + KOTLIN,
                "--sources",
                folder.resolve("sources").toString()));
    assertTrue(patch.err().contains("patched 1 lock (1 site in 1 file)\n"), patch.err());
    assertTrue(patch.out().contains("+        lock.withLock {\n"), patch.out());
  }

  /** JFR does not record it; the agent and the class path know it. */
  @Test
  void theSourceFileIsThatOfTheClass() throws Exception {
    String classPath = compiledKotlin().resolve("classes") + File.pathSeparator + KOTLIN;
    Forked agent = run(classPath, ",warn=1ms", "shop.MainKt");
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
            classPath,
            "shop.MainKt"));
    allSayMainKt(folder.resolve("jdk.jfr").toString(), "--classpath", classPath);
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
    String classPath = compiledKotlin().resolve("classes") + File.pathSeparator + KOTLIN;
    Forked monitors = run(classPath, ",warn=off", "shop.MainKt");
    assertTrue(monitors.err().contains(" shop.Orders.audit, synchronized method"), monitors.err());
    Forked locks = run(classPath, ",warn=off,rewrite=auto", "shop.MainKt");
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
    String classPath = folder.resolve("classes") + File.pathSeparator + GROOVY;
    run(classPath, "", "shop.Books");
    Forked advice =
        succeed(
            vtdiag(
                "advise",
                List.of(folder.resolve("x.jfr").toString()),
                "--classpath",
                classPath,
                "--sources",
                SOURCES.toString()));
    assertTrue(
        advice
            .out()
            .contains("Replace the monitor of Books with a ReentrantLock by hand (1 site)\n"),
        advice.out());
    assertTrue(
        advice
            .out()
            .contains("Books.groovy is neither Java nor Kotlin, which vtdiag patch changes"),
        advice.out());
    assertTrue(advice.out().contains("; in Groovy: private final ReentrantLock"), advice.out());
  }
}
