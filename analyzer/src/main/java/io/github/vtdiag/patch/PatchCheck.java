package io.github.vtdiag.patch;

import io.github.vtdiag.maven.LocalJars;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.patch.PatchCompiler.Compiled;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.source.Lombok;
import io.github.vtdiag.source.Obstacle;
import io.github.vtdiag.source.Processors;
import io.github.vtdiag.source.SourceFolders;
import java.io.Closeable;
import java.io.IOException;
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

/**
 * Verifies a patch: compiles the patched files in a temporary folder, and looks for monitors in the
 * compiled classes.
 */
public final class PatchCheck implements Closeable {
  private final PatchCompiler compiler;
  private final UnpackedArchives unpacked;

  /**
   * Creates the check of a patch with an installed JDK; empty if the patch changes nothing.
   *
   * @param classPath the classes of the unpatched sources, and all that they need, as {@code java
   *     -cp} takes them
   * @param processorPath where the build's annotation processors are; empty if they are on the
   *     class path, or there are none
   * @param javaVersion gives the Java version for which a class, by its binary name, was compiled
   * @param kotlin finds the compiler of Kotlin sources
   * @param notes is told which JDK compiles
   * @throws DataException if there is no such JDK, or no compiler where one was named
   */
  public static Optional<PatchCheck> of(
      Patch patch,
      List<String> classPath,
      List<String> processorPath,
      ToIntFunction<String> javaVersion,
      KotlinCompilers kotlin,
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
    Optional<KotlinCompiler> kotlinc = kotlin.find(patch.moved());
    UnpackedArchives unpacked = UnpackedArchives.of(ClassPathBytes.expanded(classPath));
    List<String> path = unpacked.classPath();
    Processors processors =
        Lombok.orItself(
            Processors.find(path, ClassPathBytes.expanded(processorPath)),
            patch.files().stream().map(Patch.Change::before).map(Patch.FileBytes::bytes).toList(),
            LocalJars.ofUser());
    notes.accept(
        "compiling the patched files with "
            + home
            + kotlinc.map(found -> " and " + found.name()).orElse("")
            + processors.note());
    return Optional.of(
        new PatchCheck(
            // The oldest release that current compilers support.
            new PatchCompiler(home, path, processors, Math.max(8, release), kotlinc), unpacked));
  }

  PatchCheck(PatchCompiler compiler, UnpackedArchives unpacked) {
    this.compiler = compiler;
    this.unpacked = unpacked;
  }

  /** Returns the compiler of the patched files. */
  PatchCompiler compiler() {
    return compiler;
  }

  /** Deletes the unpacked archives. */
  @Override
  public void close() {
    unpacked.close();
  }

  /**
   * Reduces a patch to what compiles: it leaves out files with problems, and all locks that change
   * them.
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
                    leftOut.add(new Patch.Unpatched(lock, Obstacle.COMPILER, problems.get(path))));
      }
      rest = wanted.patch(program, sources, leftOut);
    }
  }

  /**
   * Finds the files of a patch that must not be used, with the reasons.
   *
   * @param program the lock maps that the patch was planned from
   * @throws DataException if these cannot be known
   */
  public Map<Path, String> problems(Patch patch, Collection<ClassMonitors> program)
      throws DataException {
    if (patch.files().isEmpty()) {
      return Map.of();
    }
    if (compiler.kotlin().isEmpty()) {
      Map<Path, String> unverified = new LinkedHashMap<>();
      for (Patch.Change change : patch.files()) {
        if (PatchCompiler.isKotlin(change.path())) {
          unverified.put(
              change.path(),
              "no Kotlin compiler was found to verify the patched "
                  + change.path().getFileName()
                  + "; name one with --kotlin-compiler, or add --no-verify");
        }
      }
      if (!unverified.isEmpty()) {
        return unverified;
      }
    }
    try {
      Compiled after = compiler.compile(patch.files(), true);
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
              + compiler.processors().hint()
              + "; fix that or add --no-verify");
    }
    Map<Path, String> before = compiler.compile(patch.files(), false).errors();
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
                            + hint(path)
                        : "the patched " + path.getFileName() + " does not compile: " + error));
    return problems;
  }

  private String hint(Path path) {
    return PatchCompiler.isKotlin(path) ? "" : compiler.processors().hint();
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
            .add(withoutVariable(site.region().lock()));
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

  /** Finds the files that a class may be compiled from: that of its name, or all of its package. */
  private static List<Path> files(String className, Patch patch) {
    int dot = className.lastIndexOf('.');
    Path folder = Path.of(className.substring(0, Math.max(0, dot)).replace('.', '/'));
    String top = className.substring(dot + 1).replaceFirst("(?<=.)\\$.*", "");
    List<Path> ofPackage =
        patch.files().stream()
            .map(Patch.Change::path)
            // The folder of a Kotlin file may differ from that of its package.
            .filter(
                path ->
                    dot < 0 || path.getParent().endsWith(folder) || PatchCompiler.isKotlin(path))
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
        locks.add(withoutVariable(region.lock()));
      }
    }
    return locks;
  }

  /** Only some classes have the names of their variables: that depends on how they are compiled. */
  private static LockExpression withoutVariable(LockExpression lock) {
    return switch (lock.kind()) {
      case PARAMETER, LOCAL -> LockExpression.UNKNOWN;
      case THIS,
          CLASS_LITERAL,
          INSTANCE_FIELD,
          OTHER_FIELD,
          STATIC_FIELD,
          CALL_RESULT,
          NEW_OBJECT,
          ARRAY_ELEMENT,
          UNKNOWN ->
          lock;
    };
  }
}
