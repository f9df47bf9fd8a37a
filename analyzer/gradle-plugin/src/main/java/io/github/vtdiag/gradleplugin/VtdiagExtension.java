package io.github.vtdiag.gradleplugin;

import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.file.RegularFileProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.provider.SetProperty;
import org.gradle.jvm.toolchain.JavaLauncher;

/** The block <code>vtdiag { ... }</code> of a build script. */
public interface VtdiagExtension extends GateLimits {
  /** Returns the names of the test tasks that are recorded and judged: <code>test</code>. */
  SetProperty<String> getTests();

  /** Returns more options of the agent, such as <code>threshold=0,samples=100</code>. */
  Property<String> getAgentOptions();

  /**
   * Returns the policy. Without it, <code>vtdiag.yml</code> beside the build script, or else in the
   * root project's folder, if there is one. The limits here override its limits.
   */
  RegularFileProperty getPolicy();

  /** Returns the output of <code>vtdiag baseline</code>: new or worse findings fail. */
  RegularFileProperty getBaseline();

  /**
   * Returns the reports to write: <code>junit</code>, <code>sarif</code>, <code>summary</code>,
   * <code>code-quality</code>, <code>json</code>, <code>html</code>.
   */
  ListProperty<String> getFormats();

  /** Returns the folder of these reports. */
  DirectoryProperty getReportDirectory();

  /** Returns more options of <code>vtdiag gate</code>, each as on the command line. */
  ListProperty<String> getOptions();

  /** Returns whether NO_DATA passes, with a warning. */
  Property<Boolean> getAllowNoData();

  /** Returns whether a failure ends the build; otherwise the verdict is only printed. */
  Property<Boolean> getHaltOnFailure();

  /** Returns the Java, 21 or later, that reads the recordings. */
  Property<JavaLauncher> getJavaLauncher();
}
