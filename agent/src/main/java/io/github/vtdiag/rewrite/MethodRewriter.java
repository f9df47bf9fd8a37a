package io.github.vtdiag.rewrite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/** Rewrites one method: first its instructions, then its synchronized flag. */
@SuppressWarnings("ReferenceEquality") // nodes and ASM's frame constants go by identity
final class MethodRewriter {
  private final ClassNode type;
  private final MethodNode method;
  private final Hierarchy hierarchy;

  MethodRewriter(ClassNode type, MethodNode method, Hierarchy hierarchy) {
    this.type = type;
    this.method = method;
    this.hierarchy = hierarchy;
  }

  static MethodInsnNode call(String name, String descriptor) {
    return new MethodInsnNode(
        Opcodes.INVOKESTATIC, MonitorRewriter.MONITORS, name, descriptor, false);
  }

  private static MethodInsnNode exit() {
    return call("exit", "(Ljava/lang/Object;)V");
  }

  /**
   * Replaces monitor instructions, unless the JDK locks the object too, and all uses of Object's
   * methods.
   */
  void replaceInstructions() throws CannotRewriteException {
    Set<AbstractInsnNode> moved = movedMonitors();
    Set<AbstractInsnNode> exits = identitySet();
    for (AbstractInsnNode instruction : method.instructions.toArray()) {
      switch (instruction) {
        case InsnNode monitor when moved.contains(monitor) -> {
          if (monitor.getOpcode() == Opcodes.MONITORENTER) {
            method.instructions.set(monitor, call("enter", "(Ljava/lang/Object;)V"));
          } else {
            MethodInsnNode exit = exit();
            method.instructions.set(monitor, exit);
            exits.add(exit);
          }
        }
        case MethodInsnNode call
            when MonitorRewriter.needsMonitor(call.getOpcode(), call.name, call.desc)
                || MonitorRewriter.waitsForIt(call.owner, call.name, call.desc) ->
            method.instructions.set(call, call(call.name, MonitorRewriter.onObject(call.desc)));
        case MethodInsnNode call
            when MonitorRewriter.asksForMonitor(
                call.getOpcode(), call.owner, call.name, call.desc) ->
            method.instructions.set(call, call(call.name, call.desc));
        case InvokeDynamicInsnNode dynamic -> RedirectedReferences.redirect(dynamic);
        case LdcInsnNode constant -> constant.cst = RedirectedReferences.redirected(constant.cst);
        default -> {}
      }
    }
    leaveOnce(exits);
  }

  /** Replaces all monitor instructions, whatever they lock, with calls of these methods. */
  void replaceBlocks(String enter, String exit) {
    Set<AbstractInsnNode> exits = identitySet();
    for (AbstractInsnNode instruction : method.instructions.toArray()) {
      if (instruction.getOpcode() == Opcodes.MONITORENTER) {
        method.instructions.set(instruction, call(enter, "(Ljava/lang/Object;)V"));
      } else if (instruction.getOpcode() == Opcodes.MONITOREXIT) {
        MethodInsnNode call = call(exit, "(Ljava/lang/Object;)V");
        method.instructions.set(instruction, call);
        exits.add(call);
      }
    }
    leaveOnce(exits);
  }

  /**
   * Returns the monitor instructions that become calls. Where static types do not decide, the
   * method gets a second body first.
   */
  private Set<AbstractInsnNode> movedMonitors() throws CannotRewriteException {
    Set<AbstractInsnNode> moved = identitySet();
    Set<AbstractInsnNode> open = identitySet();
    Frame<BasicValue>[] frames = null;
    for (int i = 0; i < method.instructions.size(); i++) {
      AbstractInsnNode instruction = method.instructions.get(i);
      int opcode = instruction.getOpcode();
      if (opcode != Opcodes.MONITORENTER && opcode != Opcodes.MONITOREXIT) {
        continue;
      }
      if (frames == null) {
        frames = analyze();
      }
      // In unreachable code the instruction does not matter.
      switch (frames[i] == null ? LockedByJdk.NO : lockedByJdk(Hierarchy.top(frames[i]))) {
        case NO -> moved.add(instruction);
        case YES -> {}
        case OPEN -> {
          moved.add(instruction);
          open.add(instruction);
        }
      }
    }
    if (!open.isEmpty()) {
      addSecondBody(moved, open);
    }
    return moved;
  }

  private void addSecondBody(Set<AbstractInsnNode> moved, Set<AbstractInsnNode> open) {
    TwoBodies bodies = new TwoBodies(type, method, open);
    try {
      bodies.add(new OperandInterpreter(hierarchy));
    } catch (AnalyzerException e) {
      // Then the method keeps one body, and Monitors stops the program if the JDK locks the object.
      return;
    }
    for (AbstractInsnNode each : List.copyOf(moved)) {
      if (!open.contains(each)) {
        moved.add(bodies.copy(each));
      }
    }
  }

  private Frame<BasicValue>[] analyze() throws CannotRewriteException {
    try {
      return new Analyzer<>(new OperandInterpreter(hierarchy)).analyze(type.name, method);
    } catch (AnalyzerException | AssertionError e) {
      throw new CannotRewriteException(
          type.name.replace('/', '.')
              + "."
              + method.name
              + " cannot be followed: "
              + e.getMessage());
    }
  }

  /** The answer to whether the JDK's own code takes the monitor of an object, too. */
  private enum LockedByJdk {
    YES,
    NO,
    /** The static type does not show it. */
    OPEN
  }

  private LockedByJdk lockedByJdk(BasicValue value) {
    if (!(value instanceof Operand operand)) {
      return LockedByJdk.OPEN;
    }
    String name = operand.typeName();
    if (operand.origin() == Operand.Origin.OTHER && name.equals("java/lang/Class")) {
      return LockedByJdk.OPEN; // The class object decides, not what Class itself locks.
    }
    return switch (operand.origin()) {
      case CLASS_LITERAL -> hierarchy.isOfTheJdk(name) ? LockedByJdk.YES : LockedByJdk.NO;
      case CLASS_LOADING_LOCK, STREAM_LOCK -> LockedByJdk.YES;
      case NEW, THIS, OTHER ->
          hierarchy.isLockedByTheJdk(name)
              ? LockedByJdk.YES
              : operand.origin() == Operand.Origin.NEW || !hierarchy.mayHaveLockedSubclass(name)
                  ? LockedByJdk.NO
                  : LockedByJdk.OPEN;
    };
  }

  /**
   * Keeps a lock from being released twice. A {@code monitorexit} does not throw; the call in its
   * place may, when the stack is full, but has released the lock by then. So the handler that
   * releases a lock must not cover the calls that release the same lock. Where javac lets the
   * handler cover itself, it would loop forever.
   */
  private void leaveOnce(Set<AbstractInsnNode> exits) {
    List<TryCatchBlockNode> blocks = new ArrayList<>();
    IdentityHashMap<AbstractInsnNode, LabelNode[]> around = new IdentityHashMap<>();
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      AbstractInsnNode exit = block.type == null ? exitFirst(block.handler, exits) : null;
      if (exit == null) {
        blocks.add(block);
      } else if (block.start != block.handler) {
        Set<AbstractInsnNode> same = identitySet();
        exits.stream().filter(each -> lockLocal(each) == lockLocal(exit)).forEach(same::add);
        blocks.addAll(without(block, same, around));
      }
    }
    method.tryCatchBlocks = blocks;
  }

  /**
   * Returns the call with which a handler releases a lock before it does anything else, or null. If
   * that was in a subroutine, the handler goes there by a {@code goto}, with a null as return
   * address.
   */
  private static AbstractInsnNode exitFirst(LabelNode handler, Set<AbstractInsnNode> exits) {
    Set<AbstractInsnNode> seen = identitySet();
    for (AbstractInsnNode each = handler.getNext(); each != null; each = each.getNext()) {
      if (exits.contains(each)) {
        return each;
      }
      if (!seen.add(each)) {
        return null;
      }
      if (each.getOpcode() == Opcodes.GOTO) {
        each = ((JumpInsnNode) each).label;
      } else if (each.getOpcode() >= 0
          && each.getOpcode() != Opcodes.ACONST_NULL
          && !(each instanceof VarInsnNode)) {
        return null;
      }
    }
    return null;
  }

  /** Returns the local that holds the lock which a call releases; compilers use one per lock. */
  private static int lockLocal(AbstractInsnNode exit) {
    AbstractInsnNode before = exit.getPrevious();
    while (before != null && before.getOpcode() < 0) {
      before = before.getPrevious();
    }
    return before instanceof VarInsnNode load && load.getOpcode() == Opcodes.ALOAD ? load.var : -1;
  }

  /** Returns the block without these instructions, as several blocks if needed. */
  private List<TryCatchBlockNode> without(
      TryCatchBlockNode block,
      Set<AbstractInsnNode> excluded,
      IdentityHashMap<AbstractInsnNode, LabelNode[]> around) {
    List<TryCatchBlockNode> parts = new ArrayList<>();
    LabelNode start = block.start;
    boolean empty = true;
    for (AbstractInsnNode each = block.start; each != block.end; each = each.getNext()) {
      if (excluded.contains(each)) {
        LabelNode[] labels = around.get(each);
        if (labels == null) {
          labels = new LabelNode[] {new LabelNode(), new LabelNode()};
          around.put(each, labels);
          method.instructions.insertBefore(each, labels[0]);
          method.instructions.insert(each, labels[1]);
        }
        if (!empty) {
          parts.add(part(block, start, labels[0]));
        }
        start = labels[1];
        empty = true;
      } else if (each.getOpcode() >= 0) {
        empty = false;
      }
    }
    if (!empty) {
      parts.add(part(block, start, block.end));
    }
    return parts;
  }

  private static TryCatchBlockNode part(TryCatchBlockNode block, LabelNode start, LabelNode end) {
    TryCatchBlockNode part = new TryCatchBlockNode(start, end, block.handler, block.type);
    part.visibleTypeAnnotations = block.visibleTypeAnnotations;
    part.invisibleTypeAnnotations = block.invisibleTypeAnnotations;
    return part;
  }

  /** Takes the lock around the body, as the JVM does for a synchronized method. */
  void replaceSynchronized() {
    method.access &= ~Opcodes.ACC_SYNCHRONIZED;
    boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
    InsnList code = method.instructions;
    // Class literals came with Java 5; nothing else has changed since the older class files.
    if (isStatic && (type.version & 0xffff) < Opcodes.V1_5) {
      type.version = Opcodes.V1_5;
    }
    int local = isStatic ? -1 : localOfThis();

    LabelNode start = new LabelNode();
    LabelNode end = new LabelNode();
    LabelNode handler = new LabelNode();
    Set<AbstractInsnNode> exits = identitySet();
    for (AbstractInsnNode instruction : code.toArray()) {
      if (instruction.getOpcode() >= Opcodes.IRETURN && instruction.getOpcode() <= Opcodes.RETURN) {
        MethodInsnNode exit = exit();
        code.insertBefore(instruction, load(local));
        code.insertBefore(instruction, exit);
        exits.add(exit);
      }
    }

    InsnList before = new InsnList();
    if (local > 0) {
      before.add(new VarInsnNode(Opcodes.ALOAD, 0));
      before.add(new VarInsnNode(Opcodes.ASTORE, local));
    }
    before.add(load(local));
    before.add(call("enter", "(Ljava/lang/Object;)V"));
    before.add(start);
    code.insert(before);
    code.add(end);
    code.add(handler);
    if ((type.version & 0xffff) >= Opcodes.V1_6) {
      code.add(handlerFrame(local));
    }
    code.add(load(local));
    code.add(exit());
    code.add(new InsnNode(Opcodes.ATHROW));
    method.maxStack = Math.max(method.maxStack + 1, 2);

    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, handler, null));
    // An exception from releasing is thrown after the lock was released: out of the method.
    List<TryCatchBlockNode> blocks = new ArrayList<>();
    IdentityHashMap<AbstractInsnNode, LabelNode[]> around = new IdentityHashMap<>();
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      blocks.addAll(without(block, exits, around));
    }
    method.tryCatchBlocks = blocks;
  }

  private AbstractInsnNode load(int local) {
    return local < 0
        ? new LdcInsnNode(Type.getObjectType(type.name))
        : new VarInsnNode(Opcodes.ALOAD, local);
  }

  /** Returns slot 0, or a slot of its own if the method stores something else there. */
  private int localOfThis() {
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof VarInsnNode store
          && store.var == 0
          && store.getOpcode() >= Opcodes.ISTORE
          && store.getOpcode() <= Opcodes.ASTORE) {
        int local = method.maxLocals++;
        for (AbstractInsnNode each : method.instructions) {
          if (each instanceof FrameNode frame) {
            frame.local = extended(frame.local, local, type.name);
          }
        }
        return local;
      }
    }
    return 0;
  }

  /** Returns the locals of a frame, with one more at this slot. */
  private static List<Object> extended(List<Object> locals, int slot, String name) {
    List<Object> result = new ArrayList<>(locals);
    int next = 0;
    for (Object local : locals) {
      next += local == Opcodes.LONG || local == Opcodes.DOUBLE ? 2 : 1;
    }
    result.addAll(Collections.nCopies(slot - next, Opcodes.TOP));
    result.add(name);
    return result;
  }

  private FrameNode handlerFrame(int local) {
    List<Object> locals = local < 0 ? List.of() : extended(List.of(), local, type.name);
    return new FrameNode(
        Opcodes.F_NEW, locals.size(), locals.toArray(), 1, new Object[] {"java/lang/Throwable"});
  }

  static Set<AbstractInsnNode> identitySet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }
}
