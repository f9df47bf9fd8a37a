package io.github.vtdiag.cli;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.program.NameList;
import java.util.List;

/** The classes of HTTP servers, by which a recording shows that its program is one. */
final class HttpServers {
  private static final List<String> PREFIXES =
      NameList.beside(HttpServers.class, "http-servers.txt");

  private HttpServers() {}

  /** Returns whether a thread that was pinned served an HTTP request. */
  static boolean areIn(Findings findings) {
    return findings.pins().stream()
        .map(Pin::stack)
        .flatMap(stack -> stack.frames().stream())
        .map(frame -> frame.type().name())
        .anyMatch(name -> PREFIXES.stream().anyMatch(name::startsWith));
  }
}
