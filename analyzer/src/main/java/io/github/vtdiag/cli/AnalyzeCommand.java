package io.github.vtdiag.cli;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.report.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code vtdiag analyze}. */
@Command(
    name = "analyze",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description = "Shows what held carriers in a recording, and what that cost.",
    footer = {
      "",
      "Example:",
      "  vtdiag analyze app.jfr --classpath app.jar",
      "  vtdiag analyze app.jfr --json | jq '.findings[0]'"
    })
final class AnalyzeCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private InputOptions input;
  @Mixin private AdviceOptions advising;
  @Mixin private OutputOptions output;

  AnalyzeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    input.range();
    output.check(input.paths());
    input.own(advising.own());
    // The advice is on all findings: their numbers depend on what is merged, and must be those of
    // advise and the page.
    AdviceOptions.Given given = advising.advise(input.findings(console, output), input);
    Findings findings = given.findings();
    Advice advice = given.advice();
    output.write(
        console,
        new Report.Analysis(
            findings,
            advice,
            output.detail(),
            output.quiet
                ? List.of()
                : next(
                    findings,
                    input.files,
                    input.classPathAsTyped(findings),
                    !input.classPath.isEmpty(),
                    advising.sourcesAsTyped(findings),
                    input.started(findings))));
    return Exit.OK;
  }

  /** Returns the commands that make sense after such findings. */
  static List<String> next(
      Findings findings,
      List<String> files,
      List<String> classPath,
      boolean classPathNamed,
      List<String> sources,
      Optional<List<String>> started) {
    List<String> next = new ArrayList<>();
    if (findings.has(Gap.Trait.HIDES_PINS)) {
      next.add(NextCommand.run(started));
      return next;
    }
    if (findings.has(Gap.Kind.CLASSES_UNREAD) && !classPathNamed) {
      InputOptions.startedJar(findings)
          .map(path -> NextCommand.of("analyze", files).with("--classpath", path).text())
          .ifPresent(next::add);
    }
    if (findings.cost().count() > 0) {
      next.add(NextCommand.of("advise", files).withOptions(classPath).with(sources).text());
    }
    next.add(NextCommand.gate(files, findings).text());
    return next;
  }
}
