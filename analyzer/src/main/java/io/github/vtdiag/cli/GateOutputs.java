package io.github.vtdiag.cli;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Recommendation.Rewrite;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.gate.Verdict;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.WholeFile;
import io.github.vtdiag.owner.OwnCode;
import io.github.vtdiag.patch.Patch;
import io.github.vtdiag.report.ci.BuildFormat;
import io.github.vtdiag.report.ci.BuildFormats;
import io.github.vtdiag.report.ci.BuildReport;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.source.SourceFolders;
import io.github.vtdiag.source.SourceLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The outputs of a gate for build servers, each format into a file of its own. */
final class GateOutputs {
  private static final String STANDARD_OUTPUT = "-";

  @Mixin private AdviceOptions advising;

  /** Adds an option for each format. */
  static void addOptions(CommandSpec spec) {
    for (BuildFormat format : BuildFormats.ALL) {
      spec.addOption(
          OptionSpec.builder(format.option())
              .type(String.class)
              .paramLabel(format.isPrinted() ? "FILE|-" : "FILE")
              .description(format.description())
              .build());
    }
  }

  /** Returns which code is the user's own, in addition to the policy. */
  OwnCode own(List<OwnCode.Name> named) throws DataException {
    return advising.own(named);
  }

  /** Returns the advice that needs no classes. */
  Advice advise(Findings findings) throws DataException {
    return advising.advise(findings);
  }

  private static Map<BuildFormat, String> named(CommandSpec spec) {
    Map<BuildFormat, String> named = new LinkedHashMap<>();
    for (BuildFormat format : BuildFormats.ALL) {
      String file = spec.findOption(format.option()).getValue();
      if (file != null) {
        named.put(format, file);
      }
    }
    return named;
  }

  /** Refuses what cannot be written, before any work is done. */
  void check(CommandSpec spec, List<Path> inputs, OutputOptions output) throws DataException {
    Map<Path, String> files = new HashMap<>();
    if (output.output != null) {
      files.put(output.output.toAbsolutePath().normalize(), "--output");
    }
    for (Map.Entry<BuildFormat, String> each : named(spec).entrySet()) {
      String option = each.getKey().option();
      if (each.getValue().equals(STANDARD_OUTPUT)) {
        refuseToPrint(spec, each.getKey(), output);
        continue;
      }
      Path file = Path.of(each.getValue());
      String other = files.put(file.toAbsolutePath().normalize(), option);
      if (other != null) {
        throw new ParameterException(
            spec.commandLine(),
            other + " and " + option + " name the same file; give each its own");
      }
      OutputOptions.check(file, inputs);
      if (Files.isDirectory(file)) {
        throw new DataException(file + " is a folder; name a file with " + option);
      }
    }
  }

  private static void refuseToPrint(CommandSpec spec, BuildFormat format, OutputOptions output) {
    if (!format.isPrinted()) {
      throw new ParameterException(
          spec.commandLine(), format.option() + " needs a file, not standard output");
    }
    if (output.output == null && output.format().equals(Formats.JSON)) {
      throw new ParameterException(
          spec.commandLine(),
          format.option() + " and the JSON cannot both go to standard output; name a file for one");
    }
  }

  /** Writes all that is asked for. */
  void write(
      CommandSpec spec,
      Console console,
      InputOptions input,
      OutputOptions output,
      Findings findings,
      Verdict verdict)
      throws DataException {
    Map<BuildFormat, String> named = named(spec);
    if (named.isEmpty()) {
      return;
    }
    BuildReport report = report(input, findings, verdict);
    Map<BuildFormat, String> texts = new LinkedHashMap<>();
    // All of them are made before the first is written: an error leaves no file.
    named.keySet().forEach(format -> texts.put(format, format.write(report)));
    for (Map.Entry<BuildFormat, String> each : named.entrySet()) {
      String text = texts.get(each.getKey());
      if (each.getValue().equals(STANDARD_OUTPUT)) {
        console.out().writeBytes(console.encoded(text));
        console.out().flush();
      } else {
        writeFile(Path.of(each.getValue()), text, each.getKey().option());
        output.note(console, "wrote " + each.getValue());
      }
    }
  }

  private static void writeFile(Path file, String text, String option) throws DataException {
    Path whole = file.toAbsolutePath();
    try {
      // Builds name a file in a folder that a clean build does not have yet.
      Files.createDirectories(whole.getParent());
      WholeFile.write(whole, text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw OutputOptions.cannotWrite(file, option, e);
    }
  }

  private BuildReport report(InputOptions input, Findings findings, Verdict verdict)
      throws DataException {
    Map<List<Rewrite>, Patch> patches = new HashMap<>();
    try {
      SourceFolders sources = new SourceFolders(advising.sources);
      AdviceOptions.Given given =
          advising.advise(
              findings,
              input,
              (advice, program) -> {
                if (!advising.sources.isEmpty() && RewritePatches.isAnyWanted(advice)) {
                  patches.putAll(new RewritePatches(program, sources).byRewrites(advice));
                }
              });
      Path here = Path.of("").toRealPath();
      String version = Main.class.getPackage().getImplementationVersion();
      return new BuildReport(
          given.findings(),
          verdict,
          given.advice(),
          Identities.of(given.findings()),
          advising.sources.isEmpty() ? SourceLines.NONE : SourceLines.of(sources, here),
          patches,
          version == null ? "" : version);
    } catch (IOException e) {
      throw new DataException(e.getMessage(), e);
    }
  }
}
