package samples.fuzz;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** Writes programs; the same seed writes the same program. */
final class Generator {
  private static final int MOST_LOCKS = 3;

  private static final String INVOKE =
      """
      static int invoke(Object on, Class<?> type, String name, int k) throws Exception {
      try {
      var method = type.getDeclaredMethod(name, int.class);
      method.setAccessible(true);
      return (Integer) method.invoke(on, k);
      } catch (java.lang.reflect.InvocationTargetException e) {
      throw (Exception) e.getCause();
      }
      }
      """;

  private static final String RAW =
      """
      static Object raw(Class<?> type) throws Exception {
      var field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return ((sun.misc.Unsafe) field.get(null)).allocateInstance(type);
      }
      """;

  private Generator() {}

  /** A whole program. */
  static Generated program(long seed, String name) {
    return program(seed, name, (1 << MOST_LOCKS) - 1);
  }

  /**
   * A program with some of its locks.
   *
   * @param kept a bit for each lock that stays
   */
  static Generated program(long seed, String name, int kept) {
    Random random = new Random(seed);
    int locks = 1 + random.nextInt(MOST_LOCKS);
    int own = kept & (1 << locks) - 1;
    int platform = 1 + random.nextInt(2);
    int virtual = 1 + random.nextInt(3);
    int rounds = 3 + random.nextInt(4);
    List<Long> seeds = new ArrayList<>();
    for (int i = 0; i < locks; i++) {
      seeds.add(random.nextLong());
    }
    Map<String, String> sources = new LinkedHashMap<>();
    Map<Integer, Set<String>> features = new LinkedHashMap<>();
    List<String> later = new ArrayList<>();
    List<String> operations = new ArrayList<>();
    List<String> afterwards = new ArrayList<>();
    StringBuilder members = new StringBuilder();
    for (int i = locks - 1; i >= 0; i--) {
      if ((own & 1 << i) == 0) {
        continue;
      }
      Domain domain = new Domain(new Random(seeds.get(i)), i, List.copyOf(later));
      domain.sources.forEach(sources::put);
      features.put(i, new TreeSet<>(domain.features));
      features.get(i).removeIf(feature -> feature.startsWith("set-up:"));
      for (String feature : domain.features) {
        if (feature.startsWith("set-up:")) {
          members.append("static {\n").append(feature.substring(7)).append("();\n}\n");
        }
      }
      later.addAll(domain.operations);
      operations.addAll(domain.operations);
      afterwards.addAll(domain.afterwards);
      members.insert(0, domain.mainMembers);
    }
    Collections.shuffle(operations, random);
    sources.put("Main", main(members, operations, afterwards, platform, virtual, rounds));
    Map<String, String> files = new LinkedHashMap<>();
    String indent = random.nextInt(4) == 0 ? "\t" : "  ";
    String end = random.nextInt(6) == 0 ? "\r\n" : "\n";
    boolean isMixed = seed % 11 == 3;
    sources.forEach(
        (type, text) -> {
          String written = file(name, text, indent);
          files.put(
              type + ".java",
              isMixed ? written.replace("{\n", "{\r\n") : written.replace("\n", end));
        });
    return new Generated(name, seed, own, files, features);
  }

  private static String main(
      StringBuilder members,
      List<String> operations,
      List<String> afterwards,
      int platform,
      int virtual,
      int rounds) {
    StringBuilder text = new StringBuilder("public final class Main {\n").append(members);
    String used = operations + " " + afterwards;
    if (used.contains("Main.invoke(")) {
      text.append(INVOKE);
    }
    if (used.contains("Main.raw(")) {
      text.append(RAW);
    }
    text.append("static void work(int k) throws Exception {\n");
    for (String operation : operations) {
      text.append("try {\n").append(operation).append(";\n} catch (IllegalStateException e) {\n");
      text.append("// thrown on purpose\n}\n");
    }
    text.append("}\npublic static String run() throws Exception {\n");
    text.append("StringBuilder out = new StringBuilder();\n");
    text.append(
        "out.append(Work.run(%d, %d, %d, Main::work)).append(' ');\n"
            .formatted(platform, virtual, rounds));
    for (String each : afterwards) {
      text.append(each).append(each.endsWith("}") ? "\n" : ";\n").append("out.append(' ');\n");
    }
    return text.append("return out.toString();\n}\n}\n").toString();
  }

  /** The file of a type, indented by its braces. */
  private static String file(String name, String text, String indent) {
    StringBuilder file = new StringBuilder("package " + name + ";\n\n");
    file.append("import samples.fuzz.run.Guard;\nimport samples.fuzz.run.Work;\n\n");
    int depth = 0;
    for (String line : text.split("\n", -1)) {
      int here = line.startsWith("}") ? depth - 1 : depth;
      file.append(indent.repeat(Math.max(0, here))).append(line).append('\n');
      for (char c : line.replaceAll("\"[^\"]*\"|//.*", "").toCharArray()) {
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      }
    }
    return file.toString().stripTrailing() + "\n";
  }
}
