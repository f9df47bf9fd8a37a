package io.github.vtdiag.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Generated programs give the same results with monitors and with locks. */
class SameBehaviourTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void aProgramGivesWhatItGave(long seed) throws Exception {
    Programs before = Programs.of(folder, "Program.java", new Generator(seed).program());
    assertTrue(before.locks.size() >= 2, "too few locks to test anything");
    Patch patch = before.patch();
    assertEquals(List.of(), patch.declined());
    Programs after = before.after(patch);
    after.assertNoMonitorLeft();
    Programs.assertLockedBeforeTry(text(after));
    for (int threads : new int[] {1, 4}) {
      assertEquals(run(before, threads), run(after, threads), () -> text(after));
    }
  }

  private static String text(Programs program) {
    try {
      return program.source("Program.java");
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** The counters after some threads have each called every method. */
  private static String run(Programs program, int threads) throws Exception {
    URL[] path = {program.classes.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(path, null)) {
      Method main = loader.loadClass("Program").getMethod("run", int.class);
      return (String) main.invoke(null, threads);
    }
  }

  /** Methods that count under one of four locks; every counter belongs to one lock. */
  private static final class Generator {
    private final Random random;
    private final StringBuilder out = new StringBuilder();

    /** Makes names of variables and labels unique. */
    private int names;

    Generator(long seed) {
      this.random = new Random(seed);
    }

    String program() {
      out.append("public class Program {\n");
      out.append("  private final Object mutex = new Object();\n");
      out.append("  private static final Object MUTEX = new Object();\n");
      out.append("  int own; static int all; int guarded; static int shared;\n\n");
      int methods = 4 + random.nextInt(5);
      List<String> calls = new ArrayList<>();
      for (int i = 0; i < methods; i++) {
        method(i);
        calls.add("      p.m" + i + "(" + random.nextInt(6) + ");\n");
      }
      out.append("  public static String run(int threads) throws Exception {\n");
      out.append("    all = 0;\n    shared = 0;\n    Program p = new Program();\n");
      out.append("    Thread[] running = new Thread[threads];\n");
      out.append("    for (int t = 0; t < threads; t++) {\n");
      out.append("      running[t] = new Thread(() -> { for (int i = 0; i < 300; i++) {\n");
      calls.forEach(out::append);
      out.append("      } });\n      running[t].start();\n    }\n");
      out.append("    for (Thread thread : running) thread.join();\n");
      out.append("    return p.own + \" \" + all + \" \" + p.guarded + \" \" + shared;\n");
      out.append("  }\n}\n");
      return out.toString();
    }

    private void method(int number) {
      boolean isSynchronized = random.nextInt(3) == 0;
      out.append("  ").append(isSynchronized ? "synchronized " : "").append("int m").append(number);
      out.append("(int k) {\n");
      if (isSynchronized) {
        out.append("    own += k;\n");
      }
      // Outer locks have the lower number, so that no order of theirs can deadlock.
      statement("    ", isSynchronized ? 1 : 0, 0);
      statement("    ", isSynchronized ? 1 : 0, 0);
      out.append("    return k;\n  }\n\n");
    }

    private void statement(String indent, int lowest, int depth) {
      int lock = lowest + random.nextInt(4 - Math.min(lowest, 3));
      lock = Math.min(lock, 3);
      String[] objects = {"this", "mutex", "MUTEX", "Program.class"};
      String[] counters = {"own", "guarded", "shared", "all"};
      String open = "synchronized (" + objects[lock] + ") {";
      String count = counters[lock] + (random.nextBoolean() ? "++;" : " += k * 3;");
      switch (random.nextInt(7)) {
        case 0 -> out.append(indent).append(open).append(' ').append(count).append(" }\n");
        case 1 ->
            out.append(indent)
                .append("if (k % 2 == 0) ")
                .append(open)
                .append(' ')
                .append(count)
                .append(" } else ")
                .append(open)
                .append(" }\n");
        case 2 -> {
          String i = "i" + ++names;
          out.append(indent).append("for (int %s = 0; %s < 3; %s++)\n".formatted(i, i, i));
          block(indent + "  ", open, count + " if (" + i + " == 1) break;", lock, depth);
        }
        case 3 -> {
          String label = "out" + ++names;
          out.append(indent).append(label).append(": ");
          out.append(open).append("\n").append(indent).append("  ").append(count).append('\n');
          out.append(indent).append("  if (k > 2) break " + label + ";\n");
          out.append(indent).append("  ").append(count).append('\n').append(indent).append("}\n");
        }
        case 4 -> {
          String name = "r" + ++names;
          out.append(indent).append("Runnable ").append(name).append(" = () -> {\n");
          block(indent + "  ", open, count, lock, depth);
          out.append(indent).append("};\n");
          out.append(indent).append(name).append(".run();\n");
        }
        case 5 -> {
          out.append(indent).append("try {\n");
          block(indent + "  ", open, count + " if (k == 1) throw new Error();", lock, depth);
          out.append(indent).append("} catch (Error e" + ++names + ") {\n");
          block(indent + "  ", open, count, lock, depth);
          out.append(indent).append("} finally {\n");
          block(indent + "  ", open, count, lock, 3);
          out.append(indent).append("}\n");
        }
        default -> block(indent, open, count, lock, depth);
      }
    }

    private void block(String indent, String open, String body, int lock, int depth) {
      out.append(indent).append(open).append('\n');
      out.append(indent).append("  ").append(body).append('\n');
      if (depth < 2) {
        statement(indent + "  ", lock, depth + 1);
      }
      out.append(indent).append("}\n");
    }
  }
}
