package io.github.vtdiag.program;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MethodMonitors.CallSite;
import io.github.vtdiag.model.MonitorRegion;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The monitors of a class file that correspond to those of a method that ran with other bytecode.
 * Agents that insert instructions move all bytecode indices, and keep the order of the monitors.
 */
public sealed interface MonitorMatch {

  /** The method ran as the class file has it. */
  record Unchanged() implements MonitorMatch {}

  /**
   * The method ran with other bytecode, and its monitors correspond.
   *
   * @param inFile the class file's monitors by the {@code enterBci} of those that ran
   */
  record ByOrder(Map<Integer, MonitorRegion> inFile) implements MonitorMatch {
    public ByOrder {
      inFile = Map.copyOf(inFile);
    }
  }

  /**
   * The monitors do not correspond, or not for certain.
   *
   * @param why a clause that says what differs
   */
  record None(String why) implements MonitorMatch {}

  /**
   * Compares a method that ran with the one of a class file. They correspond if instructions were
   * inserted only: the monitors and the calls of the class file are all there, in its order.
   */
  static MonitorMatch of(MethodMonitors ran, MethodMonitors file) {
    if (ran.regions().equals(file.regions())) {
      return new Unchanged();
    }
    if (!ran.exact() || !file.exact()) {
      return new None("not all of its monitors could be followed through the bytecode");
    }
    int count = file.regions().size();
    if (ran.regions().size() != count) {
      return new None(
          "it ran with "
              + Figures.count(ran.regions().size(), "monitor")
              + ", and the class file has "
              + count);
    }
    Map<Integer, MonitorRegion> inFile = new HashMap<>();
    for (int i = 0; i < count; i++) {
      MonitorRegion one = ran.regions().get(i);
      MonitorRegion other = file.regions().get(i);
      if (one.kind() != other.kind() || !mayBeSame(one.lock(), other.lock())) {
        return new None(
            "its monitor "
                + (i + 1)
                + " locks "
                + one.lock().text()
                + ", and "
                + other.lock().text()
                + " in the class file");
      }
      // A synchronized method has the lines of all its code, inserted code included.
      if (one.kind() == MonitorRegion.Kind.BLOCK && !maySame(one.firstLine(), other.firstLine())) {
        return new None(
            "its monitor "
                + (i + 1)
                + " is on line "
                + one.firstLine()
                + ", and on line "
                + other.firstLine()
                + " in the class file");
      }
      inFile.put(one.enterBci(), other);
    }
    if (!hasCalls(ran, file)) {
      return new None("its calls are not those of the class file");
    }
    return hasTwins(ran) || hasTwins(file)
        ? new None("without line numbers, monitors that lock the same cannot be told apart")
        : new ByOrder(inFile);
  }

  private static boolean maySame(int line, int other) {
    return line < 0 || other < 0 || line == other;
  }

  /**
   * Returns whether two locked expressions may be the same. Names of variables depend on debug
   * information, which may be missing or misplaced.
   */
  private static boolean mayBeSame(LockExpression ran, LockExpression file) {
    return ran.equals(file)
        || (isVariable(ran.kind())
            && isVariable(file.kind())
            && (isNameless(ran) || isNameless(file)));
  }

  private static boolean isVariable(LockExpression.Kind kind) {
    return kind == LockExpression.Kind.PARAMETER
        || kind == LockExpression.Kind.LOCAL
        || kind == LockExpression.Kind.UNKNOWN;
  }

  private static boolean isNameless(LockExpression lock) {
    return lock.name().isEmpty() || lock.name().startsWith("#");
  }

  /** Returns whether two blocks lock the same expression, and no line tells them apart. */
  private static boolean hasTwins(MethodMonitors method) {
    Set<LockExpression> seen = new HashSet<>();
    return method.regions().stream()
        .filter(region -> region.kind() == MonitorRegion.Kind.BLOCK && region.firstLine() < 0)
        .anyMatch(region -> isVariable(region.lock().kind()) || !seen.add(region.lock()));
  }

  /**
   * Returns whether the calls of the class file are all there, in order, under the same monitors.
   */
  private static boolean hasCalls(MethodMonitors ran, MethodMonitors file) {
    int next = 0;
    for (CallSite wanted : file.callSites()) {
      BitSet held = held(file.regions(), wanted.bci());
      while (next < ran.callSites().size()
          && !isSame(ran, ran.callSites().get(next), wanted, held)) {
        next++;
      }
      if (next++ >= ran.callSites().size()) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSame(
      MethodMonitors ran, CallSite site, CallSite wanted, BitSet heldInFile) {
    return maySame(site.line(), wanted.line())
        && held(ran.regions(), site.bci()).equals(heldInFile);
  }

  /** Returns the numbers of the monitors that are held there. */
  private static BitSet held(List<MonitorRegion> regions, int bci) {
    BitSet held = new BitSet();
    for (int i = 0; i < regions.size(); i++) {
      if (regions.get(i).holdsAt(bci)) {
        held.set(i);
      }
    }
    return held;
  }
}
