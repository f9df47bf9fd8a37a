package io.github.vtdiag.safety;

import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.MethodName;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A place that needs the monitor of an object: it locks it, waits on it, or makes the JDK do so.
 */
final class MonitorUse {
  final ClassFile type;
  final MethodName method;
  final int line;
  final Target target;

  /** The declared types of the object: it is an instance of one of them. */
  final Set<String> declared;

  private Supplier<Set<Pointee>> find;
  private Set<Pointee> pointees;

  /**
   * @param find finds everything that the object can be, where the target does not say it
   */
  MonitorUse(
      ClassFile type,
      MethodName method,
      int line,
      Target target,
      Set<String> declared,
      Supplier<Set<Pointee>> find) {
    this.type = type;
    this.method = method;
    this.line = line;
    this.target = target;
    this.declared = declared;
    this.find = find;
  }

  /** Returns everything that the object can be; it may have to be followed through the program. */
  Set<Pointee> pointees() {
    if (pointees == null) {
      pointees = find.get();
      find = null;
    }
    return pointees;
  }

  String where() {
    return ShortNames.where(method, line);
  }
}
