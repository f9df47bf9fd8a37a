package io.github.vtdiag.patch;

import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.safety.Lock;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Verifies a patch: compiles the patched files in a temporary folder, and looks for monitors in the
 * compiled classes.
 *
 * @param javaHome a JDK with {@code javac}
 * @param classPath the classes of the unpatched sources, and all that they need
 * @param processors the annotation processors of the build
 * @param release the Java version of these classes
 */
public record PatchCheck(
    Path javaHome, List<String> classPath, Processors processors, int release) {
  private static final int ERRORS_SHOWN = 3;

  private record Compiled(boolean succeeded, String errors, List<ClassMonitors> classes) {}

  /**
   * Verifies a patch with an installed JDK.
   *
   * @param classPath the classes of the unpatched sources, and all that they need, as {@code java
   *     -cp} takes them
   * @param processorPath where the build's annotation processors are; empty if they are on the
   *     class path, or there are none
   * @param program the lock maps that the patch was planned from
   * @param javaVersion tells for which Java a class, by its binary name, was compiled
   * @param notes is told which JDK compiles
   * @throws DataException if the patch must not be used, or cannot be verified
   */
  public static void verify(
      Patch patch,
      List<String> classPath,
      List<String> processorPath,
      Collection<ClassMonitors> program,
      ToIntFunction<String> javaVersion,
      Consumer<String> notes)
      throws DataException {
    int release =
        patch.moved().stream()
            .flatMap(lock -> lock.sites().stream())
            .mapToInt(site -> javaVersion.applyAsInt(site.type().name()))
            .max()
            .orElse(0);
    if (release == 0) {
      return;
    }
    Path home =
        InstalledJdks.find(release)
            .orElseThrow(
                () ->
                    new DataException(
                        "no JDK "
                            + release
                            + " or later with javac was found to verify the patch; set JAVA_HOME"
                            + " to one, or remove --verify"));
    List<String> path = ClassPathBytes.expanded(classPath);
    Processors processors = Processors.find(path, ClassPathBytes.expanded(processorPath));
    notes.accept("compiling the patched files with " + home + processors.note());
    // The oldest release that current compilers support.
    PatchCheck check = new PatchCheck(home, path, processors, Math.max(8, release));
    Optional<String> refusal;
    try {
      refusal = check.refusal(patch, program);
    } catch (IOException e) {
      throw new DataException(
          "cannot verify the patch: " + e.getMessage() + "; fix that or remove --verify", e);
    }
    if (refusal.isPresent()) {
      throw new DataException("no patch written: " + refusal.get());
    }
  }

  /**
   * The reason not to use a patch; empty if there is none.
   *
   * @param program the lock maps that the patch was planned from
   * @throws IOException if the compiler cannot be run or its output not be read
   */
  Optional<String> refusal(Patch patch, Collection<ClassMonitors> program) throws IOException {
    if (patch.files().isEmpty()) {
      return Optional.empty();
    }
    Compiled after = compile(patch.files(), true);
    if (!after.succeeded()) {
      return Optional.of(
          compile(patch.files(), false).succeeded()
              ? "the patched sources do not compile: " + after.errors()
              : "the sources do not compile even without the patch, so it cannot be verified: "
                  + after.errors()
                  + processors.hint());
    }
    Map<String, List<LockExpression>> before = new HashMap<>();
    for (ClassMonitors type : program) {
      before.put(type.type().name(), locks(type));
    }
    Map<String, List<LockExpression>> moved = new HashMap<>();
    for (Lock lock : patch.moved()) {
      for (LockSite site : lock.sites()) {
        moved
            .computeIfAbsent(site.type().name(), key -> new ArrayList<>())
            .add(site.region().lock());
      }
    }
    for (ClassMonitors type : after.classes()) {
      Optional<String> wrong =
          wrong(
              type,
              before.getOrDefault(type.type().name(), List.of()),
              moved.getOrDefault(type.type().name(), List.of()),
              patch.fields());
      if (wrong.isPresent()) {
        return wrong;
      }
      moved.remove(type.type().name());
    }
    return moved.isEmpty()
        ? Optional.empty()
        : Optional.of("the patched sources have no class " + moved.keySet().iterator().next());
  }

  private static Optional<String> wrong(
      ClassMonitors type,
      List<LockExpression> before,
      List<LockExpression> moved,
      List<Patch.LockField> fields) {
    List<LockExpression> expected = new ArrayList<>(before);
    moved.forEach(expected::remove);
    List<LockExpression> found = locks(type);
    for (LockExpression lock : found) {
      if (fields.contains(new Patch.LockField(lock.owner(), lock.name()))) {
        return Optional.of(
            "%s takes the monitor of the ReentrantLock %s"
                .formatted(type.type().name(), lock.text()));
      }
    }
    for (LockExpression lock : found) {
      if (!expected.remove(lock)) {
        return Optional.of(
            "%s still takes the monitor of %s".formatted(type.type().name(), lock.text()));
      }
    }
    return expected.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s no longer takes the monitor of %s, which was meant to stay"
                .formatted(type.type().name(), expected.getFirst().text()));
  }

  private static List<LockExpression> locks(ClassMonitors type) {
    List<LockExpression> locks = new ArrayList<>();
    for (MethodMonitors method : type.methods()) {
      for (MonitorRegion region : method.regions()) {
        locks.add(region.lock());
      }
    }
    return locks;
  }

  private Compiled compile(List<Patch.Change> changes, boolean patched) throws IOException {
    Path folder = Files.createTempDirectory("vtdiag-patch");
    try {
      return compile(changes, patched, folder);
    } finally {
      delete(folder);
    }
  }

  private Compiled compile(List<Patch.Change> changes, boolean patched, Path folder)
      throws IOException {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    Path none = Files.createDirectory(folder.resolve("none"));
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--release", Integer.toString(release), "-encoding", "UTF-8"));
    arguments.addAll(List.of("-implicit:none", "-nowarn", "-g"));
    arguments.addAll(processors.arguments(javaHome));
    arguments.addAll(List.of("-s", Files.createDirectory(folder.resolve("generated")).toString()));
    arguments.addAll(List.of("-sourcepath", none.toString(), "-d", classes.toString()));
    // What annotates the sources is often on the path of the processors only.
    List<String> all = Stream.concat(classPath.stream(), processors.path().stream()).toList();
    arguments.addAll(List.of("-cp", String.join(File.pathSeparator, all)));
    for (int i = 0; i < changes.size(); i++) {
      Patch.Change change = changes.get(i);
      SourceText text = SourceText.of(patched ? change.after().bytes() : change.before().bytes());
      // A folder for each: two of them may have the same name.
      Path copy =
          Files.createDirectories(folder.resolve("sources" + i))
              .resolve(change.path().getFileName().toString());
      Files.writeString(copy, text.text);
      arguments.add(copy.toString());
    }
    Path argumentFile = folder.resolve("arguments");
    Files.write(argumentFile, arguments.stream().map(PatchCheck::quoted).toList());
    Path output = folder.resolve("output");
    int status = run(argumentFile, output);
    // The names of the temporary copies mean nothing to the user.
    String errors =
        Files.readString(output, StandardCharsets.UTF_8)
            .replaceAll("\\S*sources\\d+[/\\\\]", "")
            .lines()
            .filter(line -> line.contains("error:"))
            .limit(ERRORS_SHOWN)
            .reduce((a, b) -> a + "; " + b)
            .orElse("javac gave no reason");
    return new Compiled(status == 0, errors, status == 0 ? read(classes) : List.of());
  }

  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private int run(Path argumentFile, Path output) throws IOException {
    Process process =
        new ProcessBuilder(
                javaHome.resolve("bin").resolve("javac").toString(),
                "-J-Dstdout.encoding=UTF-8",
                "-J-Dstderr.encoding=UTF-8",
                "@" + argumentFile)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while javac ran", e);
    }
  }

  private static List<ClassMonitors> read(Path classes) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(classes)) {
      files = walk.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
    List<ClassMonitors> read = new ArrayList<>();
    for (Path file : files) {
      String path = classes.relativize(file).toString().replace('\\', '/');
      String name = path.substring(0, path.length() - ".class".length()).replace('/', '.');
      read.add(
          LockMaps.read(
              Files.readAllBytes(file),
              new ClassRef(name, "app"),
              "",
              ClassMonitors.Evidence.CLASS_PATH));
    }
    return read;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Path file : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
