package io.github.vtdiag.page;

import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Identities;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** What findings are called in the address of a place on the page: their fingerprints. */
final class Anchors {
  private final Identities identities;
  private final Set<String> taken = new HashSet<>();

  Anchors(Findings findings) {
    identities = Identities.of(findings);
  }

  /** That of a pin finding, which no other has. */
  String of(Pin finding) {
    return identities.of(finding).fingerprint();
  }

  /** That of what is no pin; empty if another recording has the same, which stands above. */
  Optional<String> ofFirst(Behavior other) {
    return Optional.of(identities.of(other).fingerprint()).filter(taken::add);
  }
}
