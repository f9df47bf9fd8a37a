package io.github.vtdiag.safety;

import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.safety.MonitorUses.MonitorSite;
import io.github.vtdiag.safety.MonitorUses.WaitSite;
import java.util.List;

/** The sites of one lock, before it is decided whether it can move. ShortNames with slashes. */
sealed interface LockGroup {
  /** Never empty. */
  List<MonitorSite> sites();

  /** The places that wait for the lock, notify, or ask who holds it. */
  List<WaitSite> calls();

  /**
   * They lock instances.
   *
   * @param top the topmost class whose instances are locked
   */
  record Instances(String top, List<MonitorSite> sites, List<WaitSite> calls)
      implements LockGroup {}

  /** They lock the {@code Class} object of a class. */
  record ClassObject(String type, List<MonitorSite> sites, List<WaitSite> calls)
      implements LockGroup {}

  /** They lock the object in a field. */
  record OfField(Field field, List<MonitorSite> sites, List<WaitSite> calls) implements LockGroup {}

  /** They lock what a method makes for a local variable. */
  record OfVariable(MethodName method, List<MonitorSite> sites) implements LockGroup {
    @Override
    public List<WaitSite> calls() {
      return List.of();
    }
  }

  /** One site, which locks something that no lock can stand for. */
  record Unmovable(RefusalReason rung, String reason, List<MonitorSite> sites)
      implements LockGroup {
    @Override
    public List<WaitSite> calls() {
      return List.of();
    }
  }
}
