package io.github.vtdiag.report.words;

import static io.github.vtdiag.report.words.Phrase.Tone.NAME;

import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.advice.Recommendation;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.Identity;
import java.util.List;

/**
 * The addresses of a finding's details, for reports that go to other machines: its fingerprint,
 * which is its anchor on the page, and the section of the documentation.
 */
public final class Addresses {
  /** The most fingerprints of one entry; the page has them all. */
  private static final int MOST = 5;

  private final Identities identities;

  public Addresses(Findings findings) {
    identities = Identities.of(findings);
  }

  /**
   * Returns {@code fingerprint: 0123456789abcdef; page: report.html#0123...; see:
   * docs/advice.md#keep}.
   */
  public Phrase of(AdviceEntry entry) {
    List<Identity> all = entry.findings().stream().map(identities::of).toList();
    Phrase line = fingerprint(all.getFirst());
    for (Identity other : all.stream().skip(1).limit(MOST - 1).toList()) {
      line = line.and(", ").and(NAME, other.fingerprint());
    }
    if (all.size() > MOST) {
      line = line.and(" and " + (all.size() - MOST) + " more");
    }
    return where(line, all.getFirst(), section(entry.recommendation()));
  }

  public Phrase of(Behavior finding) {
    Identity identity = identities.of(finding);
    return where(fingerprint(identity), identity, finding.kind().page());
  }

  private static Phrase fingerprint(Identity identity) {
    return Phrase.of("fingerprint: ").and(NAME, identity.fingerprint());
  }

  private static Phrase where(Phrase line, Identity identity, String section) {
    return line.and("; page: ")
        .and(NAME, "report.html#" + identity.fingerprint())
        .and("; see: ")
        .and(NAME, section);
  }

  static String section(Recommendation recommendation) {
    return "docs/advice.md#"
        + switch (recommendation) {
          case Recommendation.Rewrite rewrite -> "rewrite";
          case Recommendation.UpgradeLibrary library -> "upgrade-a-library";
          case Recommendation.ChangePattern pattern -> "change-the-pattern";
          case Recommendation.UpgradeJdk jdk -> "which-java";
          case Recommendation.Keep keep -> "keep";
        };
  }
}
