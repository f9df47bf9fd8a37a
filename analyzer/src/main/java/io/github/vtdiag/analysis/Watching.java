package io.github.vtdiag.analysis;

import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.Watched;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Finds what the agent's watch over the carriers, and the scheduler's queue, show about the pins.
 */
final class Watching {
  /** The shortest time in the queue that is worth an explanation. */
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * The longest distance of two samples that are next to each other. The queue is sampled once a
   * second; a busy machine may be late.
   */
  private static final long BESIDE_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

  /** The least part of the carriers that, if pinned, explains why threads are queued. */
  private static final double EXPLAINED = 0.5;

  private Watching() {}

  /** Returns how the recording ends, if all carriers are held at its end. */
  static Optional<Ending> ending(Attributed recorded) {
    RecordingFacts facts = recorded.facts();
    if (facts.watched().isEmpty() || facts.end() == RecordingFacts.End.LATER) {
      return Optional.empty();
    }
    Watched.Sample last = facts.watched().get().last();
    List<PinGroup> unended = recorded.alike().stream().filter(alike -> !alike.ended).toList();
    long kept = unended.stream().mapToLong(PinGroup::count).sum();
    return last.carriers() > 0 && kept >= last.carriers() && last.queued() > 0
        ? Optional.of(
            new Ending(
                facts.source(),
                last.carriers(),
                unended.stream().flatMapToLong(PinGroup::durations).min().getAsLong(),
                last.queued()))
        : Optional.empty();
  }

  /**
   * Returns what the recording does not show of its carriers, besides what its settings left out.
   */
  static List<Gap> gaps(Attributed recorded) {
    List<Gap> gaps = new ArrayList<>();
    String source = recorded.facts().source();
    ending(recorded)
        .ifPresent(
            ending ->
                gaps.add(
                    new Gap(
                        Gap.Kind.ALL_KEPT_AT_END,
                        source,
                        "whether the pins on "
                            + Figures.allCarriers(ending.carriers())
                            + " at its end, with "
                            + Figures.count(ending.queued(), "virtual thread")
                            + " queued, would ever have ended")));
    unexplainedNanos(recorded)
        .ifPresent(
            nanos ->
                gaps.add(
                    new Gap(
                        Gap.Kind.QUEUE_UNEXPLAINED,
                        source,
                        "why virtual threads were queued for "
                            + Figures.duration(nanos)
                            + ": no pin or computation explains it")));
    return gaps;
  }

  /**
   * Returns whether threads were queued although a carrier was idle. Carriers beyond the
   * parallelism may be idle.
   */
  private static boolean isStanding(Watched.Sample look, int parallelism) {
    return look.queued() > 0 && look.idle() > 0 && look.carriers() - look.idle() < parallelism;
  }

  /**
   * Returns the longest time for which threads were queued and nothing that was seen held the
   * carriers.
   */
  private static Optional<Long> unexplainedNanos(Attributed recorded) {
    RecordingFacts facts = recorded.facts();
    if (facts.endsIn(DiagnosisKind.NOT_SCHEDULED)) {
      return Optional.empty();
    }
    long[] at =
        facts.watched().isPresent()
            ? Shortage.moments(
                facts.watched().get().looks().stream()
                    .filter(look -> isStanding(look, facts.parallelism().orElse(0)))
                    .map(Watched.Sample::atNanos))
            : Shortage.moments(facts.shortAt().stream());
    double[] shares = Shortage.shares(recorded, at);
    long longest = 0;
    int from = -1;
    for (int moment = 0; moment < shares.length; moment++) {
      if (shares[moment] >= EXPLAINED) {
        from = -1;
      } else if (from < 0 || at[moment] - at[moment - 1] > BESIDE_NANOS) {
        from = moment;
      } else {
        longest = Math.max(longest, at[moment] - at[from]);
      }
    }
    return longest >= LONG_NANOS ? Optional.of(longest) : Optional.empty();
  }
}
