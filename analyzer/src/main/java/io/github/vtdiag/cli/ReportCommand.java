package io.github.vtdiag.cli;

import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.page.Page;
import io.github.vtdiag.pipeline.AnalyzedRun;
import io.github.vtdiag.source.SourceFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code vtdiag report}. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Writes a page for the browser: verdict, flame graphs, timeline, findings with what to do."
            + " The file is self-contained.",
    footer = {
      "",
      "Example:",
      "  vtdiag report app.jfr --classpath app.jar -o report.html",
      "  vtdiag report app.jfr --classpath app.jar --open"
    })
final class ReportCommand implements Callable<Integer> {
  private static final Path DEFAULT = Path.of("report.html");

  private final Console console;

  @Mixin private InputOptions input;
  @Mixin private AdviceOptions advising;
  @Mixin private AssumptionOptions assuming;
  @Mixin private BuildToolOptions buildTool;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to FILE (default: report.html); - is standard output.")
  private Path output = DEFAULT;

  @Option(names = "--open", description = "Show it in the browser.")
  private boolean open;

  @Option(
      names = {"-q", "--quiet"},
      description = "Do not say where the page is.")
  private boolean quiet;

  ReportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    input.range();
    OutputOptions to = new OutputOptions();
    to.output = output.toString().equals("-") ? null : output;
    to.quiet = quiet;
    to.check(input.paths());
    input.own(advising.own());
    input.shownBy(buildTool.paths());
    AnalyzedRun whole = input.whole(console, to);
    to.write(console, page(whole, input, advising, assuming).html());
    if (to.output != null) {
      shown(console, output, open, quiet);
    }
    return Exit.OK;
  }

  /** Returns the page of findings, with advice on them. */
  static Page page(
      AnalyzedRun whole, InputOptions input, AdviceOptions advising, AssumptionOptions assuming)
      throws DataException {
    Map<AdviceEntry, String> diffs = new HashMap<>();
    AdviceOptions.Given given =
        advising.advise(
            whole.findings(),
            input,
            assuming,
            (advice, program) -> {
              if (advising.sources.isEmpty() || !RewritePatches.isAnyWanted(advice)) {
                return;
              }
              try {
                SourceFolders sources = new SourceFolders(advising.sources);
                Path here = Path.of("").toRealPath();
                diffs.putAll(new RewritePatches(program, sources).diffs(advice, here));
              } catch (IOException e) {
                throw new DataException(e.getMessage(), e);
              }
            });
    String version = Main.class.getPackage().getImplementationVersion();
    return new Page(
        whole,
        given.findings(),
        given.advice(),
        patch(given.findings(), input, advising),
        diffs,
        version == null ? "" : " " + version);
  }

  /** Returns the command that makes a patch; empty if it is not known where the sources are. */
  private static String patch(Findings findings, InputOptions input, AdviceOptions advising) {
    List<String> sources = advising.sourcesAsTyped(findings);
    return sources.isEmpty() || input.classPathAsTyped(findings).isEmpty()
        ? ""
        : input.next("patch", findings).with(sources).with("-o", "locks.patch").text();
  }

  /** Prints the place of the page, and opens it if that was asked for. */
  static void shown(Console console, Path file, boolean open, boolean quiet) {
    if (!quiet) {
      console.warn("wrote " + file);
    }
    if (open && !isOpened(file)) {
      console.warn(file + " could not be opened; open it in a browser");
    }
  }

  private static boolean isOpened(Path file) {
    String uri = file.toAbsolutePath().toUri().toString();
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    List<String> command =
        system.contains("mac")
            ? List.of("open", uri)
            : system.contains("windows")
                ? List.of("rundll32", "url.dll,FileProtocolHandler", uri)
                : List.of("xdg-open", uri);
    try {
      // It may go on for as long as the browser does.
      new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      return Files.exists(file);
    } catch (IOException e) {
      return false;
    }
  }
}
