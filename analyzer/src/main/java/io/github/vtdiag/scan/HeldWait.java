package io.github.vtdiag.scan;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.program.CallGraph;
import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.program.UnreadableClassException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides whether a path ends in an {@code Object.wait} on the very monitor with which it starts. A
 * thread can only wait on a monitor that it holds. It is taken to be this one, and not one taken
 * before, if no method on the path takes another.
 */
final class HeldWait {
  private final Program program;
  private final CallGraph graph;
  private final Function<ClassFile, ClassMonitors> lockMaps;

  /**
   * @param lockMaps reads or remembers a class's monitors
   */
  HeldWait(Program program, Function<ClassFile, ClassMonitors> lockMaps) {
    this.program = program;
    this.lockMaps = lockMaps;
    this.graph = program.calls().orElseThrow();
  }

  /**
   * @param bci of the first call in the method that takes the monitor
   * @param path the methods called, one by the other
   */
  boolean isOn(MonitorRegion region, MethodMonitors method, int bci, List<Integer> path) {
    if (!method.exact() || !method.heldAt(bci).getFirst().equals(region)) {
      return false;
    }
    for (int called : path) {
      if (graph.isJdk(called)) {
        return graph.owner(called).equals("java/lang/Object");
      }
      if (takesAny(called)) {
        return false;
      }
    }
    return false;
  }

  private boolean takesAny(int called) {
    MethodName name = graph.name(called);
    Optional<ClassFile> type = program.hierarchy().type(name.owner());
    if (type.isEmpty()) {
      return true;
    }
    try {
      return type.get().locks()
          && lockMaps
              .apply(type.get())
              .method(name.name(), name.descriptor())
              .map(monitors -> !monitors.exact() || !monitors.regions().isEmpty())
              .orElse(false);
    } catch (UnreadableClassException e) {
      return true; // The monitors that it takes are unknown.
    }
  }
}
