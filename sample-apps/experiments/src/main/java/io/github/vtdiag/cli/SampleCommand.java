package io.github.vtdiag.cli;

import io.github.vtdiag.experiment.Bench;
import io.github.vtdiag.experiment.Drawing;
import io.github.vtdiag.experiment.Echo;
import io.github.vtdiag.experiment.Experiment;
import io.github.vtdiag.experiment.Experiments;
import io.github.vtdiag.experiment.Machine;
import io.github.vtdiag.experiment.Outcome;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.WholeFile;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.report.Diagnosed;
import io.github.vtdiag.report.Sampled;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.report.format.SampleFormats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code vtdiag sample}. */
@Command(
    name = "sample",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Repeats an experiment that articles on virtual threads made known: the published figures"
            + " beside those of this machine, and what held the carriers in the variants that the"
            + " articles leave out.",
    footer = {
      "",
      "Exit codes: 0 run, 1 run and something came out wrong, 2 wrong usage, 3 a program failed.",
      "",
      "Example:",
      "  vtdiag sample",
      "  vtdiag sample sleepers --short",
      "  vtdiag sample sleepers --format markdown -o sleepers.md --plots ."
    })
final class SampleCommand implements Callable<Integer> {
  private static final int OLDEST = 21;

  /** The most typos in a name; with more of them another name is meant. */
  private static final int MOST_TYPOS = 3;

  private final Console console;

  @Spec private CommandSpec spec;
  @Mixin private OutputOptions output;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      completionCandidates = Names.class,
      description = "${COMPLETION-CANDIDATES}; without a name they are listed.")
  private String name;

  @Option(
      names = "--short",
      description = "The short form, of a minute at most: fewer tasks, fewer rounds.")
  private boolean isShort;

  @Option(
      names = {"--jdk", "--java"},
      paramLabel = "HOME",
      description =
          "The Java home to run the programs on (default: the Java 21 that the launcher finds).")
  private Path java;

  @Option(
      names = "--connections",
      paramLabel = "N",
      converter = Connections.class,
      description = "Of echo: how many connections (default: 100000; with --short 4000).")
  private Integer connections;

  @Option(
      names = "--plots",
      paramLabel = "FOLDER",
      description = "Where to draw the plots, as SVG (default: beside the recordings).")
  private Path plots;

  SampleCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    if (name == null) {
      Experiments.ALL.forEach(
          each -> console.out().printf("%-10s %s%n", each.name(), each.about()));
      return Exit.OK;
    }
    Experiment experiment =
        scaled(
            Experiments.named(name)
                .orElseThrow(() -> new ParameterException(spec.commandLine(), unknown(name))));
    output.format();
    output.checkWritable();
    Path home = BuiltSamples.java(Optional.ofNullable(java)).toAbsolutePath();
    int feature = feature(home);
    Path samples = BuiltSamples.folder("vtdiag sample " + name);
    Path work = folder(samples.resolve("experiments").resolve(name), "its permissions");
    Path drawn = plots == null ? work : folder(plots.toAbsolutePath(), "--plots");
    Bench.Equipment equipment = new Bench.Equipment(home, samples, agent(samples), work);
    try {
      Outcome outcome = run(experiment, equipment, feature);
      Sampled sampled = sampled(experiment, outcome, home);
      output.write(console, SampleFormats.write(sampled, output.format(), output.style(console)));
      String file = name + "-" + feature;
      Path json = work.resolve(file + ".json");
      write(json, SampleFormats.write(sampled, Formats.JSON, Style.PLAIN));
      draw(equipment, json, drawn, feature);
      return outcome.problems().isEmpty() ? Exit.OK : Exit.FAIL;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DataException("interrupted", e);
    }
  }

  private Experiment scaled(Experiment experiment) {
    if (connections == null) {
      return experiment;
    }
    if (!(experiment instanceof Echo)) {
      throw new ParameterException(
          spec.commandLine(), "--connections is for echo; " + name + " has none");
    }
    return new Echo(OptionalInt.of(connections));
  }

  private Outcome run(Experiment experiment, Bench.Equipment equipment, int feature)
      throws DataException, InterruptedException {
    try (ExperimentProgress progress = new ExperimentProgress(console, output);
        Bench bench = new Bench(equipment, feature, isShort, progress::at)) {
      return experiment.run(bench);
    }
  }

  private Sampled sampled(Experiment experiment, Outcome outcome, Path home) throws DataException {
    List<Diagnosed> diagnosed = new ArrayList<>();
    for (Outcome.Diagnosis diagnosis : outcome.diagnoses()) {
      diagnosed.add(diagnosed(diagnosis));
    }
    List<String> next =
        output.quiet || diagnosed.isEmpty()
            ? List.of()
            : List.of(
                "vtdiag analyze "
                    + diagnosed.getFirst().recording()
                    + " --classpath "
                    + BuiltSamples.shortName(
                        Path.of(outcome.diagnoses().getFirst().classPath().getFirst())));
    return new Sampled(experiment, isShort, Machine.here(home), outcome, diagnosed, next);
  }

  /** Analyzes a recording as {@code vtdiag analyze} does. */
  private Diagnosed diagnosed(Outcome.Diagnosis diagnosis) throws DataException {
    InputOptions input = new InputOptions();
    input.files = List.of(BuiltSamples.shortName(diagnosis.recording()));
    input.classPath = diagnosis.classPath();
    OutputOptions quiet = new OutputOptions();
    quiet.quiet = true;
    AdviceOptions.Given given =
        new AdviceOptions().advise(input.whole(console, quiet).findings(), input);
    return new Diagnosed(
        diagnosis.label(), input.files.getFirst(), given.findings(), given.advice());
  }

  private void draw(Bench.Equipment equipment, Path json, Path folder, int feature)
      throws DataException, InterruptedException {
    try {
      Drawing.draw(
          Path.of(System.getProperty("java.home")),
          equipment,
          json,
          folder,
          String.valueOf(feature));
    } catch (DataException e) {
      if (plots != null) {
        throw e;
      }
      // Plots are optional: a Java without AWT is enough for the figures.
      output.note(console, e.getMessage());
      e.quoted().forEach(line -> output.note(console, line));
    }
  }

  /** Returns the agent of the checkout that the samples belong to. */
  private static Path agent(Path samples) throws DataException {
    Path agent = samples.resolve(Path.of("..", "..", "agent", "target", "vtdiag.jar")).normalize();
    if (!Files.exists(agent)) {
      throw new DataException(
          agent + " is not built; run ./vtdiag sample in vtdiag's source folder");
    }
    return agent;
  }

  private static int feature(Path home) throws DataException {
    String version;
    try {
      version = JdkClasses.version(home);
    } catch (IOException e) {
      throw new DataException(home + " is not the home of a Java; check --java", e);
    }
    String digits = version.split("\\D", 2)[0];
    int feature = digits.matches("\\d{1,3}") ? Integer.parseInt(digits) : 0;
    if (feature < OLDEST) {
      throw new DataException(
          "%s is Java %s, and virtual threads need 21 or later; name another with --java"
              .formatted(home, version));
    }
    if (!Files.isExecutable(home.resolve("bin").resolve("java"))) {
      throw new DataException(home + " has no bin/java; check --java");
    }
    return feature;
  }

  private static Path folder(Path folder, String check) throws DataException {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new DataException("the folder " + folder + " cannot be made; check " + check, e);
    }
    if (!Files.isWritable(folder)) {
      throw new DataException("cannot write to the folder " + folder + "; check " + check);
    }
    return folder;
  }

  private static void write(Path file, String text) throws DataException {
    try {
      WholeFile.write(file, text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new DataException(file + " cannot be written; check its permissions", e);
    }
  }

  private static String unknown(String typed) {
    String nearest =
        Experiments.ALL.stream()
            .map(Experiment::name)
            .min(Comparator.comparingInt(each -> typos(typed, each)))
            .orElseThrow();
    return "there is no experiment "
        + typed
        + (typos(typed, nearest) <= MOST_TYPOS
            ? " (did you mean " + nearest + "?)"
            : "; vtdiag sample lists them");
  }

  /**
   * Returns the number of letters that have to be added, removed or changed to turn one into the
   * other.
   */
  private static int typos(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()];
  }

  /** Reads a number of connections; the system's own limits come before this one. */
  static final class Connections implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      if (!text.matches("[1-9]\\d{0,5}|1000000")) {
        throw new TypeConversionException("'" + text + "' is not a number from 1 to 1000000");
      }
      return Integer.valueOf(text);
    }
  }

  /** The names of the experiments, for the help. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Experiments.ALL.stream().map(Experiment::name).iterator();
    }
  }
}
