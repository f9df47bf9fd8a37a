package io.github.vtdiag.hang;

import io.github.vtdiag.waits.Stall;
import java.util.List;

/** What a diagnosis is made of. */
public sealed interface DiagnosisDetail {
  /** Threads of which each waits for the next one, the last for the first. */
  record Cycle(List<WaitEdge> edges) implements DiagnosisDetail {
    public Cycle {
      edges = List.copyOf(edges);
    }
  }

  /**
   * Carriers that are kept.
   *
   * @param queued how many virtual threads need one
   */
  record Carriers(List<Diagnosis.Kept> kept, long queued) implements DiagnosisDetail {
    public Carriers {
      kept = List.copyOf(kept);
    }
  }

  record Crowds(List<Diagnosis.Crowd> crowds) implements DiagnosisDetail {
    public Crowds {
      crowds = List.copyOf(crowds);
    }
  }

  record Moved(long threads) implements DiagnosisDetail {}

  /**
   * A lock whose owner has ended.
   *
   * @param owner the thread that had it
   * @param waiters those that wait for it
   */
  record Abandoned(LockRef lock, LockHolder.Ended owner, List<SeenThread> waiters)
      implements DiagnosisDetail {
    public Abandoned {
      waiters = List.copyOf(waiters);
    }
  }

  /** Threads that have waited for long for another one. */
  record StandingStill(Stall stall) implements DiagnosisDetail {}

  /** Threads that wait though nothing keeps them. */
  record LostThreads(List<SeenThread> threads) implements DiagnosisDetail {
    public LostThreads {
      threads = List.copyOf(threads);
    }
  }
}
