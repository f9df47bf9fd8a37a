package io.github.vtdiag.program;

import io.github.vtdiag.locksite.JarContents;

/** Owners of classes of a recording of this machine, whose agent told what the jars were. */
final class LoadedFrom {
  private LoadedFrom() {}

  static Owner owner(String location, String className) {
    return new CodeLocations().owner(location, JarContents.of(location), className);
  }
}
