package io.github.vtdiag.locksite;

import static org.objectweb.asm.Opcodes.MONITORENTER;
import static org.objectweb.asm.Opcodes.MONITOREXIT;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/** The locals and the operand stack before an instruction, and the monitors that are held there. */
final class HeldFrame extends Frame<Value> {
  /** Far more than any compiler emits; bounds the work for absurd methods. */
  private static final int MAX_DEPTH = 255;

  /**
   * A monitor that is held.
   *
   * @param enter the index of its {@code monitorenter}
   * @param lock the locked object
   */
  record Held(int enter, Value lock) {}

  private final MethodCode code;

  /** The held monitors, outermost first. */
  private List<Held> held = List.of();

  /** True if paths with different monitors meet here. */
  private boolean conflict;

  HeldFrame(MethodCode code, int locals, int stack) {
    super(locals, stack);
    this.code = code;
  }

  HeldFrame(HeldFrame other) {
    super(other);
    code = other.code;
    held = other.held;
  }

  List<Held> held() {
    return held;
  }

  boolean conflict() {
    return conflict;
  }

  /** Returns the top of the stack: the operand of a one-operand instruction here. */
  Value operand() {
    return getStack(getStackSize() - 1);
  }

  /**
   * Returns which of the held monitors a {@code monitorexit} here releases. It is the innermost one
   * of the same object, else the innermost; -1 if none is held.
   */
  int released() {
    Value lock = operand();
    for (int i = held.size() - 1; i >= 0; i--) {
      if (held.get(i).lock().isSameObject(lock)) {
        return i;
      }
    }
    return held.size() - 1;
  }

  /**
   * Returns whether {@link #released} is certain. With one monitor held there is no choice: HotSpot
   * lets no frame release a monitor that it did not enter.
   */
  boolean releasesForSure() {
    int released = released();
    return held.size() == 1 || (released >= 0 && held.get(released).lock().isSameObject(operand()));
  }

  @Override
  public void execute(AbstractInsnNode instruction, Interpreter<Value> interpreter)
      throws AnalyzerException {
    switch (instruction.getOpcode()) {
      case MONITORENTER -> {
        if (held.size() == MAX_DEPTH) {
          throw new AnalyzerException(instruction, "monitors nested too deeply");
        }
        List<Held> more = new ArrayList<>(held);
        more.add(new Held(code.instructions.indexOf(instruction), operand()));
        held = more;
      }
      case MONITOREXIT -> {
        int released = released();
        if (released >= 0) {
          List<Held> fewer = new ArrayList<>(held);
          fewer.remove(released);
          held = fewer;
        }
      }
      default -> {}
    }
    super.execute(instruction, interpreter);
  }

  /**
   * Keeps only the monitors that both paths hold. The set only shrinks, so the analysis terminates.
   */
  @Override
  public boolean merge(Frame<? extends Value> frame, Interpreter<Value> interpreter)
      throws AnalyzerException {
    boolean changed = super.merge(frame, interpreter);
    List<Held> other = ((HeldFrame) frame).held;
    if (held.equals(other)) {
      return changed;
    }
    List<Held> both = new ArrayList<>();
    for (int i = 0; i < Math.min(held.size(), other.size()); i++) {
      Held mine = held.get(i);
      if (mine.enter() != other.get(i).enter()) {
        break;
      }
      both.add(new Held(mine.enter(), mine.lock().merge(other.get(i).lock())));
    }
    conflict |= both.size() < held.size() || both.size() < other.size();
    changed |= !both.equals(held);
    held = both;
    return changed;
  }
}
