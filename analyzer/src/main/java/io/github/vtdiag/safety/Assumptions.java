package io.github.vtdiag.safety;

import java.util.List;
import java.util.Set;

/**
 * What is taken for granted because no class file can tell it.
 *
 * @param clients whether code that is not on the class path uses these classes
 * @param trustedSites places of which the user says that they lock none of the objects in question
 * @param notShared classes (with dots) of whose instances the user says that nobody locks them but
 *     the sites that are known to
 */
public record Assumptions(Clients clients, List<TrustedSite> trustedSites, Set<String> notShared) {

  /** The class path is the whole program, and nothing else is taken on trust. */
  public static final Assumptions WHOLE_PROGRAM =
      new Assumptions(Clients.NONE, List.of(), Set.of());

  /** Code that is not on the class path and uses the classes that are. */
  public enum Clients {
    /** There is none: the class path is the whole program. */
    NONE,
    /** There is, and nobody sees it: the sources are those of a library. */
    UNSEEN
  }

  /** All methods of a name in a class; the class's name has dots. */
  public record TrustedSite(String type, String method) {
    /** As the user writes it. */
    public String text() {
      return type + "#" + method;
    }
  }

  public Assumptions {
    trustedSites = List.copyOf(trustedSites);
    notShared = Set.copyOf(notShared);
  }
}
