package io.github.vtdiag.safety;

import java.util.Set;

/** The classes that have to move with chosen ones, so that no object is locked in two ways. */
public sealed interface Together {

  /**
   * The classes that move together: no other class locks what these do.
   *
   * @param names with dots; the chosen ones that lock are among them
   */
  record Classes(Set<String> names) implements Together {
    public Classes {
      names = Set.copyOf(names);
    }
  }

  /**
   * It is not known where else their objects are locked.
   *
   * @param reason one clause for the user that names the place
   */
  record Unknown(String reason) implements Together {}
}
