package io.github.vtdiag.mavenplugin;

import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.execution.ProjectDependencyGraph;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.project.MavenProject;

/** The code that a module's tests run, as options of the command line. */
final class ModuleCode {
  private final MavenProject project;
  private final MavenSession session;

  ModuleCode(MavenProject project, MavenSession session) {
    this.project = project;
    this.session = session;
  }

  /**
   * Returns the options for the classes and their sources: reports then have the lines, and the
   * fixes.
   */
  List<String> places() throws MojoExecutionException {
    List<String> places = new ArrayList<>();
    List<String> classPath = new ArrayList<>();
    try {
      for (String element : project.getTestClasspathElements()) {
        if (new File(element).exists()) {
          classPath.add(element);
        }
      }
    } catch (DependencyResolutionRequiredException e) {
      throw new MojoExecutionException("vtdiag: " + e.getMessage(), e);
    }
    if (!classPath.isEmpty()) {
      places.add("--classpath=" + String.join(File.pathSeparator, classPath));
    }
    List<String> roots = new ArrayList<>(project.getCompileSourceRoots());
    roots.addAll(project.getTestCompileSourceRoots());
    // Its tests run the code of these modules, too.
    for (MavenProject module : upstream()) {
      roots.addAll(module.getCompileSourceRoots());
    }
    for (String root : roots) {
      if (new File(root).isDirectory()) {
        places.add("--sources=" + root);
      }
    }
    return places;
  }

  private List<MavenProject> upstream() {
    ProjectDependencyGraph graph = session.getProjectDependencyGraph();
    return graph == null ? new ArrayList<>() : graph.getUpstreamProjects(project, true);
  }

  /**
   * Returns the groups of the build: its modules are one application, wherever Maven takes their
   * jars from.
   */
  Set<String> ownGroups() {
    Set<String> groups = new LinkedHashSet<>();
    groups.add("--own=" + project.getGroupId() + ":*");
    for (MavenProject module : session.getProjects()) {
      groups.add("--own=" + module.getGroupId() + ":*");
    }
    return groups;
  }
}
