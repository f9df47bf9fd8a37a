package samples.fuzz;

import io.github.vtdiag.patch.Patch;
import io.github.vtdiag.patch.UnifiedDiff;
import io.github.vtdiag.testing.Jdk;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Programs that are compiled, patched and run together. */
final class Batch {
  /** How a program runs. */
  enum Variant {
    MONITORS,
    WHAT_IF,
    PATCHED
  }

  /** A program that did not answer in one variant what it answered with monitors. */
  record Difference(Generated program, String where, String expected, String found) {}

  private static final int AT_A_TIME = 6;

  private final Path folder;
  private final Path support;
  private final Path agent;
  private final boolean isModule;
  private final int patience;
  private final List<Jdk> jdks;
  private final Map<String, Generated> programs = new LinkedHashMap<>();
  final Map<String, Patches.Planned> planned = new LinkedHashMap<>();
  final List<Difference> differences = new ArrayList<>();

  /**
   * @param support the root of the compiled classes that the programs use, nothing else in it
   * @param agent the agent's jar
   * @param patience the seconds that a program has
   */
  Batch(Path folder, Path support, Path agent, boolean isModule, int patience, List<Jdk> jdks) {
    this.folder = folder;
    this.support = support;
    this.agent = agent;
    this.isModule = isModule;
    this.patience = patience;
    this.jdks = jdks;
  }

  /** Does everything with these programs. */
  void run(List<Generated> generated) throws IOException, InterruptedException {
    List<Generated> all = new ArrayList<>(generated);
    all.forEach(program -> programs.put(program.name(), program));
    Path sources = folder.resolve("src");
    for (Generated program : all) {
      Path root = sources.resolve(program.name()).resolve(program.name());
      Files.createDirectories(root);
      for (var file : program.sources().entrySet()) {
        Files.writeString(root.resolve(file.getKey()), file.getValue());
      }
    }
    Path classes = folder.resolve("monitors");
    Optional<String> errors = compile(sources, classes);
    if (errors.isPresent()) {
      // A defect of the generator; the others of the batch run all the same.
      for (Generated program : generated) {
        String path = "/" + program.name() + "/" + program.name() + "/";
        List<String> own =
            errors.get().lines().filter(l -> l.contains(path) && l.contains("error:")).toList();
        if (!own.isEmpty()) {
          different(program, "javac", "", own.toString());
          all.remove(program);
          Main.delete(sources.resolve(program.name()));
        }
      }
      compile(sources, classes)
          .ifPresent(
              words -> {
                throw new IllegalStateException("generated programs do not compile: " + words);
              });
    }
    Map<String, String> expected = new TreeMap<>();
    for (Jdk jdk : jdks) {
      Map<String, String> answers = answers(jdk, Variant.MONITORS, classes, List.of(), all);
      answers.forEach(
          (name, answer) -> {
            String other = expected.putIfAbsent(name, answer);
            if (other == null ? isWrong(answer) : !other.equals(answer)) {
              different(programs.get(name), jdk + " with monitors", other, answer);
            }
          });
    }
    List<Generated> right =
        all.stream().filter(p -> differences.stream().noneMatch(d -> d.program.equals(p))).toList();
    patch(sources, classes, right);
    Path patched = folder.resolve("patched");
    List<Generated> moved =
        right.stream()
            .filter(p -> planned.containsKey(p.name()) && !planned.get(p.name()).moved().isEmpty())
            .toList();
    boolean isPatched = applied(sources, patched, moved);
    for (Jdk jdk : jdks) {
      compare(
          jdk,
          Variant.WHAT_IF,
          expected,
          answers(
              jdk,
              Variant.WHAT_IF,
              classes,
              List.of("-javaagent:" + agent + "=rewrite=auto"),
              right));
      if (isPatched) {
        compare(
            jdk,
            Variant.PATCHED,
            expected,
            answers(jdk, Variant.PATCHED, patched, List.of(), moved));
      }
    }
  }

  private void compare(
      Jdk jdk, Variant variant, Map<String, String> expected, Map<String, String> found) {
    found.forEach(
        (name, answer) -> {
          if (!answer.equals(expected.get(name))) {
            different(programs.get(name), jdk + " " + variant, expected.get(name), answer);
          }
        });
  }

  /** What no program may answer, even with monitors. */
  private static boolean isWrong(String answer) {
    return answer.contains("TORN") || answer.startsWith("HANGS") || answer.startsWith("CANNOT");
  }

  private void different(Generated program, String where, String expected, String found) {
    differences.add(new Difference(program, where, expected, found));
  }

  // ---- patching

  private void patch(Path sources, Path classes, List<Generated> all) throws IOException {
    for (Generated program : all) {
      Path root = folder.resolve("roots").resolve(program.name());
      link(classes.resolve(program.name()), root.resolve(program.name()));
      try {
        planned.put(
            program.name(),
            Patches.plan(
                List.of(root.toString(), support.toString()), sources.resolve(program.name())));
      } catch (Exception e) {
        different(program, "vtdiag patch", "a patch", e.toString());
      }
    }
    List<String> classPath = List.of(classes.toString(), support.toString());
    verify(List.copyOf(planned.keySet()), classPath);
  }

  /** Leaves out the programs whose patch is refused; each check starts a compiler. */
  private void verify(List<String> names, List<String> classPath) {
    Optional<String> refusal = Patches.verify(names.stream().map(planned::get).toList(), classPath);
    if (refusal.isEmpty()) {
      return;
    }
    if (names.size() == 1) {
      different(programs.get(names.getFirst()), "vtdiag patch --verify", "a patch", refusal.get());
      planned.remove(names.getFirst());
      return;
    }
    int half = names.size() / 2;
    verify(names.subList(0, half), classPath);
    verify(names.subList(half, names.size()), classPath);
  }

  /** Applies the patches as a user does, and compiles the result. */
  private boolean applied(Path sources, Path patched, List<Generated> moved)
      throws IOException, InterruptedException {
    if (moved.isEmpty()) {
      return false;
    }
    Path copy = folder.resolve("patched-src");
    List<Patch.Change> changes = new ArrayList<>();
    for (Generated program : moved) {
      Path from = sources.resolve(program.name()).resolve(program.name());
      Path to = Files.createDirectories(copy.resolve(program.name()).resolve(program.name()));
      for (String file : program.sources().keySet()) {
        Files.copy(from.resolve(file), to.resolve(file));
      }
      changes.addAll(planned.get(program.name()).patch().files());
    }
    Path diff = folder.resolve("locks.patch");
    Files.write(diff, UnifiedDiff.of(List.of(), changes, sources.toRealPath()));
    Process git =
        new ProcessBuilder("git", "apply", diff.toAbsolutePath().toString())
            .directory(copy.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("git.txt").toFile())
            .start();
    Optional<String> wrong =
        git.waitFor() == 0
            ? compile(copy, patched)
            : Optional.of(Files.readString(folder.resolve("git.txt")));
    wrong.ifPresent(words -> different(moved.getFirst(), "the patched batch", "", words));
    return wrong.isEmpty();
  }

  private static void link(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.createLink(to.resolve(file.getFileName()), file);
      }
    }
  }

  // ---- compiling

  private Optional<String> compile(Path sources, Path classes) throws IOException {
    Files.createDirectories(classes);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Path> files;
    try (Stream<Path> walk = Files.walk(sources)) {
      files = new ArrayList<>(walk.filter(file -> file.toString().endsWith(".java")).toList());
    }
    files.sort(Comparator.comparing(Path::toString));
    if (isModule) {
      Path info = folder.resolve("module-info.java");
      Files.writeString(
          info,
          "module fuzzed {\nrequires java.management;\nrequires jdk.management;\nrequires"
              + " jdk.unsupported;\nexports samples.fuzz.run;\n}\n");
      files.add(info);
      Path run = classes.resolve("samples/fuzz/run");
      if (!Files.exists(run)) {
        link(support.resolve("samples/fuzz/run"), run);
      }
    }
    StringWriter messages = new StringWriter();
    try (var manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      List<String> options = new ArrayList<>(List.of("--release", "21", "-g", "-proc:none"));
      options.addAll(List.of("-nowarn", "-XDignore.symbol.file", "-d", classes.toString()));
      if (isModule) {
        options.addAll(List.of("--patch-module", "fuzzed=" + classes));
      } else {
        options.addAll(List.of("-cp", support.toString()));
      }
      boolean compiled =
          compiler
              .getTask(
                  messages,
                  manager,
                  null,
                  options,
                  null,
                  manager.getJavaFileObjectsFromPaths(files))
              .call();
      return compiled ? Optional.empty() : Optional.of(messages.toString());
    }
  }

  // ---- running

  private Map<String, String> answers(
      Jdk jdk, Variant variant, Path classes, List<String> options, List<Generated> all)
      throws IOException, InterruptedException {
    Map<String, String> answers = new TreeMap<>();
    List<String> left = new ArrayList<>(all.stream().map(Generated::name).toList());
    int atATime = AT_A_TIME;
    while (!left.isEmpty()) {
      Path names = folder.resolve("names.txt");
      Path out = folder.resolve(jdk + "-" + variant + ".txt");
      Path errors = folder.resolve(jdk + "-" + variant + "-errors.txt");
      Files.write(names, left);
      List<String> command = new ArrayList<>();
      command.add(jdk.java().toString());
      // Enough carriers for every thread that is pinned: a lock that stays must not starve others.
      command.addAll(
          List.of(
              "-Xmx512m",
              "-XX:+UseSerialGC",
              "-XX:TieredStopAtLevel=1",
              "-Xshare:auto",
              "-Djdk.virtualThreadScheduler.parallelism=64"));
      command.addAll(options);
      if (isModule) {
        command.addAll(List.of("-p", classes.toString(), "-m", "fuzzed/samples.fuzz.run.Runner"));
      } else {
        command.addAll(
            List.of("-cp", classes + File.pathSeparator + support, "samples.fuzz.run.Runner"));
      }
      command.addAll(List.of("" + names, "" + out, "" + patience, "" + atATime));
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.environment().remove("JAVA_TOOL_OPTIONS");
      builder.environment().remove("JDK_JAVA_OPTIONS");
      Files.deleteIfExists(out);
      int status =
          builder
              .redirectOutput(folder.resolve("output.txt").toFile())
              .redirectError(errors.toFile())
              .start()
              .waitFor();
      int before = left.size();
      for (String line : Files.exists(out) ? Files.readAllLines(out) : List.<String>of()) {
        int tab = line.indexOf('\t');
        answers.put(line.substring(0, tab), line.substring(tab + 1));
        left.remove(line.substring(0, tab));
      }
      if (left.isEmpty()) {
        break;
      }
      // Whoever stopped the JVM is among the first that are left; alone, it says so itself.
      if (atATime == 1 && left.size() == before) {
        answers.put(
            left.removeFirst(), "STOPPED " + status + " " + Files.readString(errors).strip());
        atATime = AT_A_TIME;
      } else if (status != 3) {
        atATime = 1;
      }
    }
    return answers;
  }
}
