package vtdiag.safety;

import java.util.List;
import vtdiag.program.ClassFile.Field;
import vtdiag.safety.MonitorUses.Call;
import vtdiag.safety.MonitorUses.Site;

/** The sites of one lock, before it is decided whether it can move. Names with slashes. */
sealed interface LockGroup {
  /** Never empty. */
  List<Site> sites();

  /** The places that wait for the lock, notify, or ask who holds it. */
  List<Call> calls();

  /**
   * They lock instances.
   *
   * @param top the topmost class whose instances are locked
   */
  record Instances(String top, List<Site> sites, List<Call> calls) implements LockGroup {}

  /** They lock the {@code Class} object of a class. */
  record ClassObject(String type, List<Site> sites, List<Call> calls) implements LockGroup {}

  /** They lock the object in a field. */
  record OfField(Field field, List<Site> sites, List<Call> calls) implements LockGroup {}

  /** One site, which locks something that no lock can stand for. */
  record Unmovable(Rung rung, String reason, List<Site> sites) implements LockGroup {
    @Override
    public List<Call> calls() {
      return List.of();
    }
  }
}
