package io.github.vtdiag.hang;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.waits.Stall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A fact that is part of a diagnosis. */
public sealed interface DiagnosisDetail {
  /** The number of threads that are described; others are only counted. */
  int THREADS = 4;

  /**
   * Returns a line for each lock owner, each waiting thread and each thread that needs a carrier.
   */
  default List<String> evidence(CarrierWords carriers) {
    return List.of();
  }

  /** Returns the threads that make up the diagnosis. */
  default Stream<SeenThread> threads() {
    return Stream.of();
  }

  /** Returns the places of those threads; none if it is no part of a hang. */
  default Stream<HangPlace> places() {
    return Stream.of();
  }

  /** Returns what those threads hold or wait for. */
  default Stream<LockRef> locks() {
    return threads()
        .flatMap(
            thread ->
                Stream.concat(
                    thread.waitsFor().object().stream(),
                    thread.held().stream().map(HeldLock::lock)));
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

    /** Returns the locks of the cycle; what its threads hold besides may be released. */
    @Override
    public Stream<LockRef> locks() {
      return edges.stream().map(WaitEdge::lock);
    }
  }

  /**
   * Carriers that are occupied.
   *
   * @param queued the number of virtual threads that need one
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
  record Abandoned(LockRef lock, LockHolder.Ended owner) implements DiagnosisDetail {
    @Override
    public Stream<LockRef> locks() {
      return Stream.of(lock);
    }
  }

  /** Threads that wait. */
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

  /** Threads that have waited long for another one. */
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

  /** Threads that wait for something that is free. */
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
