package io.github.vtdiag.mavenplugin;

import java.io.File;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Component;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.ToolchainManager;

/**
 * Fails the build if the tests' recordings break a limit, or could not have shown that one is
 * broken, as <code>vtdiag gate</code> does.
 */
@Mojo(
    name = "check",
    defaultPhase = LifecyclePhase.VERIFY,
    requiresDependencyResolution = ResolutionScope.TEST,
    threadSafe = true)
@SuppressWarnings("unused") // limits(), which goes over the fields, reads these
public final class CheckMojo extends AbstractMojo {
  private static final int PASS = 0;
  private static final int FAIL = 1;
  private static final int NO_DATA = 4;

  private static final String POLICY = "vtdiag.yml";

  @Parameter(defaultValue = "${project}", readonly = true, required = true)
  private MavenProject project;

  @Parameter(defaultValue = "${session}", readonly = true, required = true)
  private MavenSession session;

  @Component private ToolchainManager toolchains;

  /** The folder of the recordings. */
  @Parameter(
      property = "vtdiag.directory",
      defaultValue = "${project.build.directory}/vtdiag",
      required = true)
  private File directory;

  /** The longest that a single pin may be, such as <code>50ms</code>. */
  @Parameter(property = "vtdiag.maxPin")
  private String maxPin;

  /** The longest that all pins may be together. */
  @Parameter(property = "vtdiag.maxTotal")
  private String maxTotal;

  /** The most pins that are allowed. */
  @Parameter(property = "vtdiag.maxCount")
  private String maxCount;

  /** The share of all carrier time that may be pinned, such as <code>5%</code>. */
  @Parameter(property = "vtdiag.maxCapacityLost")
  private String maxCapacityLost;

  /** The most pins per minute, such as <code>60</code>. */
  @Parameter(property = "vtdiag.maxRate")
  private String maxRate;

  /** The most virtual threads that may be queued for a carrier, on average. */
  @Parameter(property = "vtdiag.maxQueue")
  private String maxQueue;

  /** The share of the time in which virtual threads may be queued while all carriers compute. */
  @Parameter(property = "vtdiag.maxMonopolized")
  private String maxMonopolized;

  /** The least share of all carrier time that has to be idle. */
  @Parameter(property = "vtdiag.minIdle")
  private String minIdle;

  /** The longest that a thread, virtual or not, may have waited for another one at the end. */
  @Parameter(property = "vtdiag.maxStall")
  private String maxStall;

  /**
   * The policy. Without it, <code>vtdiag.yml</code> beside the POM, or else at the top of the
   * multi-module project, if there is one. The limits here override its limits.
   */
  @Parameter(property = "vtdiag.policy")
  private File policy;

  /** The output of <code>vtdiag baseline</code>: new or worse findings fail. */
  @Parameter(property = "vtdiag.baseline")
  private File baseline;

  /**
   * Reports to write: <code>junit</code>, <code>sarif</code>, <code>summary</code>, <code>
   * code-quality</code>, <code>json</code>, <code>html</code>.
   */
  @Parameter(property = "vtdiag.formats")
  private List<String> formats;

  /** The folder of these reports. */
  @Parameter(
      property = "vtdiag.reportDirectory",
      defaultValue = "${project.build.directory}/vtdiag",
      required = true)
  private File reportDirectory;

  /**
   * More options of <code>vtdiag gate</code>, each as on the command line: <code>--strict</code>,
   * <code>--explain</code>.
   */
  @Parameter(property = "vtdiag.options")
  private List<String> options;

  /** Lets NO_DATA pass, with a warning. */
  @Parameter(property = "vtdiag.allowNoData", defaultValue = "false")
  private boolean allowNoData;

  /** Ends the build on a failure; otherwise the verdict is only printed. */
  @Parameter(property = "vtdiag.haltOnFailure", defaultValue = "true")
  private boolean haltOnFailure;

  /** The home of a JDK, 21 or later, that runs vtdiag, if Maven itself runs on an older one. */
  @Parameter(property = "vtdiag.jdk")
  private File jdk;

  /** Skips this goal. */
  @Parameter(property = "vtdiag.skip", defaultValue = "false")
  private boolean skip;

  /** Maven's own switches: if no test ran there is nothing to judge, and a warning says so. */
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
    List<ReportFormat> reports = ReportFormat.named(formats);
    InvocationFolder folder = folder();
    List<String> inputs = new ArrayList<>();
    for (File recording : ForkRecordings.in(directory)) {
      inputs.add(recording.getPath());
    }
    if (inputs.isEmpty() && isWithoutTests()) {
      getLog().warn("vtdiag: NOT CHECKED: this module has no tests, and no recording");
      return;
    }
    if (inputs.isEmpty() && reports.isEmpty()) {
      noData("NO_DATA  no recording in " + directory);
      return;
    }
    String java = JavaToRun.find(jdk, toolchains, session).getPath();
    String jar = CarriedJars.commandLine(directory).getPath();
    List<String> program = Arrays.asList(java, "-jar", jar);
    ModuleCode code = new ModuleCode(project, session);
    List<String> all = code.places();
    List<String> places = new ArrayList<>(reports.isEmpty() ? Collections.emptyList() : all);
    places.addAll(code.ownGroups());
    places.add("--typed-in=" + folder.typed());
    List<String> gate = new ArrayList<>(program);
    gate.add("gate");
    gate.addAll(limits);
    for (ReportFormat format : reports) {
      if (format.isPage()) {
        page(program, places, format, inputs);
      } else {
        gate.add(format.option() + "=" + format.in(reportDirectory).getPath());
      }
    }
    gate.addAll(places);
    all.addAll(code.ownGroups());
    for (String option : all) {
      gate.add("--advise-with=" + option.substring("--".length()));
    }
    gate.addAll(inputs.isEmpty() ? Arrays.asList(directory.getPath()) : inputs);
    if (!reports.isEmpty()) {
      // Printed before the verdict, which may end the build.
      getLog().info("vtdiag: reports are in " + folder.path(reportDirectory));
    }
    judge(gate);
  }

  /**
   * Returns whether nothing can have run here: a module of a large build that has code for others,
   * or only resources. Recordings in another folder were made elsewhere, and have to exist.
   */
  private boolean isWithoutTests() {
    File usual = new File(project.getBuild().getDirectory(), "vtdiag");
    String[] tests = new File(project.getBuild().getTestOutputDirectory()).list();
    return directory.equals(usual) && (tests == null || tests.length == 0);
  }

  private InvocationFolder folder() {
    // With -f the POM is elsewhere.
    String typed = session.getSystemProperties().getProperty("user.dir");
    return new InvocationFolder(typed == null ? session.getExecutionRootDirectory() : typed);
  }

  /** Writes the page of the recordings, whatever the verdict is. */
  private void page(
      List<String> program, List<String> places, ReportFormat format, List<String> inputs)
      throws MojoExecutionException {
    File page = format.in(reportDirectory);
    // The page of an earlier build would be taken for that of this one.
    if (page.exists() && !page.delete()) {
      getLog().warn("vtdiag: " + page + " is of an earlier build, and cannot be deleted");
    }
    if (inputs.isEmpty() || !(reportDirectory.isDirectory() || reportDirectory.mkdirs())) {
      return;
    }
    List<String> command = new ArrayList<>(program);
    command.addAll(Arrays.asList("report", "-q", "-o", page.getPath()));
    command.addAll(places);
    command.addAll(inputs);
    CommandRun ran = run(command);
    if (ran.exit != 0) {
      // A fork that died leaves an empty file: the verdict says so.
      getLog().warn("vtdiag: no page: " + ran.said);
    }
  }

  private List<String> limits() throws MojoExecutionException {
    List<String> limits = new ArrayList<>();
    for (Field field : CheckMojo.class.getDeclaredFields()) {
      if (isLimit(field)) {
        add(limits, option(field), limit(field));
      }
    }
    add(limits, "--baseline", baseline == null ? null : baseline.getPath());
    if (options != null) {
      limits.addAll(options);
    }
    File found = policy();
    if (limits.isEmpty() && found == null) {
      throw new MojoExecutionException(
          "no limit given; configure <maxPin>50ms</maxPin>, <baseline>, or a policy, "
              + POLICY
              + " beside the POM");
    }
    add(limits, "--policy", found == null || isOwn(found) ? null : found.getPath());
    return limits;
  }

  /**
   * Returns whether a field is a limit. Maven reads the parameters off the fields, so they are the
   * list.
   */
  static boolean isLimit(Field field) {
    return field.getName().matches("(max|min)[A-Z]\\w*");
  }

  /** Returns {@code --max-pin} for {@code maxPin}. */
  static String option(Field field) {
    return "--" + field.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private String limit(Field field) throws MojoExecutionException {
    try {
      return (String) field.get(this);
    } catch (IllegalAccessException e) {
      throw new MojoExecutionException("cannot read " + field.getName(), e);
    }
  }

  /**
   * Returns the policy to use; null if there is none. The gate finds the one beside the POM by
   * itself.
   */
  private File policy() {
    if (policy != null) {
      return policy;
    }
    if (options != null && options.contains("--no-policy")) {
      return null;
    }
    File own = new File(project.getBasedir(), POLICY);
    File common = new File(session.getRequest().getMultiModuleProjectDirectory(), POLICY);
    return own.isFile() ? own : common.isFile() ? common : null;
  }

  private boolean isOwn(File policy) {
    return policy.equals(new File(project.getBasedir(), POLICY));
  }

  private static void add(List<String> to, String option, String value) {
    if (value != null && !value.trim().isEmpty()) {
      to.add(option + "=" + value.trim());
    }
  }

  private void judge(List<String> command) throws MojoExecutionException, MojoFailureException {
    CommandRun ran = run(command);
    switch (ran.exit) {
      case PASS:
        getLog().info("vtdiag: " + ran.said);
        break;
      case FAIL:
        fail(ran.said);
        break;
      case NO_DATA:
        noData(ran.said);
        break;
      default:
        throw new MojoExecutionException("vtdiag gate ended with " + ran.exit + ": " + ran.said);
    }
  }

  /** Runs vtdiag in the module's folder, for which relative paths in its options are. */
  private CommandRun run(List<String> command) throws MojoExecutionException {
    getLog().debug("vtdiag: " + command);
    return CommandRun.of(command, project.getBasedir());
  }

  private void noData(String verdict) throws MojoFailureException {
    String whatToDo =
        System.lineSeparator()
            + "Were tests run, on Java 21 or later, after vtdiag:prepare-agent? If Surefire's"
            + " configuration has an <argLine>, it needs @{argLine} in it; with forkCount 0 there"
            + " is no JVM to record. <skip>true</skip> (-Dvtdiag.skip) leaves this module out;"
            + " <allowNoData>true</allowNoData> (-Dvtdiag.allowNoData) lets NO_DATA pass.";
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
