package io.github.vtdiag.gradleplugin;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.gradle.api.GradleException;
import org.gradle.api.JavaVersion;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.artifacts.Configuration;
import org.gradle.api.file.Directory;
import org.gradle.api.file.FileCollection;
import org.gradle.api.file.RegularFile;
import org.gradle.api.plugins.JavaBasePlugin;
import org.gradle.api.plugins.JavaPlugin;
import org.gradle.api.plugins.JavaPluginExtension;
import org.gradle.api.provider.Provider;
import org.gradle.api.tasks.JavaExec;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.api.tasks.testing.Test;
import org.gradle.jvm.toolchain.JavaLanguageVersion;
import org.gradle.jvm.toolchain.JavaToolchainService;
import org.gradle.language.base.plugins.LifecycleBasePlugin;
import org.gradle.process.JavaForkOptions;

/**
 * Records the tests of a project with vtdiag's agent, and adds the task <code>vtdiagGate</code>,
 * which judges the recordings.
 */
public final class VtdiagPlugin implements Plugin<Project> {
  private static final String NAME = "vtdiag";
  private static final int OLDEST = 21;

  @Override
  public void apply(Project project) {
    project.getPluginManager().apply(JavaBasePlugin.class);
    VtdiagExtension settings = project.getExtensions().create(NAME, VtdiagExtension.class);
    setConventions(project, settings);
    Configuration agent = tool(project, "vtdiagAgent", "vtdiag-agent", "The agent of vtdiag.");
    Configuration cli = tool(project, "vtdiagTool", "vtdiag-cli", "The command line of vtdiag.");
    project
        .getTasks()
        .withType(Test.class)
        .configureEach(
            test -> {
              RecordedTask recorded = record(project, settings, agent, test, test);
              recorded
                  .getEnabled()
                  .convention(settings.getTests().map(names -> names.contains(test.getName())));
              // A result of the tests like any other: kept while they are up to date, and by the
              // build cache.
              test.getOutputs().dir(recorded.getDirectory()).withPropertyName("vtdiagRecordings");
              test.doFirst("make a fresh folder", new RecordingFolder(recorded, true));
            });
    project
        .getTasks()
        .withType(JavaExec.class)
        .configureEach(
            run -> {
              RecordedTask recorded = record(project, settings, agent, run, run);
              recorded.getEnabled().convention(false);
              run.doFirst("make the folder", new RecordingFolder(recorded, false));
            });
    TaskProvider<GateTask> gate = addGate(project, settings, cli);
    project
        .getTasks()
        .named(LifecycleBasePlugin.CHECK_TASK_NAME)
        .configure(check -> check.dependsOn(gate));
  }

  private static void setConventions(Project project, VtdiagExtension settings) {
    settings
        .getTests()
        .convention(
            project.provider(
                () ->
                    project.getTasks().getNames().contains(JavaPlugin.TEST_TASK_NAME)
                        ? Collections.singleton(JavaPlugin.TEST_TASK_NAME)
                        : Collections.emptySet()));
    settings.getAllowNoData().convention(false);
    settings.getHaltOnFailure().convention(true);
    settings
        .getReportDirectory()
        .convention(project.getLayout().getBuildDirectory().dir("reports/vtdiag"));
    File root = project.getRootDir();
    settings
        .getPolicy()
        .convention(
            project
                .getLayout()
                .file(
                    project.provider(
                        () -> policy(project.getLayout().getProjectDirectory(), root))));
    JavaToolchainService toolchains = project.getExtensions().getByType(JavaToolchainService.class);
    Provider<JavaLanguageVersion> chosen =
        project
            .getExtensions()
            .getByType(JavaPluginExtension.class)
            .getToolchain()
            .getLanguageVersion();
    settings
        .getJavaLauncher()
        .convention(
            toolchains.launcherFor(
                spec ->
                    spec.getLanguageVersion()
                        .set(project.provider(() -> version(chosen.getOrNull())))));
  }

  /** Returns the policy beside the build script or at the top; null if there is none. */
  private static File policy(Directory here, File root) {
    RegularFile own = here.file("vtdiag.yml");
    File common = new File(root, "vtdiag.yml");
    return own.getAsFile().isFile() ? own.getAsFile() : common.isFile() ? common : null;
  }

  /** Returns the version of the Java that reads recordings: the project's, Gradle's, or 21. */
  private static JavaLanguageVersion version(JavaLanguageVersion chosen) {
    if (chosen != null && chosen.asInt() >= OLDEST) {
      return chosen;
    }
    int here = Integer.parseInt(JavaVersion.current().getMajorVersion());
    return JavaLanguageVersion.of(Math.max(here, OLDEST));
  }

  /**
   * Adds a configuration with an artifact of the plugin's own version, from the repositories of the
   * project.
   */
  private static Configuration tool(
      Project project, String name, String artifact, String description) {
    return project
        .getConfigurations()
        .create(
            name,
            tool -> {
              tool.setDescription(description);
              tool.setCanBeConsumed(false);
              tool.defaultDependencies(
                  dependencies ->
                      dependencies.add(
                          project
                              .getDependencies()
                              .create("io.github.vtdiag:" + artifact + ":" + version())));
            });
  }

  private static String version() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                VtdiagPlugin.class.getResourceAsStream("version.txt"), StandardCharsets.UTF_8))) {
      return lines.readLine();
    } catch (IOException e) {
      throw new GradleException("vtdiag: cannot read the version of the plugin", e);
    }
  }

  private static RecordedTask record(
      Project project,
      VtdiagExtension settings,
      FileCollection agent,
      Task task,
      JavaForkOptions process) {
    // Not by create: a task's container has no services to make properties with.
    RecordedTask recorded = project.getObjects().newInstance(RecordedTask.class);
    task.getExtensions().add(RecordedTask.class, NAME, recorded);
    recorded.getAgentOptions().convention(settings.getAgentOptions());
    recorded
        .getDirectory()
        .convention(project.getLayout().getBuildDirectory().dir("vtdiag/" + task.getName()));
    AgentArguments arguments = project.getObjects().newInstance(AgentArguments.class);
    arguments.getAgent().from(agent);
    arguments.getEnabled().set(recorded.getEnabled());
    arguments.getOptions().set(recorded.getAgentOptions());
    arguments.getDirectory().set(recorded.getDirectory());
    process.getJvmArgumentProviders().add(arguments);
    return recorded;
  }

  private static TaskProvider<GateTask> addGate(
      Project project, VtdiagExtension settings, FileCollection cli) {
    Provider<List<TaskProvider<Test>>> tests =
        settings
            .getTests()
            .map(
                names -> {
                  List<TaskProvider<Test>> tasks = new ArrayList<>();
                  for (String name : names) {
                    tasks.add(project.getTasks().named(name, Test.class));
                  }
                  return tasks;
                });
    return project
        .getTasks()
        .register(
            "vtdiagGate",
            GateTask.class,
            gate -> {
              gate.setGroup(LifecycleBasePlugin.VERIFICATION_GROUP);
              gate.setDescription("Fails if virtual threads broke a limit while the tests ran.");
              gate.getOutputs().upToDateWhen(task -> false);
              gate.dependsOn(tests);
              gate.getRecordings().from(tests.map(VtdiagPlugin::recordings));
              gate.getTestClasses().from(tests.map(all -> each(all, Test::getTestClassesDirs)));
              gate.getClasspath().from(tests.map(all -> each(all, Test::getClasspath)));
              gate.getSources().from(project.provider(() -> sources(project)));
              gate.getTool().from(cli);
              gate.getJavaLauncher().set(settings.getJavaLauncher());
              gate.getLimits().set(project.provider(() -> LimitOptions.of(settings)));
              gate.getPolicy().set(settings.getPolicy());
              gate.getBaseline().set(settings.getBaseline());
              gate.getOwnGroup().set(project.provider(() -> project.getGroup().toString()));
              gate.getFormats().set(settings.getFormats());
              gate.getOptions().set(settings.getOptions());
              gate.getAllowNoData().set(settings.getAllowNoData());
              gate.getHaltOnFailure().set(settings.getHaltOnFailure());
              gate.getReportDirectory().set(settings.getReportDirectory());
              gate.getWorkingDirectory().set(project.getLayout().getProjectDirectory());
              gate.getInvocationDirectory()
                  .set(
                      project
                          .getLayout()
                          .dir(project.getProviders().systemProperty("user.dir").map(File::new)));
            });
  }

  private static List<Object> recordings(List<TaskProvider<Test>> tests) {
    return each(tests, test -> test.getExtensions().getByType(RecordedTask.class).getDirectory());
  }

  private static List<Object> each(List<TaskProvider<Test>> tests, Function<Test, Object> value) {
    List<Object> values = new ArrayList<>();
    for (TaskProvider<Test> test : tests) {
      values.add(value.apply(test.get()));
    }
    return values;
  }

  private static List<FileCollection> sources(Project project) {
    List<FileCollection> roots = new ArrayList<>();
    for (SourceSet set :
        project.getExtensions().getByType(JavaPluginExtension.class).getSourceSets()) {
      roots.add(
          set.getAllSource()
              .getSourceDirectories()
              .minus(set.getResources().getSourceDirectories()));
    }
    return roots;
  }
}
