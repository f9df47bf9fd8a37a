package vtdiag.mavenplugin;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Component;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.ToolchainManager;

/**
 * Fails the build if the tests' recordings break a limit, and if they could not have shown that one
 * is broken: what <code>vtdiag gate</code> says of them.
 */
@Mojo(name = "check", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class CheckMojo extends AbstractMojo {
  private static final int PASS = 0;
  private static final int FAIL = 1;
  private static final int NO_DATA = 4;

  @Parameter(defaultValue = "${project}", readonly = true, required = true)
  private MavenProject project;

  @Parameter(defaultValue = "${session}", readonly = true, required = true)
  private MavenSession session;

  @Component private ToolchainManager toolchains;

  /** Where the recordings are. */
  @Parameter(
      property = "vtdiag.directory",
      defaultValue = "${project.build.directory}/vtdiag",
      required = true)
  private File directory;

  /** The longest a single pin may be, such as <code>50ms</code>. */
  @Parameter(property = "vtdiag.maxPin")
  private String maxPin;

  /** The longest all pins may be together. */
  @Parameter(property = "vtdiag.maxTotal")
  private String maxTotal;

  /** How many pins there may be. */
  @Parameter(property = "vtdiag.maxCount")
  private String maxCount;

  /** The share of all carrier time that may be pinned, such as <code>5%</code>. */
  @Parameter(property = "vtdiag.maxCapacityLost")
  private String maxCapacityLost;

  /**
   * More options of <code>vtdiag gate</code>, each as on the command line: <code>--strict</code>,
   * <code>--max-queue=10</code>.
   */
  @Parameter(property = "vtdiag.options")
  private List<String> options;

  /** Lets NO_DATA pass, with a warning. */
  @Parameter(property = "vtdiag.allowNoData", defaultValue = "false")
  private boolean allowNoData;

  /** Whether the build fails; else the verdict is only told. */
  @Parameter(property = "vtdiag.haltOnFailure", defaultValue = "true")
  private boolean haltOnFailure;

  /** The home of a JDK, 21 or later, that runs vtdiag, where Maven itself runs on an older one. */
  @Parameter(property = "vtdiag.jdk")
  private File jdk;

  /** Leaves out this goal. */
  @Parameter(property = "vtdiag.skip", defaultValue = "false")
  private boolean skip;

  /** Maven's own switches: where no test ran there is nothing to judge, and a warning says so. */
  @Parameter(property = "skipTests", defaultValue = "false", readonly = true)
  private boolean skipTests;

  @Parameter(property = "maven.test.skip", defaultValue = "false", readonly = true)
  private boolean skipCompilingTests;

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    if (skip) {
      getLog().info("vtdiag: skipped (vtdiag.skip)");
      return;
    }
    if (project.getPackaging().equals("pom")) {
      getLog().info("vtdiag: nothing to check, the project has no code of its own");
      return;
    }
    if (skipTests || skipCompilingTests) {
      getLog().warn("vtdiag: NOT CHECKED: the tests were skipped");
      return;
    }
    List<String> limits = limits();
    List<File> recordings = Recordings.in(directory);
    if (recordings.isEmpty()) {
      noData("NO_DATA  no recording in " + directory);
      return;
    }
    List<String> command = new ArrayList<>();
    command.add(JavaToRun.find(jdk, toolchains, session).getPath());
    command.addAll(Arrays.asList("-jar", CarriedJars.commandLine(directory).getPath(), "gate"));
    command.addAll(limits);
    for (File recording : recordings) {
      command.add(recording.getPath());
    }
    judge(command);
  }

  private List<String> limits() throws MojoExecutionException {
    List<String> limits = new ArrayList<>();
    add(limits, "--max-pin", maxPin);
    add(limits, "--max-total", maxTotal);
    add(limits, "--max-count", maxCount);
    add(limits, "--max-capacity-lost", maxCapacityLost);
    if (options != null) {
      limits.addAll(options);
    }
    if (limits.isEmpty()) {
      throw new MojoExecutionException(
          "no limit given; configure <maxPin>50ms</maxPin>, <maxTotal>, <maxCount> or"
              + " <maxCapacityLost>");
    }
    return limits;
  }

  private static void add(List<String> to, String option, String value) {
    if (value != null && !value.trim().isEmpty()) {
      to.add(option + "=" + value.trim());
    }
  }

  private void judge(List<String> command) throws MojoExecutionException, MojoFailureException {
    getLog().debug("vtdiag: " + command);
    StringBuilder said = new StringBuilder();
    int exit;
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(project.getBasedir())
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), Charset.defaultCharset()))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          said.append(said.length() == 0 ? "" : System.lineSeparator()).append(line);
        }
      }
      exit = process.waitFor();
    } catch (IOException e) {
      throw new MojoExecutionException("vtdiag cannot be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MojoExecutionException("interrupted while vtdiag ran", e);
    }
    switch (exit) {
      case PASS:
        getLog().info("vtdiag: " + said);
        break;
      case FAIL:
        fail(said.toString());
        break;
      case NO_DATA:
        noData(said.toString());
        break;
      default:
        throw new MojoExecutionException("vtdiag gate ended with " + exit + ": " + said);
    }
  }

  private void noData(String verdict) throws MojoFailureException {
    String whatToDo =
        System.lineSeparator()
            + "Were tests run, on Java 21 or later, after vtdiag:prepare-agent? If Surefire's"
            + " configuration has an <argLine>, it needs @{argLine} in it; with forkCount 0 there"
            + " is no JVM to record.";
    if (allowNoData) {
      getLog().warn("vtdiag: " + verdict + whatToDo);
    } else {
      fail(verdict + whatToDo);
    }
  }

  private void fail(String verdict) throws MojoFailureException {
    if (haltOnFailure) {
      throw new MojoFailureException("vtdiag: " + verdict);
    }
    getLog().error("vtdiag: " + verdict);
  }
}
