package io.github.vtdiag.safety;

import io.github.vtdiag.model.LockSite;
import java.util.List;

/** The decision whether a lock can become a ReentrantLock, with all its sites. */
public sealed interface Decision {

  /** The lock can become a ReentrantLock. */
  record Movable(Lock lock) implements Decision {}

  /**
   * The lock cannot become a ReentrantLock, or it is not known that it can.
   *
   * @param rung the first rule that refuses it
   * @param reason one sentence for the user that names the class, field or method in the way
   * @param sites the sites concerned, as far as they are known
   * @param blockers the methods that may lock the same object though its class does not show it, as
   *     CLASS#METHOD; none if that is not the reason
   */
  record Declined(RefusalReason rung, String reason, List<LockSite> sites, List<String> blockers)
      implements Decision {
    public Declined {
      sites = List.copyOf(sites);
      blockers = List.copyOf(blockers);
    }

    public Declined(RefusalReason rung, String reason, List<LockSite> sites) {
      this(rung, reason, sites, List.of());
    }
  }
}
