package io.github.vtdiag.cli;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Launch;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.patch.KotlinCompilers;
import io.github.vtdiag.patch.Patch;
import io.github.vtdiag.patch.PatchCheck;
import io.github.vtdiag.patch.UnifiedDiff;
import io.github.vtdiag.patch.WantedLocks;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.recording.TimeRange;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.report.json.PatchJson;
import io.github.vtdiag.report.words.AssumptionWords;
import io.github.vtdiag.report.words.PatchReport;
import io.github.vtdiag.safety.Assumptions;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.LockSafety;
import io.github.vtdiag.source.SourceAgreement;
import io.github.vtdiag.source.SourceFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vtdiag patch}. */
@Command(
    name = "patch",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Writes a patch that replaces monitors with ReentrantLocks: those that advise recommends to"
            + " rewrite, all, or those of one method. Does not change your sources.",
    footer = {
      "",
      "Example:",
      "  vtdiag patch app.jfr --classpath app.jar --sources src/main/java -o locks.patch",
      "  git apply locks.patch",
      "  vtdiag patch --site com.example.Cache#load --classpath app.jar \\",
      "    --sources src/main/java"
    })
final class PatchCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description =
          "Recordings, as for vtdiag advise: patch the locks that it recommends to rewrite.")
  private List<String> files = List.of();

  @Option(
      names = {"--classpath", "-cp"},
      paramLabel = "PATH",
      description = "All classes of the application: your own and those of its libraries.")
  private List<String> classPath = List.of();

  @Option(
      names = "--jdk",
      paramLabel = "HOME|VERSION",
      description =
          "The JDK that runs the application: its home, or the oldest version, as 21. Without it,"
              + " locks must be safe to move on every JDK from that of the recording on, or from"
              + " that for which the classes are compiled.")
  private String jdk;

  @Mixin private AdviceOptions advising;
  @Mixin private AssumptionOptions assuming;

  @Option(
      names = "--all",
      description = "Patch every lock in the sources that can become a ReentrantLock.")
  private boolean all;

  @Option(
      names = "--site",
      paramLabel = "CLASS#METHOD",
      description = "Patch the locks that this method takes; repeatable.")
  private List<String> sites = List.of();

  @Option(
      names = "--no-verify",
      description =
          "Write the patch as it is planned. Without this option the patched files are compiled,"
              + " and a file that does not compile, or takes a monitor that should be gone, is left"
              + " out with all the locks of it.")
  private boolean unverified;

  @Option(names = "--verify", hidden = true, description = "What happens without --no-verify.")
  private boolean verify;

  @Option(
      names = "--processor-path",
      paramLabel = "PATH",
      description =
          "The annotation processors of your build, such as Lombok's jar, if they are not on the"
              + " class path.")
  private List<String> processorPath = List.of();

  @Option(
      names = "--kotlin-compiler",
      paramLabel = "VERSION|PATH",
      description =
          "The compiler of patched Kotlin files: a version, which is fetched from your Maven"
              + " repositories if it is not on this machine, or an installed compiler. Without it,"
              + " that of the classes' version in the local repository, or the next later one.")
  private String kotlinCompiler;

  @Option(
      names = "--in-place",
      hidden = true,
      description =
          "For build tools, which give copies of the sources: writes the changed files, too, and"
              + " takes sites that lock nothing (any more) as done.")
  private boolean inPlace;

  @Mixin private OutputOptions output;

  PatchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    checkUsage();
    output.check(InputOptions.paths(files));
    if (output.format().equals(Formats.MARKDOWN)) {
      throw new ParameterException(
          spec.commandLine(), "a patch is text or json, not markdown; remove --format markdown");
    }
    Assumptions assumed = assuming.assumptions();
    SourceFolders sources = sources();
    Optional<Path> home = Optional.ofNullable(jdk).filter(name -> !isVersion(name)).map(Path::of);
    Pipeline pipeline = new Pipeline(classPath, home, advising.own());
    Optional<Findings> findings =
        files.isEmpty()
            ? Optional.empty()
            : Optional.of(InputOptions.findings(pipeline, files, TimeRange.ALL, console, output));
    output.note(console, "reading the classes");
    Patch patch;
    WantedLocks wanted;
    int oldestJdk;
    try (Program program = program(pipeline, home, findings, sources)) {
      output.note(console, "comparing the sources with their classes");
      List<String> remarks = SourceAgreement.check(program, sources);
      LockSafety ladder = new LockSafety(program, assumed);
      assuming.check(ladder);
      wanted =
          findings.isPresent()
              ? AdvisedLocks.of(advising.advise(findings.get(), ladder::decide))
              : WantedLocks.of(decisions(program, ladder, sources));
      output.note(console, "planning the patch");
      List<ClassMonitors> lockMaps = program.lockMaps(sources::hasSourceOf);
      patch = wanted.patch(lockMaps, sources);
      oldestJdk = program.oldestJdk();
      if (files.isEmpty() && jdk == null && !output.quiet) {
        PatchReport.jdks(oldestJdk).ifPresent(console::warn);
      }
      if (!output.quiet) {
        remarks.forEach(console::warn);
        program.problems().forEach(console::warn);
      }
      if (!unverified) {
        Optional<PatchCheck> check =
            PatchCheck.of(
                patch,
                classPath,
                processorPath,
                program::javaVersion,
                new KotlinCompilers(Optional.ofNullable(kotlinCompiler), program::kotlinVersion),
                sentence -> output.note(console, sentence));
        if (check.isPresent()) {
          try (PatchCheck compiling = check.get()) {
            patch = compiling.passing(patch, wanted, lockMaps, sources);
          }
        }
      }
    }
    if (inPlace) {
      overwrite(patch);
    }
    write(patch, wanted.refused(), assumed, oldestJdk, sources);
    boolean isRefused =
        sources.contradictsClasses()
            || patch.declined().stream()
                .anyMatch(
                    lock ->
                        switch (lock.obstacle()) {
                          case SOURCES, COMPILER -> true;
                          case FORM -> false;
                        });
    return patch.moved().isEmpty() && isRefused ? Exit.BAD_INPUT : Exit.OK;
  }

  private static boolean isVersion(String jdk) {
    return jdk.matches("\\d{1,3}");
  }

  private Program program(
      Pipeline pipeline, Optional<Path> home, Optional<Findings> findings, SourceFolders sources)
      throws DataException {
    List<Launch> launches = findings.map(Findings::launches).orElse(List.of());
    if (home.isPresent()) {
      return pipeline.program(JdkClasses.feature(home.get()), launches);
    }
    if (jdk != null) {
      return pipeline.program(Integer.parseInt(jdk), launches);
    }
    return findings.isPresent()
        ? pipeline.program(findings.get().oldestJdk(), launches)
        : pipeline.programOf(sources::hasSourceOf);
  }

  private void checkUsage() {
    long ways = Stream.of(!files.isEmpty(), all, !sites.isEmpty()).filter(way -> way).count();
    if (ways != 1) {
      throw new ParameterException(
          spec.commandLine(),
          ways == 0
              ? "no locks selected; name recordings, or add --all or --site CLASS#METHOD"
              : "recordings, --all and --site cannot be used together");
    }
    if (verify && unverified) {
      throw new ParameterException(
          spec.commandLine(), "--verify and --no-verify cannot be used together");
    }
    for (String site : sites) {
      if (!site.matches("[^#]+#[^#]+")) {
        throw new ParameterException(
            spec.commandLine(),
            "--site " + site + " is not a method; write com.example.Cache#load");
      }
    }
    if (classPath.isEmpty() || advising.sources.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "a patch needs the classes and their sources; add --classpath and --sources");
    }
  }

  private SourceFolders sources() throws DataException {
    try {
      SourceFolders sources = new SourceFolders(advising.sources);
      if (output.output != null
          && Files.exists(output.output)
          && sources.contains(output.output.toRealPath())) {
        throw new DataException(
            output.output + " is in a source folder; name another file for the patch");
      }
      return sources;
    } catch (IOException e) {
      throw new DataException(e.getMessage(), e);
    }
  }

  /**
   * Returns whether the source is in another language, as far as the class names its source file.
   */
  private static boolean isInAnotherLanguage(
      String className, Program program, SourceFolders sources) {
    return program
        .hierarchy()
        .type(className.replace('.', '/'))
        .filter(
            type -> type.source() != null && sources.inAnotherLanguage().contains(type.source()))
        .isPresent();
  }

  private List<Decision> decisions(Program program, LockSafety ladder, SourceFolders sources)
      throws DataException {
    if (all) {
      List<String> own =
          program.classNames().stream()
              .filter(
                  name -> sources.hasSourceOf(name) || isInAnotherLanguage(name, program, sources))
              .toList();
      if (own.isEmpty()) {
        throw new DataException(
            "none of the classes has its source in the given folders; check --sources and"
                + " --classpath");
      }
      return ladder.all(own);
    }
    Set<String> types = new LinkedHashSet<>();
    sites.forEach(site -> types.add(type(site)));
    List<Decision> ofTypes = ladder.all(List.copyOf(types));
    Set<Decision> found = new LinkedHashSet<>();
    for (String site : sites) {
      List<Decision> taken =
          WantedLocks.takenBy(type(site), site.substring(site.indexOf('#') + 1), ofTypes);
      if (taken.isEmpty()) {
        String why =
            program.classNames().contains(type(site))
                ? site + " takes no monitor; vtdiag advise lists the methods that do"
                : type(site) + " is not on the class path; check --site and --classpath";
        if (!inPlace) {
          throw new DataException(why);
        }
        console.warn(why);
      }
      found.addAll(taken);
    }
    return List.copyOf(found);
  }

  private static String type(String site) {
    return site.substring(0, site.indexOf('#'));
  }

  /** Writes the changed files themselves. */
  private static void overwrite(Patch patch) throws DataException {
    for (Patch.Change change : patch.files()) {
      try {
        Files.write(change.path(), change.after().bytes());
      } catch (IOException e) {
        throw new DataException(change.path() + " cannot be written: " + e.getMessage(), e);
      }
    }
  }

  private void write(
      Patch patch,
      List<Decision.Declined> refused,
      Assumptions assumed,
      int oldestJdk,
      SourceFolders sources)
      throws DataException {
    Path here = here();
    Path base = sources.baseOf(patch.files().stream().map(Patch.Change::path).toList(), here);
    List<String> assumptions =
        AssumptionWords.lines(assumed).stream().map(Printable::text).toList();
    byte[] diff = UnifiedDiff.of(assumptions, patch.files(), base);
    String sentence = PatchReport.sentence(patch, refused);
    if (output.json()) {
      output.write(
          console, PatchJson.of(patch, refused, assumed, oldestJdk, diff, base, !unverified));
    } else if (!patch.files().isEmpty()) {
      output.write(console, diff);
    }
    if (patch.files().isEmpty() || !output.quiet) {
      console.warn(sentence);
    }
    if (output.quiet) {
      return;
    }
    if (!patch.files().isEmpty() && !unverified) {
      console.say("The patched files were compiled, without errors.");
    }
    PatchReport.declined(patch, refused).forEach(console::say);
    PatchReport.comments(patch, base).forEach(line -> console.say(Printable.text(line)));
    if (!patch.files().isEmpty() || !refused.isEmpty() || !patch.declined().isEmpty()) {
      assumptions.forEach(console::say);
    }
    if (!patch.files().isEmpty() && !output.json()) {
      String in = base.equals(here) ? "" : "cd " + NextCommand.quoted("" + base) + " && ";
      String file =
          output.output == null
              ? "locks.patch"
              : base.equals(here) ? "" + output.output : "" + output.output.toAbsolutePath();
      console.say("Next: " + in + "git apply " + NextCommand.quoted(file));
    }
  }

  private static Path here() throws DataException {
    try {
      return Path.of("").toRealPath();
    } catch (IOException e) {
      throw new DataException("cannot read the current folder; change to another one", e);
    }
  }
}
