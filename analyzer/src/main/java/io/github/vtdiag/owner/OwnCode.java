package io.github.vtdiag.owner;

import io.github.vtdiag.model.Launch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The facts that identify the application's own code, beside those in the jars.
 *
 * @param launches how the JVMs were started
 * @param hasSource whether the user has the source of a class, by its name with dots
 * @param names the packages and libraries that the user calls own
 */
public record OwnCode(List<Launch> launches, Predicate<String> hasSource, List<Name> names) {
  /** Only the facts in the jars. */
  public static final OwnCode UNTOLD = new OwnCode(List.of(), name -> false, List.of());

  /** A package or library that the user calls own. */
  public sealed interface Name {

    /** A package, including those below it. */
    record InPackage(String name) implements Name {}

    /**
     * A library.
     *
     * @param artifact the artifact id; {@code *} for all of the group
     */
    record Library(String group, String artifact) implements Name {}

    /** Reads {@code com.acme} or {@code com.acme:shop}; empty if it is neither. */
    static Optional<Name> of(String text) {
      if (text.matches("[\\w.-]+:([\\w.-]+|\\*)")) {
        int colon = text.indexOf(':');
        return Optional.of(new Library(text.substring(0, colon), text.substring(colon + 1)));
      }
      return text.matches("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*")
          ? Optional.of(new InPackage(text))
          : Optional.empty();
    }

    /**
     * Returns whether a class is in the package or library. {@code told} is the owner that its jar
     * tells.
     */
    default boolean has(Owner told, String className) {
      return switch (this) {
        case InPackage(String name) -> PackageRoot.isInside(className, name);
        case Library(String group, String artifact) ->
            told instanceof Owner.Library(Coordinates library, String location)
                && library.group().equals(group)
                && (artifact.equals("*") || library.artifact().equals(artifact));
      };
    }
  }

  public OwnCode {
    launches = List.copyOf(launches);
    names = List.copyOf(names);
  }

  /** Returns the same, for programs that were also started in these ways. */
  public OwnCode startedAs(Collection<Launch> more) {
    List<Launch> all = new ArrayList<>(launches);
    more.stream()
        .filter(launch -> !launch.equals(Launch.UNKNOWN) && !all.contains(launch))
        .forEach(all::add);
    return new OwnCode(all, hasSource, names);
  }

  /** Returns whether the user says that a class is own. */
  boolean isNamed(Owner told, String className) {
    return hasSource.test(className) || names.stream().anyMatch(name -> name.has(told, className));
  }
}
