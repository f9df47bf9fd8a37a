package vtdiag.locksite;

import static org.objectweb.asm.Opcodes.MONITORENTER;
import static org.objectweb.asm.Opcodes.MONITOREXIT;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/** What the locals and the stack hold before an instruction, and which monitors. */
final class HeldFrame extends Frame<Value> {
  /** Far beyond any compiler's output; it bounds the work for absurd methods. */
  private static final int MAX_DEPTH = 255;

  /**
   * A monitor that is held.
   *
   * @param enter the index of its {@code monitorenter}
   * @param lock the locked object
   */
  record Held(int enter, Value lock) {}

  private final MethodCode code;

  /** Outermost first. */
  private List<Held> held = List.of();

  /** Whether paths that hold different monitors met here. */
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

  /** The topmost on the stack: what an instruction with one operand that stands here works on. */
  Value operand() {
    return getStack(getStackSize() - 1);
  }

  /**
   * Which of the held monitors a {@code monitorexit} that stands here gives back: the innermost of
   * the same object, else the innermost; -1 if none is held.
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
   * Whether {@link #released} is no guess. With one monitor held there is no choice: HotSpot lets
   * no frame give back a monitor that it did not take.
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

  /** Where paths meet, held is what both hold. It only shrinks, so the analysis ends. */
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
