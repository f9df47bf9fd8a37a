package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.FindingKind;
import io.github.vtdiag.analysis.HangKind;
import io.github.vtdiag.analysis.PinKind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All kinds of findings, for code that parses their names or lists them. */
public final class FindingKinds {
  private FindingKinds() {}

  /** Returns every kind, hangs first. */
  public static List<FindingKind> all() {
    return Stream.<FindingKind[]>of(
            HangKind.values(), PinKind.values(), WaitKind.values(), MisuseKind.values())
        .flatMap(Stream::of)
        .toList();
  }

  /** Returns the kind of this name, out of those that a baseline stores beside the pins. */
  public static Optional<FindingKind> named(String name) {
    return all().stream()
        .filter(kind -> !(kind instanceof PinKind))
        .filter(kind -> kind.name().equals(name))
        .findFirst();
  }
}
