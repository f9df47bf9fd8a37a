package io.github.vtdiag.advice;

import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.safety.Lock;
import java.util.List;

/** Locks as the ladder finds them, made by hand. */
public final class Locks {
  private Locks() {}

  /** The monitor of a class's instances. */
  public static Lock of(String type, List<LockSite> sites, List<Lock.MonitorCall> calls) {
    return new Lock(new Lock.Identity.Instances(type), Lock.Keeper.NEW_FIELD, sites, calls);
  }
}
