package io.github.vtdiag.program;

import io.github.vtdiag.locksite.JarContents;
import io.github.vtdiag.model.JarContent;
import io.github.vtdiag.owner.CodeLocations;
import io.github.vtdiag.owner.Owner;
import java.util.function.Function;

/** Owners of classes of a recording of this machine, whose agent told what the jars were. */
final class LoadedFrom {
  private LoadedFrom() {}

  static Owner owner(String location, String className) {
    return owners(location).apply(className);
  }

  /** The owners of classes by name. The jar is read once for all of them. */
  static Function<String, Owner> owners(String location) {
    CodeLocations locations = new CodeLocations(true);
    JarContent content = JarContents.of(location);
    return className -> locations.owner(location, content, className);
  }
}
