package io.github.vtdiag.cli;

import io.github.vtdiag.owner.NameList;
import java.util.List;
import java.util.Set;

/** The classes of HTTP servers, by which a recording shows that its program is one. */
final class HttpServers {
  private static final List<String> PREFIXES =
      NameList.beside(HttpServers.class, "http-servers.txt");

  private HttpServers() {}

  /**
   * Returns whether a virtual thread served an HTTP request.
   *
   * @param classes the classes on the stacks of virtual threads
   */
  static boolean areIn(Set<String> classes) {
    return classes.stream().anyMatch(name -> PREFIXES.stream().anyMatch(name::startsWith));
  }
}
