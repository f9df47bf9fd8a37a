package io.github.vtdiag.page;

import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Identities;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The anchors of findings on the page: their fingerprints. */
final class Anchors {
  private final Identities identities;
  private final Set<String> taken = new HashSet<>();

  Anchors(Findings findings) {
    identities = Identities.of(findings);
  }

  /** Returns the anchor of a pin finding, which no other has. */
  String of(Pin finding) {
    return identities.of(finding).fingerprint();
  }

  /** Returns the anchor of a wait or misuse, or of the same one of another recording. */
  String of(Behavior other) {
    return identities.of(other).fingerprint();
  }

  /** Returns the anchor of a wait or misuse; empty if one of another recording already has it. */
  Optional<String> ofFirst(Behavior other) {
    return Optional.of(of(other)).filter(taken::add);
  }
}
