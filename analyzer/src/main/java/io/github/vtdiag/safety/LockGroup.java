package io.github.vtdiag.safety;

import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.safety.MonitorUses.MonitorSite;
import io.github.vtdiag.safety.MonitorUses.WaitSite;
import java.util.List;

/** The sites of one lock, before it is decided whether it can move. Names are with slashes. */
sealed interface LockGroup {
  /** Returns the sites, which are never empty. */
  List<MonitorSite> sites();

  /** Returns the places that wait for the lock, notify, or ask for its holder. */
  List<WaitSite> calls();

  /**
   * Sites that lock instances.
   *
   * @param top the topmost class whose instances are locked
   */
  record Instances(String top, List<MonitorSite> sites, List<WaitSite> calls)
      implements LockGroup {}

  /** Sites that lock the {@code Class} object of a class. */
  record ClassObject(String type, List<MonitorSite> sites, List<WaitSite> calls)
      implements LockGroup {}

  /** Sites that lock the object in a field. */
  record OfField(Field field, List<MonitorSite> sites, List<WaitSite> calls) implements LockGroup {}

  /** Sites that lock the object that a method creates for a local variable. */
  record OfVariable(MethodName method, List<MonitorSite> sites) implements LockGroup {
    @Override
    public List<WaitSite> calls() {
      return List.of();
    }
  }

  /** One site, which locks an object for which no lock can stand. */
  record Unmovable(RefusalReason rung, String reason, List<MonitorSite> sites)
      implements LockGroup {
    @Override
    public List<WaitSite> calls() {
      return List.of();
    }
  }
}
