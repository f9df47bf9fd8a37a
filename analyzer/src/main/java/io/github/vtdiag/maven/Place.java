package io.github.vtdiag.maven;

import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;

/** The place of a version of a library in a repository. */
record Place(Name name, String version) {

  /** The name of a library. */
  record Name(String group, String artifact) {
    String text() {
      return group + ":" + artifact;
    }
  }

  Artifact artifact(String extension) {
    return new DefaultArtifact(name.group(), name.artifact(), extension, version);
  }

  String text() {
    return name.text() + " " + version;
  }
}
