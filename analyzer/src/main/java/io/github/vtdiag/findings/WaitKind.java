package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.BehaviorKind;
import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.model.Article;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.waits.Awaited;
import java.util.List;
import java.util.Optional;

/** The kinds of waits that take no carrier. */
public enum WaitKind implements BehaviorKind.OfWait {
  /** Threads wait for an object from a pool. */
  POOL("waiting for a pool", "a-pool", Bottleneck.POOL) {
    @Override
    String awaited(Observation seen) {
      return "for a free object of the " + seen.subject() + " pool" + bound(seen);
    }

    @Override
    public String name(Observation seen) {
      return seen.subject() + bound(seen);
    }

    // Returns {@code (10)} or, with the name of the pool, {@code ("orders", 10)}; empty if not
    // known.
    private static String bound(Observation seen) {
      String name =
          seen.detail("name").map(detail -> Printable.quoted(detail.text()) + ", ").orElse("");
      return seen.number("bound").map(bound -> " (" + name + Figures.count(bound) + ")").orElse("");
    }

    @Override
    Optional<String> use(Observation seen) {
      return Optional.of(WaitText.pool(seen));
    }

    @Override
    String prediction(String times) {
      return "a pool of twice the size allows at most "
          + times
          + " times the uses per second, if each use takes as long as now";
    }

    @Override
    public String advice(Observation seen) {
      if (WaitText.isStalled(seen) && !WaitText.isNotUsedUp(seen)) {
        return "No object came back any more: find the code that takes objects and does not give"
            + " them back, for example after a failure. A larger pool would only stall"
            + " later.";
      }
      Optional<Observation.Detail> lock = seen.detail(Observation.LOCK_OF_USERS);
      if (lock.isPresent()) {
        return "Hold the lock in "
            + lock.get().text()
            + " for less time, or remove it: its waiters keep the objects in use. A larger pool"
            + " would only add waiters there: docs/verdicts.md#a-pool.";
      }
      Optional<Observation.Detail> transaction = seen.detail(WaitText.TRANSACTION_WAITS_IN);
      if (transaction.isPresent()) {
        return "End the transaction before the wait in "
            + transaction.get().text()
            + ", or begin it after that: it keeps an object of the pool without using it. Else"
            + " enlarge the pool, if the server can take more: docs/verdicts.md#a-pool.";
      }
      return WaitText.isNotUsedUp(seen)
          ? "Find out why the pool does not lend its free objects: slow connects, connection"
              + " checks, or its own locks."
          : "If the server can take no more at a time, keep the size. Else enlarge the pool, or"
              + " hold its objects for less time:"
              + " docs/verdicts.md#a-pool.";
    }
  },
  /** Threads wait for a permit. */
  SEMAPHORE("waiting for a permit", "a-semaphore", Bottleneck.SEMAPHORE) {
    @Override
    String awaited(Observation seen) {
      return "for a permit of " + WaitText.one(seen);
    }

    @Override
    Optional<String> use(Observation seen) {
      return seen.figure("free").map(WaitText::free);
    }

    @Override
    public String advice(Observation seen) {
      return WaitText.isStalled(seen)
          ? "No permit was released any more: find the code that takes permits and does not release"
              + " them, for example after a failure. More permits would only stall later."
          : "If the limit is intended, keep it; else raise it: docs/verdicts.md#a-semaphore.";
    }
  },
  /** Threads wait for a lock of {@code java.util.concurrent}. */
  LOCK("waiting for a lock", "a-lock", Bottleneck.LOCK) {
    @Override
    String awaited(Observation seen) {
      return "for " + WaitText.one(seen);
    }

    @Override
    public String advice(Observation seen) {
      return WaitText.lock(seen);
    }
  },
  /** Threads wait to enter a monitor. */
  MONITOR("waiting for a monitor", "a-lock", Bottleneck.LOCK) {
    @Override
    String awaited(Observation seen) {
      return "to enter a monitor";
    }

    // A monitor has no name but its place.
    @Override
    public String name(Observation seen) {
      return seen.site().or(seen::inside).map(Frame::qualifiedMethod).orElse(seen.subject());
    }

    @Override
    public String advice(Observation seen) {
      return WaitText.monitor(seen);
    }
  },
  /** Threads wait for room in a full queue of the program. */
  FULL_QUEUE("waiting for room in a queue", "a-full-queue", Bottleneck.FULL_QUEUE) {
    @Override
    String awaited(Observation seen) {
      return seen.is(Awaited.Trait.HANDOVER)
          ? "for a taker at " + Article.with(seen.subject())
          : "for room in a full " + seen.subject();
    }

    @Override
    public String advice(Observation seen) {
      return WaitText.isStalled(seen)
          ? "No thread took from it any more: find out whether its consumers are still alive."
          : "Make its consumers faster, or add some; a longer queue only hides the problem:"
              + " docs/verdicts.md#a-full-queue.";
    }
  },
  /** Threads wait for another thread's signal: a condition, a latch, {@code Object.wait}. */
  SIGNAL("waiting for another thread", "other-threads", Bottleneck.OTHER_THREADS) {
    @Override
    String awaited(Observation seen) {
      return "for a signal (" + seen.subject() + ")";
    }

    @Override
    public String advice(Observation seen) {
      return WaitText.isStalled(seen)
          ? "No signal came any more: find the thread that should have sent it. It may have ended,"
              + " or wait itself."
          : "Find out what the signalling thread does.";
    }
  },
  /** Threads wait for another thread's result. */
  FUTURE("waiting for a result", "other-threads", Bottleneck.OTHER_THREADS) {
    @Override
    String awaited(Observation seen) {
      return "for another thread's result (" + seen.subject() + ")";
    }

    @Override
    public String name(Observation seen) {
      return seen.subject()
          + seen.site().or(seen::inside).map(frame -> " in " + frame.qualifiedMethod()).orElse("");
    }

    // The wait itself costs nothing, but the program is as fast as the results come.
    @Override
    public String adviceWithoutLimit() {
      return "If that is too slow, find out why the results take so long: look at the threads that"
          + " compute them, or at the other side of a connection.";
    }

    @Override
    public String advice(Observation seen) {
      return WaitText.isStalled(seen)
          ? "The result never came: find the thread that should have computed it. It may have"
              + " ended, or wait itself."
          : "Find out what the thread that computes the result does.";
    }
  },
  /** Threads wait for an answer from the network. */
  REMOTE("waiting for an answer", "remote-answers", Bottleneck.REMOTE_ANSWERS) {
    @Override
    String awaited(Observation seen) {
      return (seen.limits() ? "for an answer" : "for data")
          + " from the network ("
          + seen.subject()
          + ")";
    }

    @Override
    public String advice(Observation seen) {
      return WaitText.isStalled(seen)
          ? "No answer came any more: find out what the other side does, and set a timeout."
          : "No change needed here: the remote side takes that long:"
              + " docs/verdicts.md#remote-answers.";
    }
  };

  private final String title;
  private final String section;
  private final Bottleneck bottleneck;

  WaitKind(String title, String section, Bottleneck bottleneck) {
    this.title = title;
    this.section = section;
    this.bottleneck = bottleneck;
  }

  /** Returns the kind of finding for a crowd of such waits; empty if it is none. */
  static Optional<WaitKind> of(Awaited.Kind kind) {
    return switch (kind) {
      case POOL -> Optional.of(POOL);
      case SEMAPHORE -> Optional.of(SEMAPHORE);
      case LOCK -> Optional.of(LOCK);
      case MONITOR -> Optional.of(MONITOR);
      case FULL_QUEUE -> Optional.of(FULL_QUEUE);
      case SIGNAL -> Optional.of(SIGNAL);
      case FUTURE -> Optional.of(FUTURE);
      case ANSWER, DATA -> Optional.of(REMOTE);
      case SLEEP, IDLE, UNKNOWN -> Optional.empty();
    };
  }

  /** Returns the phrase for what is awaited: {@code for a permit of one Semaphore}. */
  abstract String awaited(Observation seen);

  /** Returns how much of it was in use, and what that says about the waits. */
  Optional<String> use(Observation seen) {
    return seen.figure("waitsPerUse").map(WaitText::waits);
  }

  /**
   * Returns what half the hold time would bring.
   *
   * @param times the factor for the uses per second, at most
   */
  String prediction(String times) {
    return "half the hold time allows at most " + times + " times the uses per second";
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String page() {
    return "docs/verdicts.md#" + section;
  }

  @Override
  public Bottleneck bottleneck() {
    return bottleneck;
  }

  @Override
  public boolean needsSnapshots() {
    return true;
  }

  @Override
  public Optional<String> sentence(Observation seen) {
    String site =
        seen.site().or(seen::inside).map(frame -> " in " + frame.qualifiedMethod()).orElse("");
    return Optional.of(WaitText.crowd(seen) + " waited " + awaited(seen) + site + ".");
  }

  @Override
  public List<String> evidence(Observation seen) {
    return WaitText.evidence(this, seen);
  }
}
