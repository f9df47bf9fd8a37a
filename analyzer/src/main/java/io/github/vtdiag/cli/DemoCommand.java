package io.github.vtdiag.cli;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.pipeline.AnalyzedRun;
import io.github.vtdiag.report.Report;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.zip.ZipFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vtdiag demo}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Runs a sample that pins virtual threads, records it, and analyzes the recording.",
    footer = {
      "",
      "Example:",
      "  vtdiag demo",
      "  vtdiag demo --open",
      "  vtdiag demo --list",
      "  vtdiag demo hotlock"
    })
final class DemoCommand implements Callable<Integer> {
  private static final String DEFAULT_STORY = "pgjdbc";

  private final Console console;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "STORY",
      arity = "0..1",
      description = "The sample to run (default: pgjdbc).")
  private String story = DEFAULT_STORY;

  @Option(names = "--list", description = "List the samples.")
  private boolean list;

  @Option(
      names = {"--jdk", "--java"},
      paramLabel = "HOME",
      description =
          "The Java home to run the sample on (default: the Java 21 that the launcher finds).")
  private Path java;

  @Option(
      names = "--open",
      description = "Also show the page of vtdiag report in the browser; the file is kept.")
  private boolean open;

  @Option(names = "--no-color", description = "No colours; NO_COLOR does the same.")
  private boolean noColor;

  DemoCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    Path samples = BuiltSamples.folder("vtdiag demo");
    List<String> stories = stories(samples.resolve("vtdiag-samples.jar"));
    if (list) {
      stories.forEach(console.out()::println);
      return Exit.OK;
    }
    if (!stories.contains(story)) {
      throw new ParameterException(
          spec.commandLine(), "there is no sample " + story + "; vtdiag demo --list lists them");
    }
    Path recording = samples.resolve(story + ".jfr");
    List<String> classPath = classPath(samples);
    delete(recording);
    int code = JavaProcess.run(command(recording, classPath));
    if (!Files.exists(recording)) {
      throw new DataException(
          "the sample ended with exit code "
              + code
              + " and left no recording; see its output above");
    }
    String name = BuiltSamples.shortName(recording);
    OutputOptions output = new OutputOptions();
    output.noColor = noColor;
    InputOptions input = new InputOptions();
    input.files = List.of(name);
    input.classPath = classPath;
    AdviceOptions advice = new AdviceOptions();
    Path sources = samples.resolveSibling("src").resolve("main").resolve("java");
    advice.sources =
        Files.isDirectory(sources) ? List.of(Path.of(BuiltSamples.shortName(sources))) : List.of();
    AnalyzedRun whole = input.whole(console, output);
    Findings findings = whole.findings();
    AdviceOptions.Given given = advice.advise(findings, input);
    console.out().println();
    output.write(
        console,
        new Report.Analysis(
            given.findings(),
            given.advice(),
            output.detail(),
            AnalyzeCommand.next(
                findings,
                List.of(name),
                List.of(),
                false,
                advice.sourcesAsTyped(findings),
                Optional.empty())));
    if (open) {
      OutputOptions page = new OutputOptions();
      page.output = samples.resolve(story + ".html");
      page.write(console, ReportCommand.page(whole, input, advice, new AssumptionOptions()).html());
      ReportCommand.shown(console, Path.of(BuiltSamples.shortName(page.output)), true, false);
    }
    return Exit.OK;
  }

  private List<String> command(Path recording, List<String> classPath) throws DataException {
    return List.of(
        BuiltSamples.java(Optional.ofNullable(java)).resolve("bin").resolve("java").toString(),
        "-javaagent:" + AgentJar.inCache() + "=output=" + recording,
        "-cp",
        String.join(File.pathSeparator, classPath),
        "samples." + story + ".Before");
  }

  private List<String> classPath(Path samples) {
    List<String> classPath = new ArrayList<>();
    classPath.add(samples.resolve("vtdiag-samples.jar").toString());
    // The library version that pins has to come first.
    Path before = samples.resolve("lib-before").resolve(story);
    for (Path folder : List.of(before, samples.resolve("lib"))) {
      if (Files.isDirectory(folder)) {
        classPath.add(folder + File.separator + "*");
      }
    }
    return classPath;
  }

  private static List<String> stories(Path jar) throws DataException {
    String prefix = "samples/";
    String suffix = "/Before.class";
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream()
          .map(entry -> entry.getName())
          .filter(name -> name.startsWith(prefix) && name.endsWith(suffix))
          .map(name -> name.substring(prefix.length(), name.length() - suffix.length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new DataException(jar + " is not a readable jar; build the samples again", e);
    }
  }

  private static void delete(Path file) throws DataException {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new DataException("cannot replace " + file + "; check its permissions", e);
    }
  }
}
