package io.github.vtdiag.junit.inside;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import java.util.List;
import java.util.Optional;

/** The owners that are named in an annotation. */
record OwnerNames(List<String> names) {

  OwnerNames {
    names = List.copyOf(names);
    for (String name : names) {
      if (!name.matches("[\\p{L}_$][\\w.$-]*(:[\\w.-]+)?")) {
        throw new IllegalArgumentException(
            "'"
                + name
                + "' is no owner; write application, library, jdk, a package such as com.example,"
                + " or group:artifact");
      }
    }
  }

  boolean has(Pin finding) {
    return names.isEmpty() || names.stream().anyMatch(name -> isOf(finding, name));
  }

  private static boolean isOf(Pin finding, String name) {
    Owner owner = finding.caller().map(Pin.Caller::owner).orElse(finding.owner());
    return switch (name) {
      case "application" -> owner instanceof Owner.Application;
      case "library" -> owner instanceof Owner.Library || owner instanceof Owner.UnknownJar;
      case "jdk" -> owner instanceof Owner.Jdk;
      case String library when library.contains(":") ->
          coordinates(owner)
              .filter(jar -> (jar.group() + ":" + jar.artifact()).equals(library))
              .isPresent();
      case String prefix ->
          finding
              .place()
              .filter(frame -> (frame.type().name() + ".").startsWith(prefix + "."))
              .isPresent();
    };
  }

  /** Returns the coordinates of a library, or of a module of the application. */
  private static Optional<Coordinates> coordinates(Owner owner) {
    return switch (owner) {
      case Owner.Library library -> Optional.of(library.coordinates());
      case Owner.Application application -> application.coordinates();
      case Owner.Jdk jdk -> Optional.empty();
      case Owner.UnknownJar unknown -> Optional.empty();
    };
  }
}
