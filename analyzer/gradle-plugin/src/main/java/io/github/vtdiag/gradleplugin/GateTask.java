package io.github.vtdiag.gradleplugin;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.inject.Inject;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.file.FileCollection;
import org.gradle.api.file.RegularFileProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.MapProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Classpath;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.InputFile;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.Nested;
import org.gradle.api.tasks.Optional;
import org.gradle.api.tasks.OutputDirectory;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.api.tasks.TaskAction;
import org.gradle.jvm.toolchain.JavaLauncher;
import org.gradle.process.ExecOperations;
import org.gradle.work.DisableCachingByDefault;

/**
 * Fails the build if the tests' recordings break a limit, or could not have shown that one is
 * broken, as <code>vtdiag gate</code> does. The command line runs in a JVM of its own.
 */
@DisableCachingByDefault(because = "allowances of a policy expire, and a verdict takes a second")
public abstract class GateTask extends DefaultTask {
  private static final int PASS = 0;
  private static final int FAIL = 1;
  private static final int NO_DATA = 4;

  /** Returns the folders of the recordings. */
  @InputFiles
  @PathSensitive(PathSensitivity.RELATIVE)
  public abstract ConfigurableFileCollection getRecordings();

  /** Returns the classes of the tests: without any there is nothing to judge. */
  @InputFiles
  @PathSensitive(PathSensitivity.RELATIVE)
  public abstract ConfigurableFileCollection getTestClasses();

  /** Returns the command line. */
  @Classpath
  public abstract ConfigurableFileCollection getTool();

  /** Returns the Java that runs it. */
  @Nested
  public abstract Property<JavaLauncher> getJavaLauncher();

  /** Returns the limits by their options. */
  @Input
  public abstract MapProperty<String, String> getLimits();

  /** Returns the policy, if there is one. */
  @InputFile
  @Optional
  @PathSensitive(PathSensitivity.NONE)
  public abstract RegularFileProperty getPolicy();

  /** Returns the baseline, if there is one. */
  @InputFile
  @Optional
  @PathSensitive(PathSensitivity.NONE)
  public abstract RegularFileProperty getBaseline();

  /** Returns the classes and libraries of the tests: reports then have the lines and the fixes. */
  @Classpath
  public abstract ConfigurableFileCollection getClasspath();

  /** Returns the folders of the sources. */
  @InputFiles
  @PathSensitive(PathSensitivity.RELATIVE)
  public abstract ConfigurableFileCollection getSources();

  /** Returns the group of the project, whose libraries are its own code. */
  @Input
  public abstract Property<String> getOwnGroup();

  /** Returns the reports to write. */
  @Input
  public abstract ListProperty<String> getFormats();

  /** Returns more options of the gate. */
  @Input
  public abstract ListProperty<String> getOptions();

  /** Returns whether NO_DATA passes. */
  @Input
  public abstract Property<Boolean> getAllowNoData();

  /** Returns whether a failure ends the build. */
  @Input
  public abstract Property<Boolean> getHaltOnFailure();

  /** Returns the folder of the reports. */
  @OutputDirectory
  public abstract DirectoryProperty getReportDirectory();

  /** Returns the folder in which the command line runs. */
  @Internal
  public abstract DirectoryProperty getWorkingDirectory();

  /**
   * Returns the folder in which the user typed. Printed paths and commands are for it: in a
   * multi-project build that is not the folder in which the command line runs.
   */
  @Internal
  public abstract DirectoryProperty getInvocationDirectory();

  /** Returns Gradle's own way to start processes. */
  @Inject
  @SuppressWarnings("JavaxInjectOnAbstractMethod") // Gradle implements it
  protected abstract ExecOperations getProcesses();

  /** Judges the recordings. */
  @TaskAction
  public void judge() {
    Set<GateReport> reports = GateReport.named(getFormats().get());
    List<String> limits = limits();
    List<String> inputs = new ArrayList<>();
    for (File folder : getRecordings()) {
      for (File recording : RecordingFolder.in(folder)) {
        inputs.add(recording.getPath());
      }
    }
    if (inputs.isEmpty() && getTestClasses().getAsFileTree().isEmpty()) {
      getLogger().warn("vtdiag: NOT CHECKED: this project has no tests, and no recording");
      return;
    }
    if (inputs.isEmpty() && reports.isEmpty()) {
      noData("NO_DATA  no recording in " + paths(getRecordings()));
      return;
    }
    List<String> all = places(true);
    List<String> places = reports.isEmpty() ? places(false) : all;
    String typedIn = "--typed-in=" + getInvocationDirectory().get().getAsFile();
    List<String> gate = new ArrayList<>();
    gate.add("gate");
    gate.addAll(limits);
    for (GateReport report : reports) {
      File file = report.in(getReportDirectory().get().getAsFile());
      if (report.isPage()) {
        page(file, places, typedIn, inputs);
      } else {
        gate.add(report.option() + "=" + file);
      }
    }
    gate.addAll(places);
    gate.add(typedIn);
    for (String option : all) {
      gate.add("--advise-with=" + option.substring("--".length()));
    }
    gate.addAll(inputs.isEmpty() ? folders() : inputs);
    if (!reports.isEmpty()) {
      getLogger()
          .lifecycle("vtdiag: reports are in {}", typed(getReportDirectory().get().getAsFile()));
    }
    say(gate);
  }

  private List<String> limits() {
    List<String> limits = new ArrayList<>();
    getLimits().get().forEach((option, value) -> limits.add(option + "=" + value.trim()));
    if (getBaseline().isPresent()) {
      limits.add("--baseline=" + getBaseline().get().getAsFile());
    }
    limits.addAll(getOptions().get());
    if (getPolicy().isPresent() && !getOptions().get().contains("--no-policy")) {
      limits.add("--policy=" + getPolicy().get().getAsFile());
    }
    if (limits.isEmpty()) {
      throw new GradleException(
          "vtdiag: no limit given; write vtdiag { maxPin = \"50ms\" }, a baseline, or a policy,"
              + " vtdiag.yml beside the build script");
    }
    return limits;
  }

  /** Returns the options for the project's own code, its classes and its sources. */
  private List<String> places(boolean all) {
    List<String> places = new ArrayList<>();
    String classPath = all ? paths(getClasspath().filter(File::exists)) : "";
    if (!classPath.isEmpty()) {
      places.add("--classpath=" + classPath);
    }
    if (all) {
      for (File root : getSources()) {
        if (root.isDirectory()) {
          places.add("--sources=" + root);
        }
      }
    }
    String group = getOwnGroup().get();
    if (!group.isEmpty()) {
      places.add("--own=" + group + ":*");
    }
    return places;
  }

  private static String paths(FileCollection files) {
    return files.getFiles().stream()
        .map(File::getPath)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private List<String> folders() {
    List<String> folders = new ArrayList<>();
    for (File folder : getRecordings()) {
      folders.add(folder.getPath());
    }
    return folders;
  }

  /** Returns a path as the user would type it. */
  private String typed(File file) {
    Path here = getInvocationDirectory().get().getAsFile().toPath();
    Path path = file.toPath();
    return (path.startsWith(here) ? here.relativize(path) : path).toString();
  }

  /** Writes the page of the recordings, whatever the verdict is. */
  private void page(File page, List<String> places, String typedIn, List<String> inputs) {
    // The page of an earlier build would be taken for that of this one.
    if (page.exists() && !page.delete()) {
      getLogger().warn("vtdiag: {} is of an earlier build, and cannot be deleted", page);
    }
    if (inputs.isEmpty()) {
      return;
    }
    List<String> command = new ArrayList<>(Arrays.asList("report", "-q", "-o", page.getPath()));
    command.addAll(places);
    command.add(typedIn);
    command.addAll(inputs);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    if (run(command, said) != 0) {
      // A JVM that died leaves an empty file: the verdict says so.
      getLogger().warn("vtdiag: no page: {}", text(said));
    }
  }

  private void say(List<String> gate) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int exit = run(gate, said);
    switch (exit) {
      case PASS:
        getLogger().lifecycle("vtdiag: {}", text(said));
        break;
      case FAIL:
        fail(text(said));
        break;
      case NO_DATA:
        noData(text(said));
        break;
      default:
        throw new GradleException("vtdiag gate ended with " + exit + ": " + text(said));
    }
  }

  private int run(List<String> command, ByteArrayOutputStream said) {
    List<String> arguments =
        new ArrayList<>(
            Arrays.asList(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                getTool().getSingleFile().getPath()));
    arguments.addAll(command);
    getLogger().debug("vtdiag: {}", arguments);
    return getProcesses()
        .exec(
            process -> {
              process.executable(getJavaLauncher().get().getExecutablePath().getAsFile());
              process.args(arguments);
              process.workingDir(getWorkingDirectory());
              process.setStandardOutput(said);
              process.setErrorOutput(said);
              process.setIgnoreExitValue(true);
            })
        .getExitValue();
  }

  private static String text(ByteArrayOutputStream said) {
    return new String(said.toByteArray(), Charset.defaultCharset()).trim();
  }

  private void noData(String verdict) {
    String whatToDo =
        System.lineSeparator()
            + "Were tests run, on Java 21 or later? vtdiag { tests = [\"test\"] } names the tasks"
            + " whose recordings are judged; allowNoData = true lets NO_DATA pass.";
    if (getAllowNoData().get()) {
      getLogger().warn("vtdiag: {}{}", verdict, whatToDo);
    } else {
      fail(verdict + whatToDo);
    }
  }

  private void fail(String verdict) {
    if (getHaltOnFailure().get()) {
      throw new GradleException("vtdiag: " + verdict);
    }
    getLogger().error("vtdiag: {}", verdict);
  }
}
