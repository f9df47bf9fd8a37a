package io.github.vtdiag.report;

import static io.github.vtdiag.report.Phrase.Tone.NAME;

import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.advice.Recommendation;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.Identity;
import io.github.vtdiag.analysis.OtherFinding;
import java.util.List;

/**
 * Where more is to be read of a finding, for reports that go to other machines: its fingerprint, by
 * which the page has it, and the section of the documentation.
 */
final class Addresses {
  /** Of one entry; the page has them all. */
  private static final int MOST = 5;

  private final Identities identities;

  Addresses(Findings findings) {
    identities = Identities.of(findings);
  }

  /** {@code fingerprint: 0123456789abcdef; page: report.html#0123...; see: docs/advice.md#keep}. */
  Phrase of(AdviceEntry entry) {
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

  Phrase of(OtherFinding other) {
    Identity identity = identities.of(other);
    return where(fingerprint(identity), identity, section(other.kind()));
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

  static String section(OtherFinding.Kind kind) {
    return "docs/verdicts.md#"
        + switch (kind) {
          case POOL -> "a-pool";
          case SEMAPHORE -> "a-semaphore";
          case LOCK, MONITOR -> "a-lock";
          case FULL_QUEUE -> "a-full-queue";
          case SIGNAL, FUTURE -> "other-threads";
          case REMOTE -> "remote-answers";
          case MONOPOLIZED_CARRIERS, SPINNING -> "computation";
          case FILE_IO -> "file-io";
          case NATIVE_CALL, NAME_LOOKUP, PROCESS_START -> "native-code";
          case POOLED_THREADS -> "pooled-threads";
          case THREAD_LOCAL_CACHE -> "a-cache-for-each-thread";
          case NO_BACKPRESSURE -> "no-backpressure";
          case SUBMIT_FAILED -> "refused-threads";
        };
  }
}
