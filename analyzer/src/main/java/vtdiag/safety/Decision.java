package vtdiag.safety;

import java.util.List;
import vtdiag.model.LockSite;

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
   */
  record Declined(Rung rung, String reason, List<LockSite> sites) implements Decision {
    public Declined {
      sites = List.copyOf(sites);
    }
  }
}
