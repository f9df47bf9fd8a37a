package io.github.vtdiag.safety;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.Program;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Prints what the ladder says of whole jars: {@code LadderFigures [-v] JAR...}. */
public final class LadderFigures {
  private LadderFigures() {}

  public static void main(String[] arguments) throws DataException {
    boolean verbose = arguments[0].equals("-v");
    for (String jar : List.of(arguments).subList(verbose ? 1 : 0, arguments.length)) {
      System.out.println(Path.of(jar).getFileName() + ": " + figures(jar, verbose));
    }
  }

  private static String figures(String jar, boolean verbose) throws DataException {
    long start = System.nanoTime();
    Program program;
    try (ClassPathBytes classPath = ClassPathBytes.open(List.of(jar), 21)) {
      program = Program.read(classPath.all(), JdkClasses.running());
    }
    LockSafety ladder = new LockSafety(program);
    int movable = 0;
    int locks = 0;
    Map<RefusalReason, Integer> declined = new TreeMap<>();
    for (Decision decision : ladder.all()) {
      switch (decision) {
        case Decision.Movable(Lock lock) -> {
          movable += lock.sites().size();
          locks++;
          if (verbose) {
            System.out.println(
                "  + "
                    + lock.identity()
                    + " "
                    + lock.keeper()
                    + " sites "
                    + lock.sites().size()
                    + " calls "
                    + lock.calls().size());
          }
        }
        case Decision.Declined no -> {
          declined.merge(no.rung(), no.sites().size(), Integer::sum);
          if (verbose) {
            System.out.println(
                "  - " + no.rung() + " " + no.sites().size() + " sites: " + no.reason());
          }
        }
      }
    }
    int refused = declined.values().stream().mapToInt(Integer::intValue).sum();
    return "%d classes, %d sites, %d movable (%d locks), %d declined %s, %d ms"
        .formatted(
            program.classNames().size(),
            movable + refused,
            movable,
            locks,
            refused,
            declined,
            (System.nanoTime() - start) / 1_000_000);
  }
}
