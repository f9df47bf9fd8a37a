package io.github.vtdiag.experiment;

import io.github.vtdiag.compare.Attempt;
import io.github.vtdiag.compare.Comparison;
import io.github.vtdiag.compare.JavaCommand;
import io.github.vtdiag.compare.MeasuredProcess;
import io.github.vtdiag.compare.Ratio;
import io.github.vtdiag.compare.Side;
import io.github.vtdiag.compare.SpeedVerdict;
import io.github.vtdiag.model.DataException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;

/** Runs the programs of an experiment, each in a JVM of its own, and leaves none behind. */
public final class Bench implements AutoCloseable {
  private static final long LONGEST_NANOS = 1_800_000_000_000L;

  /**
   * The equipment of an experiment.
   *
   * @param java the home of the Java that runs the programs
   * @param samples the folder of the samples' jar
   * @param agent vtdiag.jar
   * @param work where recordings go
   */
  public record Equipment(Path java, Path samples, Path agent, Path work) {
    /** Returns the class path, as for {@code -cp}. */
    public List<String> classPath(List<String> libraries) {
      List<String> entries = new ArrayList<>();
      entries.add(samples.resolve("vtdiag-samples.jar").toString());
      libraries.forEach(folder -> entries.add(samples.resolve(folder) + File.separator + "*"));
      return entries;
    }
  }

  /** One of two things to compare. */
  public record Variant(String name, Measured run) {}

  /** Measures one run. */
  public interface Measured {
    /** Returns the rate a second; more is better. A rate of zero is reported among the problems. */
    double perSecond() throws DataException, InterruptedException;
  }

  private final Equipment equipment;
  private final int feature;
  private final boolean isShort;
  private final Consumer<String> progress;
  private final Set<Serving> running = ConcurrentHashMap.newKeySet();
  private final Thread atExit = new Thread(this::endEarly, "end-experiment");
  private final Map<Path, List<String>> classPaths = new HashMap<>();
  private volatile boolean ending;

  /**
   * Creates a bench that runs nothing yet.
   *
   * @param feature the feature release of the Java that runs the programs
   * @param isShort whether the short form was asked for
   * @param progress is told what happens, in a few words
   */
  public Bench(Equipment equipment, int feature, boolean isShort, Consumer<String> progress) {
    this.equipment = equipment;
    this.feature = feature;
    this.isShort = isShort;
    this.progress = progress;
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Returns the same on another Java. Close it when nothing more is to run on that. */
  public Bench on(Path java, int otherFeature) {
    return new Bench(
        new Equipment(java, equipment.samples(), equipment.agent(), equipment.work()),
        otherFeature,
        isShort,
        progress);
  }

  public boolean isShort() {
    return isShort;
  }

  /** Returns the home of the Java that runs the programs. */
  public Path java() {
    return equipment.java();
  }

  /** Returns the feature release of that Java. */
  public int feature() {
    return feature;
  }

  /** Reports what happens now. */
  public void progress(String what) {
    progress.accept(what);
  }

  /** Returns the recording of that name, which exists once its program has ended. */
  public Path recording(String name) {
    return equipment.work().resolve(name + ".jfr");
  }

  /** Returns the last recording of that name, to be explained. */
  public Outcome.Diagnosis diagnosis(String label, String recording) {
    Path file = recording(recording);
    return new Outcome.Diagnosis(label, file, classPaths.getOrDefault(file, List.of()));
  }

  /** Runs a program to its end. */
  public Printed run(SampleProgram program) throws DataException, InterruptedException {
    return run(program, Optional.empty());
  }

  /** Does the same with the agent, which leaves a recording of that name. */
  public Printed run(SampleProgram program, String recording)
      throws DataException, InterruptedException {
    return run(program, Optional.of(recording(recording)));
  }

  private Printed run(SampleProgram program, Optional<Path> recording)
      throws DataException, InterruptedException {
    try (Serving serving = start(program, recording)) {
      return serving.await(LONGEST_NANOS);
    }
  }

  /** Starts a server, and returns once it accepts connections. */
  public Serving serve(SampleProgram program) throws DataException, InterruptedException {
    return serve(program, Optional.empty());
  }

  /** Does the same with the agent, which leaves a recording of that name. */
  public Serving serve(SampleProgram program, String recording)
      throws DataException, InterruptedException {
    return serve(program, Optional.of(recording(recording)));
  }

  private Serving serve(SampleProgram program, Optional<Path> recording)
      throws DataException, InterruptedException {
    Serving serving = start(program, recording);
    try {
      serving.awaitReady();
      return serving;
    } catch (DataException | InterruptedException e) {
      serving.close();
      throw e;
    }
  }

  private Serving start(SampleProgram program, Optional<Path> recording) throws DataException {
    if (recording.isPresent()) {
      delete(recording.get());
      classPaths.put(recording.get(), equipment.classPath(program.libraries()));
    }
    ProgramOutput output = new ProgramOutput();
    synchronized (running) {
      if (ending) {
        throw new DataException("interrupted");
      }
      MeasuredProcess process =
          MeasuredProcess.startWithInput(line(program, recording), output::line);
      Serving serving =
          new Serving(
              new Attempt(program.toString(), process, progress, () -> ending),
              output,
              recording,
              running::remove);
      running.add(serving);
      return serving;
    }
  }

  private List<String> line(SampleProgram program, Optional<Path> recording) {
    List<String> line = new ArrayList<>();
    line.add(JavaCommand.launcher(Optional.of(equipment.java())));
    recording.ifPresent(
        file ->
            line.add(
                "-javaagent:%s=output=%s,warn=off,summary=off,onerror=fail"
                    .formatted(equipment.agent(), file)));
    line.addAll(program.jvmOptions());
    line.add("-cp");
    line.add(String.join(File.pathSeparator, equipment.classPath(program.libraries())));
    line.add(program.mainClass());
    line.addAll(program.arguments());
    return line;
  }

  /**
   * Runs two variants alternately, in the order of {@code vtdiag compare}, and judges as that does.
   */
  public Outcome.Versus inTurns(String label, Variant before, Variant after, int pairs)
      throws DataException, InterruptedException {
    double[] without = new double[pairs];
    double[] with = new double[pairs];
    List<Side> order = Side.order(pairs);
    for (int i = 0; i < order.size(); i++) {
      Variant variant = order.get(i) == Side.BEFORE ? before : after;
      progress("%s, run %d of %d: %s".formatted(label, i + 1, order.size(), variant.name()));
      double perSecond = variant.run().perSecond();
      // Each two runs are a pair.
      (order.get(i) == Side.BEFORE ? without : with)[i / 2] = perSecond;
    }
    Comparison.Figure figure = throughput(without, with);
    return new Outcome.Versus(
        label, before.name(), after.name(), figure, SpeedVerdict.of(figure.ratio()), pairs);
  }

  /**
   * Returns the throughput. A run without a good answer is reported among the problems, and has no
   * ratio.
   */
  private static Comparison.Figure throughput(double[] without, double[] with) {
    boolean none =
        DoubleStream.concat(Arrays.stream(without), Arrays.stream(with))
            .anyMatch(perSecond -> perSecond <= 0);
    return none
        ? new Comparison.Figure(
            "throughput",
            Arrays.stream(without).average().orElseThrow(),
            Arrays.stream(with).average().orElseThrow(),
            new Ratio(OptionalDouble.empty(), 0, Double.POSITIVE_INFINITY))
        : Comparison.Figure.of("throughput", without, with);
  }

  private static void delete(Path file) throws DataException {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new DataException("cannot replace " + file + "; check its permissions", e);
    }
  }

  /** Leaves no program behind when vtdiag itself is stopped, for example by Ctrl-C. */
  private void endEarly() {
    synchronized (running) {
      ending = true;
    }
    running.forEach(Serving::closeQuickly);
  }

  @Override
  public void close() {
    List.copyOf(running).forEach(Serving::close);
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // vtdiag is shutting down.
    }
  }
}
