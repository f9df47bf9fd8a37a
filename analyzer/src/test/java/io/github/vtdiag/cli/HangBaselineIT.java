package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** A hang that somebody has accepted does not let another one pass. */
class HangBaselineIT {
  private static final Path AGENT = Path.of("..", "agent", "target", "vtdiag.jar").toAbsolutePath();

  /** Two threads, each in a monitor of its own, want the other's: which ones, an argument says. */
  private static final String PROGRAM =
      """
      import java.util.concurrent.CountDownLatch;

      public final class Bank {
        static final CountDownLatch BOTH = new CountDownLatch(2);

        interface Task {
          void run() throws Exception;
        }

        static Thread start(Task task) {
          return Thread.startVirtualThread(
              () -> {
                try {
                  task.run();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
        }

        static void meet() throws InterruptedException {
          BOTH.countDown();
          BOTH.await();
        }

        static final class Account {
          synchronized void pay(Ledger ledger) throws InterruptedException {
            meet();
            ledger.note();
          }

          synchronized void note() {}
        }

        static final class Ledger {
          synchronized void close(Account account) throws InterruptedException {
            meet();
            account.note();
          }

          synchronized void audit(Account account) throws InterruptedException {
            meet();
            account.note();
          }

          synchronized void note() {}
        }

        public static void main(String[] args) throws Exception {
          Account account = new Account();
          Ledger ledger = new Ledger();
          // HERE
          Thread one = start(() -> account.pay(ledger));
          Thread two =
              args[0].equals("close")
                  ? start(() -> ledger.close(account))
                  : start(() -> ledger.audit(account));
          one.join();
          two.join();
        }
      }
      """;

  @TempDir private Path folder;

  private Path compiled(String name, String source) throws Exception {
    Path to = Files.createDirectory(folder.resolve(name));
    Files.writeString(to.resolve("Bank.java"), source);
    // A Java to run programs with may have no compiler.
    String javac = Jdk.JAVA_25.java().resolveSibling("javac").toString();
    Forked ran = Forked.run(to, Map.of(), List.of(javac, "--release", "21", "Bank.java"));
    assertEquals(0, ran.exitCode(), ran.err());
    return to;
  }

  private void record(Jdk jdk, Path classes, String way, String file) throws Exception {
    Forked ran =
        Forked.java(
            jdk,
            folder,
            "-Djdk.virtualThreadScheduler.parallelism=3",
            Forked.QUICK,
            "-javaagent:" + AGENT + "=output=" + file + ",onhang=halt:7",
            "-cp",
            classes.toString(),
            "Bank",
            way);
    assertEquals(7, ran.exitCode(), ran.err());
    assertTrue(ran.err().contains("deadlock: 2 threads wait for each other"), ran.err());
  }

  private Forked vtdiag(int code, String... arguments) throws Exception {
    Forked ran = CliJar.run(folder, arguments);
    assertEquals(code, ran.exitCode(), ran.out() + ran.err());
    return ran;
  }

  private Forked gate(int code, String... arguments) throws Exception {
    // The recording ends with its JVM in the middle of the hang.
    return vtdiag(
        code,
        Stream.concat(Stream.of("gate", "--allow-no-data"), Stream.of(arguments))
            .toArray(String[]::new));
  }

  @ParameterizedTest
  @EitherJdk
  void anotherDeadlockIsNewAndTheSameOneWithShiftedLinesIsNot(Jdk jdk) throws Exception {
    Path plain = compiled("plain", PROGRAM);
    Path shifted =
        compiled(
            "shifted",
            "\n\n\n" + PROGRAM.replace("// HERE", "start(() -> new Object()).join();\n\n"));
    record(jdk, plain, "close", "accepted.jfr");
    record(jdk, shifted, "close", "same.jfr");
    record(jdk, plain, "audit", "another.jfr");

    String same = vtdiag(0, "diff", "accepted.jfr", "same.jfr").out();
    assertTrue(!same.contains("hung"), same);
    String another = vtdiag(0, "diff", "accepted.jfr", "another.jfr").out();
    assertTrue(another.contains("new: hung: deadlock: 2 threads wait for each other"), another);
    assertTrue(another.contains("gone: hung: deadlock: 2 threads wait for each other"), another);
    assertTrue(another.contains("Bank$Ledger.audit"), another);

    vtdiag(0, "baseline", "accepted.jfr", "-o", "b.json");
    // How long the threads were seen to hang is an accident.
    Files.writeString(
        folder.resolve("vtdiag.yml"),
        """
        baseline:
          file: b.json
          tolerance: {longest: 1h, median: 1h, pins: 1000, new: 1h}
        """);
    gate(0, "same.jfr", "--allow-hang");
    gate(1, "same.jfr");
    Forked fails = gate(1, "another.jfr", "--allow-hang");
    assertTrue(
        fails.out().replaceAll("\\s+", " ").contains("for each other, which is not in b.json"),
        fails.out());
  }
}
