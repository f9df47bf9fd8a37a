package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.programs.Hangs;
import io.github.vtdiag.agent.programs.Pins;
import io.github.vtdiag.agent.recording.RecordedValues;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import javax.tools.ToolProvider;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The built agent beside another one that changes classes, and in a Java that lacks modules. */
class OtherJvmsIT {
  @TempDir Path folder;

  private List<Events.WatchLook> looks() throws Exception {
    return RecordingFile.readAllEvents(folder.resolve("a.jfr")).stream()
        .filter(event -> event.getEventType().getName().equals(Events.WATCH))
        .map(event -> Events.watchLook(new RecordedValues(event, new IdentityHashMap<>())))
        .toList();
  }

  /** JaCoCo's adds instructions to all classes of the application. */
  @ParameterizedTest
  @CsvSource({"JAVA_21,true", "JAVA_21,false", "JAVA_25,true", "JAVA_25,false"})
  void anotherAgentThatChangesClassesIsNoObstacle(Jdk jdk, boolean before) throws Exception {
    Path jacoco =
        Path.of(
            Class.forName("org.jacoco.agent.rt.RT")
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    String other = "-javaagent:" + jacoco + "=destfile=j.exec";
    String ours = AgentJar.option("output=a.jfr,warn=off,onhang=halt:3");
    Forked run =
        Forked.java(
            jdk,
            folder,
            Forked.QUICK,
            before ? other : ours,
            before ? ours : other,
            "-Djdk.virtualThreadScheduler.parallelism=2",
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Hangs.class.getName(),
            "monitors");
    assertEquals(3, run.exitCode(), run.err());
    assertTrue(run.err().contains("[vtdiag] deadlock: 2 threads wait for each other"), run.err());
    assertTrue(
        run.err().matches("(?s).*Hangs\\$Ledger@\\w+, which virtual thread #\\d+ holds in .*"),
        run.err());
    assertFalse(looks().isEmpty());
    assertTrue(looks().stream().allMatch(Events.WatchLook::exact), looks()::toString);
  }

  private void write(String file, String text) throws Exception {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** A program of two modules, neither of which opens or exports more than the other needs. */
  private Path closedModules() throws Exception {
    write("books/module-info.java", "module books { exports books to shop; }");
    write(
        "books/books/Ledger.java",
        """
        package books;

        public final class Ledger {
          private static final Object LOCK = new Object();

          public static void under(Runnable task) {
            synchronized (LOCK) {
              task.run();
            }
          }
        }
        """);
    write("shop/module-info.java", "module shop { requires books; }");
    write(
        "shop/shop/Main.java",
        """
        package shop;

        import books.Ledger;
        import java.util.concurrent.CountDownLatch;

        final class Main {
          private static final Object OWN = new Object();
          private static final CountDownLatch BOTH = new CountDownLatch(2);

          public static void main(String[] args) throws InterruptedException {
            Thread one = Thread.startVirtualThread(() -> Ledger.under(() -> { meet(); own(() -> {}); }));
            Thread other = Thread.startVirtualThread(() -> own(() -> { meet(); Ledger.under(() -> {}); }));
            one.join();
            other.join();
          }

          private static void own(Runnable task) {
            synchronized (OWN) {
              task.run();
            }
          }

          private static void meet() {
            BOTH.countDown();
            try {
              BOTH.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        }
        """);
    Path out = folder.resolve("out");
    for (String module : List.of("books", "shop")) {
      Path from = folder.resolve(module);
      String main = module + (module.equals("shop") ? "/Main.java" : "/Ledger.java");
      int failed =
          ToolProvider.getSystemJavaCompiler()
              .run(
                  null,
                  null,
                  null,
                  "--release",
                  "21",
                  "-Xlint:-module",
                  "-p",
                  out.toString(),
                  "-d",
                  out.resolve(module).toString(),
                  from.resolve("module-info.java").toString(),
                  from.resolve(main).toString());
      assertEquals(0, failed);
    }
    return out;
  }

  /** What the agent reads of them it opens for itself alone, and adds no module to the program. */
  @ParameterizedTest
  @CsvSource({"JAVA_21,true", "JAVA_21,false", "JAVA_25,true"})
  void closedModulesAreNoObstacle(Jdk jdk, boolean exact) throws Exception {
    Forked run =
        Forked.java(
            jdk,
            folder,
            Forked.QUICK,
            AgentJar.option("output=a.jfr,warn=off,onhang=halt:3"),
            "-Dvtdiag.vmstructs=" + exact,
            "-Djdk.virtualThreadScheduler.parallelism=2",
            "-p",
            closedModules().toString(),
            "-m",
            "shop/shop.Main");
    assertEquals(3, run.exitCode(), run.err());
    assertTrue(run.err().contains("2 threads wait for each other"), run.err());
    assertTrue(run.err().contains(" holds in books.Ledger.under:8"), run.err());
    assertFalse(run.err().contains("Exception"), run.err());
    assertFalse(looks().isEmpty());
    assertTrue(looks().stream().allMatch(Events.WatchLook::exact), looks()::toString);
  }

  @ParameterizedTest
  @EitherJdk
  void withoutManagementItRecordsAndSaysWhatItDoesNot(Jdk jdk) throws Exception {
    Forked run =
        Forked.java(
            jdk,
            folder,
            Forked.QUICK,
            "--limit-modules=java.base,jdk.jfr,java.instrument",
            AgentJar.option("output=a.jfr,warn=off"),
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Pins.class.getName(),
            "clinit",
            "1");
    assertEquals(0, run.exitCode(), run.err());
    List<String> lines = run.err().lines().toList();
    assertTrue(
        lines.stream()
            .anyMatch(
                line ->
                    line.startsWith(
                        "[vtdiag] this Java has no module java.management, so the carriers are")),
        run.err());
    assertFalse(run.err().contains("Exception"), run.err());
    assertTrue(lines.getLast().startsWith("[vtdiag] recording: "), run.err());
    assertEquals(List.of(), looks());
  }
}
