package io.github.vtdiag;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.vtdiag.openrewrite.EditedSource;
import io.github.vtdiag.openrewrite.GivenSources;
import io.github.vtdiag.openrewrite.LockOutcomes;
import io.github.vtdiag.openrewrite.PatchPlan;
import io.github.vtdiag.openrewrite.RecipeSettings;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Option;
import org.openrewrite.ScanningRecipe;
import org.openrewrite.SourceFile;
import org.openrewrite.Tree;
import org.openrewrite.TreeVisitor;
import org.openrewrite.Validated;

/**
 * Replaces monitors with ReentrantLocks, at the sites of a recording or of a list. {@code vtdiag
 * patch}, which is inside, decides and edits; the recipe gives it the sources and takes the
 * results.
 */
public final class MonitorToLock extends ScanningRecipe<GivenSources> {
  @Option(
      displayName = "Recording",
      description =
          "A JFR recording, from the folder of the build: the locks that `vtdiag advise` recommends"
              + " to rewrite for it become `ReentrantLock`s.",
      example = "app.jfr",
      required = false)
  private final String recording;

  @Option(
      displayName = "Sites",
      description = "Methods whose locks become `ReentrantLock`s, in place of a recording.",
      example = "com.example.Cache#load",
      required = false)
  private final List<String> sites;

  @Option(
      displayName = "Class path",
      description =
          "All classes of the program: class folders and jars, from the folder of the build."
              + " Without it, those that the build made and the libraries of its POMs.",
      example = "target/classes",
      required = false)
  private final List<String> classPath;

  @Option(
      displayName = "Sources",
      description =
          "The source folders that may change, from the folder of the build. Without it, all but"
              + " those of tests.",
      example = "src/main/java",
      required = false)
  private final List<String> sources;

  @Option(
      displayName = "JDK",
      description = "The oldest Java that runs the program.",
      example = "21",
      required = false)
  private final String jdk;

  @Option(
      displayName = "Library",
      description =
          "Code that is not on the class path uses these classes: a lock that it could take stays a"
              + " monitor.",
      required = false)
  private final Boolean library;

  @Option(
      displayName = "Trusted sites",
      description = "Methods that lock none of the objects whose locks move, on your word.",
      example = "com.example.Pool#guard",
      required = false)
  private final List<String> trustSites;

  @Option(
      displayName = "Not shared",
      description = "Classes whose instances only the known sites lock, on your word.",
      example = "com.example.Session",
      required = false)
  private final List<String> assumeNotShared;

  @Option(
      displayName = "Processor path",
      description =
          "The annotation processors of the build, such as Lombok's jar, if they are not on the"
              + " class path.",
      example = "lib/lombok.jar",
      required = false)
  private final List<String> processorPath;

  @Option(
      displayName = "Java home",
      description =
          "The home of a Java 21 or later that runs vtdiag, where the build runs on another.",
      example = "/usr/lib/jvm/java-21",
      required = false)
  private final String javaHome;

  private final transient LockOutcomes outcomes = new LockOutcomes(this);

  /** Takes the options; null for those that are not given. */
  @JsonCreator
  public MonitorToLock(
      @JsonProperty("recording") String recording,
      @JsonProperty("sites") List<String> sites,
      @JsonProperty("classPath") List<String> classPath,
      @JsonProperty("sources") List<String> sources,
      @JsonProperty("jdk") String jdk,
      @JsonProperty("library") Boolean library,
      @JsonProperty("trustSites") List<String> trustSites,
      @JsonProperty("assumeNotShared") List<String> assumeNotShared,
      @JsonProperty("processorPath") List<String> processorPath,
      @JsonProperty("javaHome") String javaHome) {
    this.recording = recording;
    this.sites = sites;
    this.classPath = classPath;
    this.sources = sources;
    this.jdk = jdk;
    this.library = library;
    this.trustSites = trustSites;
    this.assumeNotShared = assumeNotShared;
    this.processorPath = processorPath;
    this.javaHome = javaHome;
  }

  @Override
  public String getDisplayName() {
    return "Replace monitors that pin virtual threads with `ReentrantLock`";
  }

  @Override
  public String getDescription() {
    return "Rewrites `synchronized`, `wait` and `notify` as a `ReentrantLock` and its `Condition`,"
        + " at the sites of a JFR recording or of a list, where vtdiag shows that all code"
        + " that locks the same object moves with it. What stays is listed with its reason.";
  }

  @Override
  public Validated<Object> validate() {
    return Validated.test(
        "recording", "name either a recording or sites", this, MonitorToLock::namesLocks);
  }

  private static boolean namesLocks(Object recipe) {
    return ((MonitorToLock) recipe).settings().namesLocks();
  }

  private RecipeSettings settings() {
    return new RecipeSettings(
        recording,
        sites,
        classPath,
        sources,
        jdk,
        library,
        trustSites,
        assumeNotShared,
        processorPath,
        javaHome);
  }

  @Override
  public GivenSources getInitialValue(ExecutionContext ctx) {
    return new GivenSources();
  }

  @Override
  public TreeVisitor<?, ExecutionContext> getScanner(GivenSources given) {
    return new TreeVisitor<Tree, ExecutionContext>() {
      @Override
      public Tree visit(Tree tree, ExecutionContext ctx) {
        if (tree instanceof SourceFile && ctx.getCycle() <= 1) {
          given.add((SourceFile) tree);
        }
        return tree;
      }
    };
  }

  @Override
  public Collection<? extends SourceFile> generate(GivenSources given, ExecutionContext ctx) {
    // Later cycles would compare what changed with the classes of the sources before.
    if (ctx.getCycle() <= 1 && !given.isEmpty()) {
      PatchPlan.make(settings(), given, outcomes, ctx).ifPresent(given::plan);
    }
    return Collections.emptyList();
  }

  @Override
  public TreeVisitor<?, ExecutionContext> getVisitor(GivenSources given) {
    return new EditedSource(given, outcomes);
  }
}
