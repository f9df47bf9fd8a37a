package io.github.vtdiag.locksite;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.GOTO;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.ISTORE;
import static org.objectweb.asm.Opcodes.JSR;
import static org.objectweb.asm.Opcodes.MONITORENTER;
import static org.objectweb.asm.Opcodes.MONITOREXIT;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.RET;
import static org.objectweb.asm.Opcodes.RETURN;
import static org.objectweb.asm.Opcodes.SIPUSH;
import static org.objectweb.asm.Opcodes.SWAP;

import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.MonitorRegion.Kind;
import io.github.vtdiag.model.MonitorRegion.Range;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * The monitors held before each instruction of a method, found by following every path through it.
 *
 * <p>A monitor is held from the instruction after its {@code monitorenter} up to and including its
 * {@code monitorexit}: an instruction belongs to the region if the monitor is held when it starts.
 * That includes the handlers by which compilers release a monitor when an exception is thrown; on
 * every other way out the {@code monitorexit} is the region's last instruction.
 */
final class MonitorFlow {
  /** The limit for one method: 64,000 instructions with 100 variables still fit. */
  private static final int MAX_SLOTS = 8 << 20;

  private final MethodCode code;
  private final Budget budget;
  private final ValueInterpreter interpreter;

  /** The frames by instruction index; null for unreachable code. */
  private final HeldFrame[] frames;

  /** The instructions whose frame has changed since they were last executed. */
  private final BitSet pending = new BitSet();

  private MonitorFlow(MethodCode code, Budget budget) {
    this.code = code;
    this.budget = budget;
    this.interpreter = new ValueInterpreter(code);
    this.frames = new HeldFrame[code.size()];
  }

  /**
   * The work that may still be spent on the class, counted in copied slots. That is about a second
   * in total; ordinary classes take milliseconds.
   */
  static final class Budget {
    private long slots = 50_000_000;

    private void spend(long amount) throws AnalyzerException {
      slots -= amount;
      if (slots < 0) {
        throw new AnalyzerException(null, "too much work");
      }
    }
  }

  /**
   * The blocks of one method.
   *
   * @param exact whether every {@code monitorenter} was paired with its exits
   */
  record Blocks(List<MonitorRegion> regions, boolean exact) {}

  static Blocks blocks(MethodCode code, Budget budget) {
    if (!code.has(MONITORENTER)) {
      return new Blocks(List.of(), true);
    }
    // A subroutine (JSR, until Java 6) is entered from paths that hold different monitors.
    if (code.has(JSR) || code.has(RET)) {
      return new Blocks(List.of(), false);
    }
    try {
      MonitorFlow flow = new MonitorFlow(code, budget);
      flow.follow();
      return new Blocks(flow.regions(), flow.isExact());
    } catch (AnalyzerException | RuntimeException | AssertionError e) {
      // Too much code, or code that no verifier would accept. ASM's frames fail on it in many ways,
      // an AssertionError among them.
      return new Blocks(List.of(), false);
    }
  }

  /** Executes every reachable instruction until no frame changes any more. */
  private void follow() throws AnalyzerException {
    if ((long) code.size() * (code.maxLocals + code.maxStack) > MAX_SLOTS) {
      throw new AnalyzerException(null, "too many instructions and variables");
    }
    reach(0, entry());
    for (int i = pending.nextSetBit(0); i >= 0; i = pending.nextSetBit(0)) {
      pending.clear(i);
      AbstractInsnNode instruction = code.instructions.get(i);
      if (instruction.getOpcode() < 0) {
        reach(i + 1, frames[i]);
        continue;
      }
      throwFrom(i);
      HeldFrame after = new HeldFrame(frames[i]);
      after.execute(instruction, interpreter);
      for (int next : code.successors(i)) {
        reach(next, after);
      }
    }
  }

  private HeldFrame entry() {
    HeldFrame frame = new HeldFrame(code, code.maxLocals, code.maxStack);
    int slot = 0;
    if (!code.isStatic()) {
      frame.setLocal(slot++, Value.of(Value.parameter(0)));
    }
    for (Type type : Type.getArgumentTypes(code.desc)) {
      frame.setLocal(slot, interpreter.newParameterValue(!code.isStatic(), slot, type));
      slot++;
      if (type.getSize() == 2) {
        frame.setLocal(slot++, Value.UNKNOWN);
      }
    }
    while (slot < code.maxLocals) {
      frame.setLocal(slot++, Value.UNKNOWN);
    }
    return frame;
  }

  private void reach(int index, HeldFrame frame) throws AnalyzerException {
    budget.spend(frame.getLocals() + frame.getStackSize() + 1);
    boolean changed = true;
    if (frames[index] == null) {
      frames[index] = new HeldFrame(frame);
    } else {
      changed = frames[index].merge(frame, interpreter);
    }
    if (changed) {
      pending.set(index);
    }
  }

  /**
   * Follows an exception to its handlers. If {@code monitorenter} throws, no monitor was entered.
   * {@code monitorexit} is taken never to throw: compilers cover the one in a handler with that
   * same handler, as if it could fail; following that edge would reach the handler with and without
   * the monitor.
   */
  private void throwFrom(int index) throws AnalyzerException {
    if (code.opcode(index) == MONITOREXIT || neverThrows(code.opcode(index))) {
      return;
    }
    budget.spend(code.tryCatchBlocks.size());
    for (TryCatchBlockNode block : code.tryCatchBlocks) {
      if (code.index(block.start) <= index && index < code.index(block.end)) {
        int handler = code.index(block.handler);
        HeldFrame thrown = new HeldFrame(frames[index]);
        thrown.clearStack();
        thrown.push(Value.of(handler));
        reach(handler, thrown);
        if (block.type == null) {
          return; // it catches all: no exception gets any further
        }
      }
    }
  }

  /**
   * Returns whether it only moves values, jumps or returns, which throws only if monitors are not
   * paired. Kotlin's compiler covers the load before a {@code monitorexit} with the handler of the
   * outer block. That block then seems to hold the inner monitor, too. Groovy's covers the return
   * after the {@code monitorexit} with the handler that exits once more.
   */
  private static boolean neverThrows(int opcode) {
    return opcode <= SIPUSH
        || (ILOAD <= opcode && opcode <= ALOAD)
        || (ISTORE <= opcode && opcode <= ASTORE)
        || (POP <= opcode && opcode <= SWAP)
        || opcode == GOTO
        || (IRETURN <= opcode && opcode <= RETURN);
  }

  private boolean isExact() {
    for (int i = 0; i < frames.length; i++) {
      HeldFrame frame = frames[i];
      if (frame != null
          && (frame.conflict()
              || (code.opcode(i) == MONITOREXIT && !frame.releasesForSure())
              || (code.returns(i) && !frame.held().isEmpty()))) {
        return false;
      }
    }
    return true;
  }

  private List<MonitorRegion> regions() {
    Map<Integer, BitSet> heldBy = new TreeMap<>();
    for (int i = 0; i < frames.length; i++) {
      if (frames[i] != null && code.opcode(i) >= 0) {
        for (HeldFrame.Held held : frames[i].held()) {
          heldBy.computeIfAbsent(held.enter(), enter -> new BitSet()).set(i);
        }
      }
    }
    BitSet handlers = releasingHandlers();
    LockExpressions expressions = new LockExpressions(code, frames);
    List<MonitorRegion> regions = new ArrayList<>();
    heldBy.forEach(
        (enter, indices) -> {
          LockExpression lock = expressions.of(enter, frames[enter].operand());
          List<Range> ranges = ranges(indices);
          indices.andNot(handlers);
          int firstLine = code.line(enter);
          int lastOwn = firstLine <= code.lastOwnLine ? code.lastOwnLine : Integer.MAX_VALUE;
          int lastLine =
              indices.stream()
                  .map(code::line)
                  .filter(line -> line <= lastOwn)
                  .reduce(firstLine, Math::max);
          regions.add(
              new MonitorRegion(Kind.BLOCK, lock, code.bci(enter), firstLine, lastLine, ranges));
        });
    return regions;
  }

  /** Returns the instructions as ranges of bcis. */
  private List<Range> ranges(BitSet indices) {
    List<Range> ranges = new ArrayList<>();
    int from = -1;
    int last = -1;
    for (int i = 0; i < code.size(); i++) {
      if (code.opcode(i) < 0) {
        continue;
      }
      if (!indices.get(i)) {
        if (from >= 0) {
          ranges.add(new Range(from, code.bci(i)));
          from = -1;
        }
      } else if (from < 0) {
        from = code.bci(i);
      }
      last = i;
    }
    if (from >= 0) {
      ranges.add(new Range(from, code.bci(last) + 1));
    }
    return ranges;
  }

  /**
   * Returns the handlers that compilers add to release a monitor. Their line numbers say nothing
   * about the source.
   */
  private BitSet releasingHandlers() {
    BitSet handlers = new BitSet();
    for (TryCatchBlockNode block : code.tryCatchBlocks) {
      int start = code.index(block.handler);
      int end = start;
      while (end < code.size() && isPlumbing(code.opcode(end))) {
        end++;
      }
      if (block.type == null && end < code.size() && code.opcode(end) == MONITOREXIT) {
        handlers.set(start, end + 1);
      }
    }
    return handlers;
  }

  private static boolean isPlumbing(int opcode) {
    return opcode < 0 || opcode == ASTORE || opcode == ALOAD;
  }
}
