package vtdiag.advice;

import java.util.List;
import vtdiag.model.LockSite;
import vtdiag.safety.Lock;

/** Locks as the ladder finds them, made by hand. */
public final class Locks {
  private Locks() {}

  /** The monitor of a class's instances. */
  public static Lock of(String type, List<LockSite> sites, List<Lock.MonitorCall> calls) {
    return new Lock(new Lock.Identity.Instances(type), Lock.Keeper.NEW_FIELD, sites, calls);
  }
}
