package io.github.vtdiag.hang;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.waits.Stall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a diagnosis is made of. */
public sealed interface DiagnosisDetail {
  /** Of so many threads each is told; the rest is counted. */
  int THREADS = 4;

  /** Who holds what where, who waits, who needs a carrier: a line each. */
  default List<String> evidence(CarrierWords carriers) {
    return List.of();
  }

  /** The threads that make it what it is. */
  default Stream<SeenThread> threads() {
    return Stream.of();
  }

  /** Where they stand; none if it is no part of a hang. */
  default Stream<HangPlace> places() {
    return Stream.of();
  }

  /** Threads of which each waits for the next one, the last for the first. */
  record Cycle(List<WaitEdge> edges) implements DiagnosisDetail {
    public Cycle {
      edges = List.copyOf(edges);
    }

    @Override
    public List<String> evidence(CarrierWords carriers) {
      return edges.stream().map(WaitWords::edge).toList();
    }

    @Override
    public Stream<SeenThread> threads() {
      return edges.stream().map(WaitEdge::waiter);
    }

    @Override
    public Stream<HangPlace> places() {
      return edges.stream().map(HangPlaces::of);
    }
  }

  /**
   * Carriers that are kept.
   *
   * @param queued how many virtual threads need one
   */
  record Carriers(List<CarriersKept.Kept> kept, long queued) implements DiagnosisDetail {
    public Carriers {
      kept = List.copyOf(kept);
    }

    @Override
    public List<String> evidence(CarrierWords carriers) {
      return carriers.kept(kept, queued);
    }

    @Override
    public Stream<SeenThread> threads() {
      return kept.stream()
          .flatMap(
              each ->
                  Stream.concat(
                      Stream.of(each.thread()), each.chain().stream().map(WaitEdge::other)));
    }

    @Override
    public Stream<HangPlace> places() {
      return kept.stream().map(HangPlaces::of);
    }
  }

  record Crowds(List<Diagnosis.Crowd> crowds) implements DiagnosisDetail {
    public Crowds {
      crowds = List.copyOf(crowds);
    }

    @Override
    public List<String> evidence(CarrierWords carriers) {
      return crowds.stream().map(CrowdWords::crowd).toList();
    }
  }

  record Moved(long count) implements DiagnosisDetail {}

  /**
   * A lock whose owner has ended.
   *
   * @param owner the thread that had it
   */
  record Abandoned(LockRef lock, LockHolder.Ended owner) implements DiagnosisDetail {}

  /** Threads that wait, each for what it says. */
  record Waiters(List<SeenThread> waiters) implements DiagnosisDetail {
    public Waiters {
      waiters = List.copyOf(waiters);
    }

    @Override
    public List<String> evidence(CarrierWords carriers) {
      List<String> lines = new ArrayList<>();
      waiters.stream()
          .limit(THREADS)
          .forEach(each -> lines.add(WaitWords.who(each) + " " + WaitWords.waits(each)));
      if (waiters.size() > THREADS) {
        lines.add("and " + Figures.count(waiters.size() - THREADS, "more thread"));
      }
      return lines;
    }

    @Override
    public Stream<SeenThread> threads() {
      return waiters.stream();
    }

    @Override
    public Stream<HangPlace> places() {
      return waiters.stream()
          .map(thread -> HangPlaces.of(thread, thread.waitsFor().object(), Optional.empty()));
    }
  }

  /** Threads that have waited for long for another one. */
  record StandingStill(Stall stall) implements DiagnosisDetail {
    @Override
    public List<String> evidence(CarrierWords carriers) {
      return StallWords.evidence(stall);
    }

    @Override
    public Stream<HangPlace> places() {
      return Stream.of(HangPlaces.of(stall));
    }
  }

  /** Threads that wait though nothing keeps them. */
  record LostThreads(List<SeenThread> waiters) implements DiagnosisDetail {
    public LostThreads {
      waiters = List.copyOf(waiters);
    }

    @Override
    public List<String> evidence(CarrierWords carriers) {
      return LostWakeUpWords.evidence(waiters, THREADS);
    }

    @Override
    public Stream<SeenThread> threads() {
      return waiters.stream();
    }

    @Override
    public Stream<HangPlace> places() {
      return waiters.stream()
          .map(thread -> HangPlaces.of(thread, thread.waitsFor().object(), Optional.empty()));
    }
  }
}
