package io.github.vtdiag.maven;

import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;

/** Where a version of a library is in a repository. */
record Place(Name name, String version) {

  /** What a library is called. */
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
