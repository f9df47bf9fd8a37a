package io.github.vtdiag.openrewrite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.openrewrite.ExecutionContext;
import org.openrewrite.SourceFile;

/** The files that {@code vtdiag patch} changes for a recipe, and which of them change together. */
public final class PatchPlan {
  private static final int WRONG_USAGE = 2;

  private final Map<Path, SourceFile> edited;
  private final List<Set<Path>> together;

  private PatchPlan(Map<Path, SourceFile> edited, List<Set<Path>> together) {
    this.edited = edited;
    this.together = together;
  }

  /**
   * Asks {@code vtdiag patch}. If it cannot answer, nothing changes: the log and the table have the
   * reason, because OpenRewrite tells nobody of an exception here.
   */
  public static Optional<PatchPlan> make(
      RecipeSettings settings, GivenSources given, LockOutcomes table, ExecutionContext ctx) {
    try {
      return Optional.of(plan(settings, given, table, ctx));
    } catch (IllegalStateException | UncheckedIOException e) {
      String sentence = e.getMessage() + "; nothing is changed";
      RecipeLog.error(sentence);
      table.insertRow(ctx, new LockOutcomes.Row("", "NOTE", "", sentence));
      return Optional.empty();
    }
  }

  private static PatchPlan plan(
      RecipeSettings settings, GivenSources given, LockOutcomes table, ExecutionContext ctx) {
    BuildFolder build = BuildFolder.of(given.files().keySet());
    List<SourceFile> sources =
        given.files().values().stream()
            .filter(
                file ->
                    settings.sources.isEmpty()
                        ? !GivenSources.isOfTests(file)
                        : settings.sources.stream()
                            .anyMatch(folder -> build.isIn(folder, file.getSourcePath())))
            .collect(Collectors.toList());
    if (sources.isEmpty()) {
      throw new IllegalStateException(
          "none of the files is a source that may change; check the recipe's option sources");
    }
    try (SourceCopy copy = new SourceCopy(sources)) {
      Set<String> classPath = classPath(settings, given, build, copy, ctx);
      JsonNode answer = ask(settings, build, copy, classPath, table, ctx);
      rows(answer, table, ctx);
      return new PatchPlan(
          EditedTrees.of(copy.changed(), given.files(), classPath), together(answer, copy));
    } catch (IOException e) {
      throw new UncheckedIOException("vtdiag cannot be run: " + e.getMessage(), e);
    }
  }

  /** Returns a file after the patch; empty if it does not change. */
  Optional<SourceFile> edited(Path path) {
    return Optional.ofNullable(edited.get(path));
  }

  /** Returns the files that change only all together with a file, itself included. */
  Set<Path> changingWith(Path path) {
    return together.stream()
        .filter(files -> files.contains(path))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(path + " changes for no lock"));
  }

  private static Set<String> classPath(
      RecipeSettings settings,
      GivenSources given,
      BuildFolder build,
      SourceCopy copy,
      ExecutionContext ctx) {
    if (!settings.classPath.isEmpty()) {
      return settings.classPath.stream()
          .map(build::entry)
          .collect(Collectors.toCollection(LinkedHashSet::new));
    }
    if (given.poms().isEmpty()) {
      throw new IllegalStateException(
          "the build does not tell its libraries, whose code may lock the same objects; name all"
              + " classes of the program with the recipe's option classPath");
    }
    Set<String> path = new LinkedHashSet<>();
    copy.roots.forEach(root -> path.addAll(build.classesOf(root)));
    if (path.isEmpty()) {
      throw new IllegalStateException(
          "there are no classes of these sources in target/classes or build/classes; build first,"
              + " or name them with the recipe's option classPath");
    }
    path.addAll(MavenLibraries.of(given.poms(), ctx));
    return path;
  }

  private static JsonNode ask(
      RecipeSettings settings,
      BuildFolder build,
      SourceCopy copy,
      Set<String> classPath,
      LockOutcomes table,
      ExecutionContext ctx)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add("patch");
    if (settings.recording.isPresent()) {
      Path file = build.named(settings.recording.get());
      if (!Files.exists(file)) {
        throw new IllegalStateException(
            "there is no recording " + file + "; check the recipe's option recording");
      }
      arguments.add(file.toString());
    }
    Path result = copy.folder.resolve("patch.json");
    arguments.addAll(settings.passedOn());
    arguments.addAll(
        Arrays.asList("--in-place", "--format", "json", "--output", result.toString()));
    arguments.addAll(Arrays.asList("--classpath", String.join(File.pathSeparator, classPath)));
    for (Path root : copy.roots) {
      arguments.addAll(Arrays.asList("--sources", copy.sources().resolve(root).toString()));
    }
    PatchProcess run = PatchProcess.run(settings.javaHome, copy.folder, build.start(), arguments);
    List<String> said =
        run.said.stream()
            .map(line -> line.replace(copy.sources() + File.separator, ""))
            .map(line -> line.startsWith("vtdiag: ") ? line.substring("vtdiag: ".length()) : line)
            .collect(Collectors.toList());
    if (run.exit == WRONG_USAGE || !Files.exists(result)) {
      throw new IllegalStateException(
          said.isEmpty() ? "vtdiag ended with exit code " + run.exit : String.join("\n", said));
    }
    for (String line : said) {
      RecipeLog.warn(line);
      table.insertRow(ctx, new LockOutcomes.Row("", "NOTE", "", line.trim()));
    }
    return new ObjectMapper().readTree(Files.readAllBytes(result));
  }

  private static void rows(JsonNode answer, LockOutcomes table, ExecutionContext ctx) {
    for (JsonNode lock : answer.get("locks")) {
      table.insertRow(ctx, new LockOutcomes.Row(lock.get("name").asText(), "MOVED", "", ""));
    }
    for (JsonNode lock : answer.get("declined")) {
      String name =
          lock.get("lock").isNull()
              ? StreamSupport.stream(lock.get("sites").spliterator(), false)
                  .map(site -> site.get("class").asText() + "#" + site.get("method").asText())
                  .distinct()
                  .collect(Collectors.joining(", "))
              : lock.get("lock").asText();
      table.insertRow(
          ctx,
          new LockOutcomes.Row(
              name, "STAYS", lock.get("rung").asText(), lock.get("reason").asText()));
    }
  }

  /** Returns the files of each lock, joined where two locks change the same one. */
  private static List<Set<Path>> together(JsonNode answer, SourceCopy copy) {
    Path base = Paths.get(answer.get("base").asText());
    List<Set<Path>> together = new ArrayList<>();
    for (JsonNode lock : answer.get("locks")) {
      Set<Path> files = new LinkedHashSet<>();
      for (JsonNode file : lock.get("files")) {
        files.add(copy.sources().relativize(base.resolve(file.asText())));
      }
      for (Set<Path> other : new ArrayList<>(together)) {
        if (other.stream().anyMatch(files::contains)) {
          files.addAll(other);
          together.remove(other);
        }
      }
      together.add(files);
    }
    return together;
  }
}
