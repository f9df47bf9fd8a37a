package samples.fuzz;

import java.util.List;
import java.util.Random;
import java.util.Set;

/** Statements of generated methods {@code int name(int k) throws Exception}. */
@SuppressWarnings("StringConcatToTextBlock") // Lines of code, put together.
final class Statements {
  private final Random random;
  private final Set<String> features;
  private final List<String> otherOperations;
  private int names;

  /**
   * @param otherOperations calls that take only locks behind this one, so that no order of locks
   *     can deadlock
   */
  Statements(Random random, Set<String> features, List<String> otherOperations) {
    this.random = random;
    this.features = features;
    this.otherOperations = otherOperations;
  }

  int number(int below) {
    return random.nextInt(below);
  }

  boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  <T> T anyOf(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private String name(String prefix) {
    return prefix + ++names;
  }

  /** What is done under a lock. */
  String inside(String lock, String guard, int depth) {
    String hit = guard + ".hit(k);\n";
    StringBuilder code = new StringBuilder();
    int statements = 1 + random.nextInt(depth == 0 ? 3 : 2);
    for (int i = 0; i < statements; i++) {
      String next = statement(lock, guard, hit, depth);
      code.append(next);
      if (next.endsWith("return 7;\n")) {
        break;
      }
    }
    return code.toString();
  }

  private String statement(String lock, String guard, String hit, int depth) {
    return switch (random.nextInt(depth > 1 ? 12 : 19)) {
      case 0 -> {
        String i = name("i");
        features.add("continue");
        yield "for (int %s = 0; %s < 2; %s++) {\nif (%s == k %% 2) continue;\n%s}\n"
            .formatted(i, i, i, i, hit);
      }
      case 1 -> {
        features.add("return");
        yield "if (k % 3 == 1) {\n" + hit + "return " + random.nextInt(5) + ";\n}\n";
      }
      case 2 -> {
        features.add("finally");
        String e = name("e");
        yield "try {\n%sif (k %% 2 == 0) throw new IllegalStateException(\"x\");\n} catch (IllegalStateException %s) {\n%s} finally {\n%s}\n"
            .formatted(hit, e, hit, hit);
      }
      case 3 -> {
        features.add("switch");
        yield "switch (k %% 3) {\ncase 0 -> %scase 1 -> {\n%sreturn 2;\n}\ndefault -> {}\n}\n"
            .formatted(hit, hit);
      }
      case 4 -> {
        features.add("label");
        String out = name("out");
        yield "%s: {\nif (k %% 2 == 0) break %s;\n%s}\n".formatted(out, out, hit);
      }
      case 5 -> {
        features.add("lambda-inside");
        String r = name("r");
        yield "Runnable %s = () -> %s%s.run();\n".formatted(r, hit, r);
      }
      case 6 -> {
        String n = name("n");
        yield "int %s = 0;\nwhile (true) {\n%sif (++%s > k %% 2) break;\n}\n".formatted(n, hit, n);
      }
      case 7 -> {
        features.add("throw");
        yield hit + "if (k == 3) throw new IllegalStateException(\"out\");\n";
      }
      case 8 -> {
        features.add("holdsLock");
        yield hit
            + "if (!Thread.holdsLock("
            + lock
            + ")) throw new AssertionError(\"not held\");\n";
      }
      case 9 -> {
        features.add("notify-alone");
        yield hit
            + (lock.equals("this") && random.nextBoolean() ? "" : lock + ".")
            + (random.nextBoolean() ? "notify();\n" : "notifyAll();\n");
      }
      case 10 -> {
        features.add("timed-wait");
        String to = anyOf(List.of("1", "1L", "0, 1000", "1, 1"));
        yield (lock.equals("this") && random.nextBoolean() ? "" : lock + ".")
            + "wait("
            + to
            + ");\n"
            + hit;
      }
      case 11 -> hit + "// synchronized (" + lock + ") was here\n";
      case 12, 13 -> {
        if (otherOperations.isEmpty()) {
          yield hit;
        }
        features.add("nested-other");
        yield anyOf(otherOperations) + ";\n" + hit;
      }
      case 14 -> {
        features.add("reentrant");
        yield "synchronized (%s) {\n%s}\n".formatted(lock, inside(lock, guard, depth + 1));
      }
      case 15 -> {
        features.add("anonymous-inside");
        yield "new Object() {\nvoid go() {\n%s}\n}.go();\n".formatted(hit);
      }
      case 16 -> {
        if (!oneIn(6)) {
          yield hit;
        }
        features.add("negative-wait");
        yield "try {\n%s.wait(-1);\n} catch (IllegalArgumentException %s) {\n%s}\n"
            .formatted(lock, name("e"), hit);
      }
      case 17 -> {
        features.add("interrupted-wait");
        String e = name("e");
        yield "Thread.currentThread().interrupt();\ntry {\n%s.wait(50);\n} catch (InterruptedException %s) {\n%s}\n"
            .formatted(lock, e, hit);
      }
      default -> hit;
    };
  }

  /** A block on a lock, in one of the places where a block can be. */
  String block(String lock, String guard) {
    String inside = inside(lock, guard, 0);
    String hit = guard + ".hit(k);\n";
    String block = "synchronized (" + lock + ") {\n" + inside + "}\n";
    String small = "synchronized (" + lock + ") {\n" + hit + "}\n";
    return switch (random.nextInt(14)) {
      case 0 -> {
        features.add("do-first");
        String n = name("n");
        yield "int %s = 2;\ndo {\n%s}\nwhile (--%s > 0);\n".formatted(n, small, n);
      }
      case 1 -> {
        features.add("do-param");
        yield "do {\nsynchronized (%s) {\n%sk--;\n}\n} while (k > 0);\n".formatted(lock, hit);
      }
      case 2 -> {
        features.add("for-break");
        String i = name("i");
        yield "for (int %s = 0; %s < 3; %s++)\nsynchronized (%s) {\n%sif (%s == 1) break;\n}\n"
            .formatted(i, i, i, lock, hit, i);
      }
      case 3 -> {
        features.add("if-else");
        yield "if (k %% 2 == 0) %selse %s".formatted(small, small);
      }
      case 4 -> {
        features.add("block-in-lambda");
        String r = name("r");
        yield "Runnable %s = () -> {\n%s};\n%s.run();\n".formatted(r, small, r);
      }
      case 5 -> {
        features.add("block-in-finally");
        yield "try {\n%sif (k == 2) throw new IllegalStateException(\"y\");\n} catch (IllegalStateException %s) {\n%s} finally {\n%s}\n"
            .formatted(small, name("e"), small, small);
      }
      case 6 -> {
        features.add("block-in-switch");
        if (oneIn(2)) {
          yield "switch (k %% 2) {\ncase 0:\nsynchronized (%s) {\n%sbreak;\n}\ndefault:\nsynchronized (%s) {\n%s}\n}\n"
              .formatted(lock, hit, lock, hit);
        }
        yield "int %s = switch (k %% 2) {\ncase 0 -> {\nsynchronized (%s) {\n%syield 1;\n}\n}\ndefault -> 0;\n};\n"
            .formatted(name("s"), lock, hit);
      }
      case 7 -> {
        features.add("block-labelled");
        String out = name("out");
        yield "%s: synchronized (%s) {\nif (k == 1) break %s;\n%s}\n"
            .formatted(out, lock, out, hit);
      }
      case 8 -> {
        if (!oneIn(3)) {
          yield block;
        }
        features.add("two-blocks-one-line");
        yield "synchronized (%s) { %s } synchronized (%s) { %s }\n"
            .formatted(lock, hit.strip(), lock, hit.strip());
      }
      case 9 -> {
        features.add("parenthesised");
        yield "synchronized ((" + lock + ")) {\n" + inside + "}\n";
      }
      case 10 -> {
        features.add("while-continue");
        String n = name("n");
        yield "int %s = 0;\nwhile (%s++ < 3) {\nsynchronized (%s) {\nif (%s == 2) continue;\n%s}\n}\n"
            .formatted(n, n, lock, n, hit);
      }
      default -> block;
    };
  }

  /** A body that ends in a return. */
  String ended(String body) {
    return body + "return k;\n";
  }
}
