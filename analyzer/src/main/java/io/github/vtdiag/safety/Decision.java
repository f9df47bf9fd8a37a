package io.github.vtdiag.safety;

import io.github.vtdiag.model.LockSite;
import java.util.List;

/** Whether a lock can become a ReentrantLock, with all its sites. */
public sealed interface Decision {

  /** It can. */
  record Movable(Lock lock) implements Decision {}

  /**
   * It cannot, or it is not known that it can.
   *
   * @param rung the first rule that refuses it
   * @param reason one sentence for the user that names the class, field or method in the way
   * @param sites the sites concerned, as far as they are known
   * @param blockers the methods that may lock the same object though its class does not show it, as
   *     CLASS#METHOD; none where that is not the reason
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
