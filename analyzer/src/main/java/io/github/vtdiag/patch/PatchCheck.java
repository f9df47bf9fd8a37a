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
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Verifies a patch: compiles the patched files in a temporary folder, and looks for monitors in the
 * compiled classes.
 *
 * @param javaHome a JDK with {@code javac}
 * @param classPath the classes of the unpatched sources, and all that they need
 * @param processors the annotation processors of the build
 * @param release the Java version of these classes
 * @param unpacked what the class path is in
 */
public record PatchCheck(
    Path javaHome,
    List<String> classPath,
    Processors processors,
    int release,
    UnpackedArchives unpacked)
    implements Closeable {
  private static final int ERRORS_SHOWN = 3;

  /** One of a file, which is a copy in a folder with the number of the change. */
  private static final Pattern ERROR =
      Pattern.compile(".*sources(\\d+)[/\\\\]([^/\\\\]+):(\\d+)(: error: .*)");

  /**
   * What javac made of them.
   *
   * @param errors the first errors of each file
   * @param otherError one that is of no file
   */
  private record Compiled(
      boolean succeeded,
      Map<Path, String> errors,
      String otherError,
      List<ClassMonitors> classes) {}

  /**
   * The check of a patch with an installed JDK; empty if the patch changes nothing.
   *
   * @param classPath the classes of the unpatched sources, and all that they need, as {@code java
   *     -cp} takes them
   * @param processorPath where the build's annotation processors are; empty if they are on the
   *     class path, or there are none
   * @param javaVersion tells for which Java a class, by its binary name, was compiled
   * @param notes is told which JDK compiles
   * @throws DataException if there is no such JDK
   */
  public static Optional<PatchCheck> of(
      Patch patch,
      List<String> classPath,
      List<String> processorPath,
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
      return Optional.empty();
    }
    Path home =
        InstalledJdks.find(release)
            .orElseThrow(
                () ->
                    new DataException(
                        "no JDK "
                            + release
                            + " or later with javac was found to verify the patch; set JAVA_HOME"
                            + " to one, or add --no-verify"));
    UnpackedArchives unpacked = UnpackedArchives.of(ClassPathBytes.expanded(classPath));
    List<String> path = unpacked.classPath();
    Processors processors = Processors.find(path, ClassPathBytes.expanded(processorPath));
    notes.accept("compiling the patched files with " + home + processors.note());
    // The oldest release that current compilers support.
    return Optional.of(new PatchCheck(home, path, processors, Math.max(8, release), unpacked));
  }

  /** The check with a class path that javac can read as it is. */
  PatchCheck(Path javaHome, List<String> classPath, Processors processors, int release) {
    this(javaHome, classPath, processors, release, new UnpackedArchives(classPath, List.of()));
  }

  /** Deletes what was unpacked. */
  @Override
  public void close() {
    unpacked.close();
  }

  /**
   * What is left of a patch where files with problems, and all locks that change them, are left
   * out.
   *
   * @param program the lock maps that the patch was planned from
   * @throws DataException if it cannot be verified
   */
  public Patch passing(
      Patch patch, WantedLocks wanted, Collection<ClassMonitors> program, SourceFolders sources)
      throws DataException {
    List<Patch.Unpatched> leftOut = new ArrayList<>();
    Patch rest = patch;
    while (true) {
      Map<Path, String> problems = problems(rest, program);
      if (problems.isEmpty()) {
        return rest;
      }
      for (Lock lock : rest.moved()) {
        rest.places().get(lock).stream()
            .filter(problems::containsKey)
            .sorted()
            .findFirst()
            .ifPresent(
                path ->
                    leftOut.add(
                        new Patch.Unpatched(lock, Patch.Obstacle.COMPILER, problems.get(path))));
      }
      rest = wanted.patch(program, sources, leftOut);
    }
  }

  /**
   * Why files of a patch must not be used.
   *
   * @param program the lock maps that the patch was planned from
   * @throws DataException if that cannot be known
   */
  public Map<Path, String> problems(Patch patch, Collection<ClassMonitors> program)
      throws DataException {
    if (patch.files().isEmpty()) {
      return Map.of();
    }
    try {
      Compiled after = compile(patch.files(), true);
      return after.succeeded() ? wrongMonitors(patch, program, after) : errors(patch, after);
    } catch (IOException e) {
      throw new DataException(
          "cannot verify the patch: " + e.getMessage() + "; fix that or add --no-verify", e);
    }
  }

  private Map<Path, String> errors(Patch patch, Compiled after) throws IOException, DataException {
    if (after.errors().isEmpty()) {
      throw new DataException(
          "cannot verify the patch: "
              + after.otherError()
              + processors.hint()
              + "; fix that or add --no-verify");
    }
    Map<Path, String> before = compile(patch.files(), false).errors();
    Map<Path, String> problems = new LinkedHashMap<>();
    after
        .errors()
        .forEach(
            (path, error) ->
                problems.put(
                    path,
                    before.containsKey(path)
                        ? path.getFileName()
                            + " does not compile even without the patch, so it cannot be verified: "
                            + before.get(path)
                            + processors.hint()
                        : "the patched " + path.getFileName() + " does not compile: " + error));
    return problems;
  }

  private static Map<Path, String> wrongMonitors(
      Patch patch, Collection<ClassMonitors> program, Compiled after) {
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
    Map<Path, String> problems = new LinkedHashMap<>();
    for (ClassMonitors type : after.classes()) {
      String name = type.type().name();
      wrong(
              type,
              before.getOrDefault(name, List.of()),
              moved.getOrDefault(name, List.of()),
              patch.fields())
          .ifPresent(why -> files(name, patch).forEach(path -> problems.put(path, why)));
      moved.remove(name);
    }
    moved
        .keySet()
        .forEach(
            name ->
                files(name, patch)
                    .forEach(
                        path -> problems.put(path, "the patched sources have no class " + name)));
    return problems;
  }

  /** The files that a class may be compiled from: that of its name, or all of its package. */
  private static List<Path> files(String className, Patch patch) {
    int dot = className.lastIndexOf('.');
    Path folder = Path.of(className.substring(0, Math.max(0, dot)).replace('.', '/'));
    String top = className.substring(dot + 1).replaceFirst("(?<=.)\\$.*", "");
    List<Path> ofPackage =
        patch.files().stream()
            .map(Patch.Change::path)
            .filter(path -> dot < 0 || path.getParent().endsWith(folder))
            .toList();
    List<Path> named = ofPackage.stream().filter(path -> path.endsWith(top + ".java")).toList();
    return named.isEmpty() ? ofPackage : named;
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
      UnpackedArchives.delete(folder);
    }
  }

  private Compiled compile(List<Patch.Change> changes, boolean patched, Path folder)
      throws IOException {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    Path none = Files.createDirectory(folder.resolve("none"));
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--release", Integer.toString(release), "-encoding", "UTF-8"));
    arguments.addAll(List.of("-implicit:none", "-nowarn", "-g", "-Xmaxerrs", "10000"));
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
    List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
    Map<Path, List<String>> errors = new LinkedHashMap<>();
    for (String line : lines) {
      Matcher error = ERROR.matcher(line);
      if (error.matches()) {
        // The names of the temporary copies mean nothing to the user, nor do the lines of a file
        // that is not written.
        Patch.Change change = changes.get(Integer.parseInt(error.group(1)));
        int at = Integer.parseInt(error.group(3));
        errors
            .computeIfAbsent(change.path(), path -> new ArrayList<>())
            .add(
                error.group(2)
                    + ":"
                    + (patched ? UnifiedDiff.lineBefore(change, at) : at)
                    + error.group(4));
      }
    }
    Map<Path, String> first = new LinkedHashMap<>();
    errors.forEach(
        (path, ofFile) ->
            first.put(path, ofFile.stream().limit(ERRORS_SHOWN).collect(Collectors.joining("; "))));
    String other =
        lines.stream()
            .filter(line -> line.contains("error:"))
            .findFirst()
            .orElse("javac gave no reason");
    return new Compiled(status == 0, first, other, status == 0 ? read(classes) : List.of());
  }

  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private int run(Path argumentFile, Path output) throws IOException {
    Process process =
        new ProcessBuilder(
                javaHome.resolve("bin").resolve("javac").toString(),
                // Half the processor time, and sooner done, up to many hundreds of files.
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
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
}
