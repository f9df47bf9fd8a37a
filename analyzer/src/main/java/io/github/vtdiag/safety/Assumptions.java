package io.github.vtdiag.safety;

import java.util.List;
import java.util.Set;

/**
 * The assumptions of an analysis: facts that no class file can show.
 *
 * @param clients whether code that is not on the class path uses these classes
 * @param trustedSites places of which the user says that they lock none of the objects in question
 * @param notShared classes (with dots) of whose instances the user says that only the known sites
 *     lock them
 */
public record Assumptions(Clients clients, List<TrustedSite> trustedSites, Set<String> notShared) {

  /** The class path is the whole program, and nothing else is taken on trust. */
  public static final Assumptions WHOLE_PROGRAM =
      new Assumptions(Clients.NONE, List.of(), Set.of());

  /** Code that is not on the class path and uses the classes that are. */
  public enum Clients {
    /** The class path is the whole program; no other code uses it. */
    NONE,
    /** Unseen code uses the classes: the sources are those of a library. */
    UNSEEN
  }

  /** The methods of one name in a class; the class's name has dots. */
  public record TrustedSite(String type, String method) {
    /** Returns the text as the user writes it. */
    public String text() {
      return type + "#" + method;
    }
  }

  public Assumptions {
    trustedSites = List.copyOf(trustedSites);
    notShared = Set.copyOf(notShared);
  }
}
