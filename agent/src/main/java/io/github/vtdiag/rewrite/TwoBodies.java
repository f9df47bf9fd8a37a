package io.github.vtdiag.rewrite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.AnalyzerAdapter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/**
 * Gives a method a second body for blocks whose static type does not show whether the JDK locks the
 * object too: {@code synchronized (map)} on a {@code Map} that may be a {@code synchronizedMap}.
 * The first body takes their locks, the second their monitors. At the start of such a block the
 * object decides in which of the two the thread continues. Branches around single instructions
 * would not work: HotSpot compiles no method in which a monitor is held on one path to an
 * instruction and not on another.
 */
@SuppressWarnings("ReferenceEquality") // nodes and ASM's frame constants go by identity
final class TwoBodies {
  private final ClassNode type;
  private final MethodNode method;
  private final Set<AbstractInsnNode> open;

  /** The copy in the second body of each node of the first. */
  private final IdentityHashMap<AbstractInsnNode, AbstractInsnNode> copies =
      new IdentityHashMap<>();

  /**
   * Creates this for a method that has not been changed yet.
   *
   * @param open the monitor instructions that are still undecided
   */
  TwoBodies(ClassNode type, MethodNode method, Set<AbstractInsnNode> open) {
    this.type = type;
    this.method = method;
    this.open = open;
  }

  /** Returns the copy in the second body of an instruction of the first. */
  AbstractInsnNode copy(AbstractInsnNode instruction) {
    return copies.get(instruction);
  }

  /**
   * Adds the second body. Inside a block that is already open the thread cannot switch to the other
   * body, because the block's end is in this one. A block inside it is left to {@code Monitors},
   * which stops the program if it is of the other kind.
   */
  void add(Interpreter<BasicValue> interpreter) throws AnalyzerException {
    Set<AbstractInsnNode> outermost = outermost(interpreter);
    IdentityHashMap<AbstractInsnNode, FrameNode> frames = framesAtEnters();
    AbstractInsnNode[] first = method.instructions.toArray();
    copyBody(first);
    for (AbstractInsnNode enter : first) {
      if (!open.contains(enter) || enter.getOpcode() != Opcodes.MONITORENTER) {
        continue;
      }
      AbstractInsnNode copy = copies.get(enter);
      if (outermost.contains(enter)) {
        LabelNode here = new LabelNode();
        LabelNode there = new LabelNode();
        FrameNode frame = frames.get(enter);
        goOver(enter, Opcodes.IFNE, there, here, frame);
        goOver(copy, Opcodes.IFEQ, here, there, frame);
      } else {
        InsnList check = new InsnList();
        check.add(new InsnNode(Opcodes.DUP));
        check.add(MethodRewriter.call("requireMonitor", "(Ljava/lang/Object;)V"));
        method.instructions.insertBefore(copy, check);
      }
    }
    method.maxStack++;
  }

  private void goOver(
      AbstractInsnNode enter, int opcode, LabelNode there, LabelNode here, FrameNode frame) {
    InsnList code = new InsnList();
    code.add(new InsnNode(Opcodes.DUP));
    code.add(MethodRewriter.call("keepsMonitor", "(Ljava/lang/Object;)Z"));
    code.add(new JumpInsnNode(opcode, there));
    code.add(here);
    if (frame != null) {
      code.add(frame.clone(SAME_LABELS));
    }
    int local = localOf(enter);
    if (local >= 0) {
      code.add(new InsnNode(Opcodes.DUP));
      code.add(new VarInsnNode(Opcodes.ASTORE, local));
    }
    method.instructions.insertBefore(enter, code);
  }

  /**
   * Returns the local that holds the object about to be locked, from which the end of the block
   * takes it. HotSpot's compilers must see that it is the same object, or they refuse the method;
   * but they lose track where branches meet. So it is stored once more.
   */
  private static int localOf(AbstractInsnNode enter) {
    return enter.getPrevious() instanceof VarInsnNode use
            && (use.getOpcode() == Opcodes.ALOAD
                || (use.getOpcode() == Opcodes.ASTORE
                    && use.getPrevious() != null
                    && use.getPrevious().getOpcode() == Opcodes.DUP))
        ? use.var
        : -1;
  }

  private void copyBody(AbstractInsnNode[] first) {
    Map<LabelNode, LabelNode> labels = new HashMap<>();
    for (AbstractInsnNode each : first) {
      if (each instanceof LabelNode label) {
        labels.put(label, new LabelNode());
      }
    }
    if (hasFrames() && !beginsWithFrame()) {
      method.instructions.add(entryFrame());
    }
    for (AbstractInsnNode each : first) {
      AbstractInsnNode copy = each.clone(labels);
      copies.put(each, copy);
      method.instructions.add(copy);
    }
    for (TryCatchBlockNode block : List.copyOf(method.tryCatchBlocks)) {
      TryCatchBlockNode copy =
          new TryCatchBlockNode(
              labels.get(block.start),
              labels.get(block.end),
              labels.get(block.handler),
              block.type);
      copy.visibleTypeAnnotations = block.visibleTypeAnnotations;
      copy.invisibleTypeAnnotations = block.invisibleTypeAnnotations;
      method.tryCatchBlocks.add(copy);
    }
    if (method.localVariables != null) {
      for (LocalVariableNode each : List.copyOf(method.localVariables)) {
        method.localVariables.add(
            new LocalVariableNode(
                each.name,
                each.desc,
                each.signature,
                labels.get(each.start),
                labels.get(each.end),
                each.index));
      }
    }
  }

  private boolean hasFrames() {
    return (type.version & 0xffff) >= Opcodes.V1_6;
  }

  /**
   * Returns whether the method begins with a frame. A loop that begins the method has one, and
   * there may not be a second.
   */
  private boolean beginsWithFrame() {
    for (AbstractInsnNode each : method.instructions) {
      if (each instanceof FrameNode || each.getOpcode() >= 0) {
        return each instanceof FrameNode;
      }
    }
    return false;
  }

  /**
   * Returns the frame at the beginning of the second body: that is unreachable, but the verifier
   * needs it.
   */
  private FrameNode entryFrame() {
    List<Object> locals = new ArrayList<>();
    if ((method.access & Opcodes.ACC_STATIC) == 0) {
      locals.add(method.name.equals("<init>") ? Opcodes.UNINITIALIZED_THIS : type.name);
    }
    for (Type argument : Type.getArgumentTypes(method.desc)) {
      locals.add(
          switch (argument.getSort()) {
            case Type.LONG -> Opcodes.LONG;
            case Type.DOUBLE -> Opcodes.DOUBLE;
            case Type.FLOAT -> Opcodes.FLOAT;
            case Type.OBJECT, Type.ARRAY -> argument.getInternalName();
            default -> Opcodes.INTEGER;
          });
    }
    return new FrameNode(Opcodes.F_NEW, locals.size(), locals.toArray(), 0, new Object[0]);
  }

  /** Returns the stack and the locals where each open block begins, for the verifier. */
  private IdentityHashMap<AbstractInsnNode, FrameNode> framesAtEnters() {
    IdentityHashMap<AbstractInsnNode, FrameNode> frames = new IdentityHashMap<>();
    if (!hasFrames()) {
      return frames;
    }
    Iterator<AbstractInsnNode> enters =
        List.of(method.instructions.toArray()).stream()
            .filter(each -> each.getOpcode() == Opcodes.MONITORENTER)
            .iterator();
    List<Runnable> later = new ArrayList<>();
    IdentityHashMap<Label, LabelNode> nodes = new IdentityHashMap<>();
    method.accept(
        new AnalyzerAdapter(
            Opcodes.ASM9, type.name, method.access, method.name, method.desc, null) {
          @Override
          public void visitInsn(int opcode) {
            if (opcode == Opcodes.MONITORENTER) {
              AbstractInsnNode enter = enters.next();
              if (locals != null) {
                List<Object> localsHere = List.copyOf(locals);
                List<Object> stackHere = List.copyOf(stack);
                later.add(() -> frames.put(enter, frame(localsHere, stackHere, nodes)));
              }
            }
            super.visitInsn(opcode);
          }
        });
    for (AbstractInsnNode each : method.instructions) {
      if (each instanceof LabelNode label) {
        nodes.put(label.getLabel(), label);
      }
    }
    later.forEach(Runnable::run);
    return frames;
  }

  /**
   * Returns a frame node. In {@code AnalyzerAdapter} a long takes two places, in a frame node one.
   */
  private static FrameNode frame(
      List<Object> locals, List<Object> stack, IdentityHashMap<Label, LabelNode> nodes) {
    Object[] inFrame = once(locals, nodes);
    Object[] onStack = once(stack, nodes);
    return new FrameNode(Opcodes.F_NEW, inFrame.length, inFrame, onStack.length, onStack);
  }

  private static Object[] once(List<Object> places, IdentityHashMap<Label, LabelNode> nodes) {
    List<Object> types = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      Object each = places.get(i);
      types.add(each instanceof Label label ? nodes.get(label) : each);
      if (each == Opcodes.LONG || each == Opcodes.DOUBLE) {
        i++;
      }
    }
    return types.toArray();
  }

  /**
   * Maps each label to itself: a frame's labels are those of {@code new} instructions of the first
   * body, in both bodies.
   */
  private static final Map<LabelNode, LabelNode> SAME_LABELS =
      new HashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        public LabelNode get(Object label) {
          return (LabelNode) label;
        }
      };

  /** Returns the open blocks that begin where no other open block is held on any path. */
  private Set<AbstractInsnNode> outermost(Interpreter<BasicValue> interpreter)
      throws AnalyzerException {
    Set<AbstractInsnNode> outermost = MethodRewriter.identitySet();
    Frame<BasicValue>[] frames = new HeldAnalyzer(interpreter).analyze(type.name, method);
    for (int i = 0; i < frames.length; i++) {
      AbstractInsnNode each = method.instructions.get(i);
      if (each.getOpcode() == Opcodes.MONITORENTER
          && open.contains(each)
          && frames[i] instanceof Held held
          && !held.kinds.contains(true)) {
        outermost.add(each);
      }
    }
    return outermost;
  }

  /**
   * A frame with the held monitors: for each, whether it belongs to an open block; innermost last.
   */
  private final class Held extends Frame<BasicValue> {
    /** No initializer: it would run after {@link #init}. */
    private List<Boolean> kinds;

    Held(int locals, int stack) {
      super(locals, stack);
      kinds = List.of();
    }

    Held(Frame<? extends BasicValue> other) {
      super(other);
    }

    @Override
    public Frame<BasicValue> init(Frame<? extends BasicValue> other) {
      kinds = ((Held) other).kinds;
      return super.init(other);
    }

    @Override
    public void execute(AbstractInsnNode instruction, Interpreter<BasicValue> interpreter)
        throws AnalyzerException {
      super.execute(instruction, interpreter);
      boolean isOpen = open.contains(instruction);
      if (instruction.getOpcode() == Opcodes.MONITORENTER) {
        kinds = new ArrayList<>(kinds);
        kinds.add(isOpen);
      } else if (instruction.getOpcode() == Opcodes.MONITOREXIT) {
        if (kinds.isEmpty() || kinds.getLast() != isOpen) {
          throw new AnalyzerException(instruction, "a monitorexit does not match its monitorenter");
        }
        kinds = kinds.subList(0, kinds.size() - 1);
      }
    }

    @Override
    public boolean merge(Frame<? extends BasicValue> other, Interpreter<BasicValue> interpreter)
        throws AnalyzerException {
      if (!kinds.equals(((Held) other).kinds)) {
        throw new AnalyzerException(null, "a monitor is held on only one of two paths");
      }
      return super.merge(other, interpreter);
    }
  }

  private final class HeldAnalyzer extends Analyzer<BasicValue> {
    HeldAnalyzer(Interpreter<BasicValue> interpreter) {
      super(interpreter);
    }

    @Override
    protected Frame<BasicValue> newFrame(int locals, int stack) {
      return new Held(locals, stack);
    }

    @Override
    protected Frame<BasicValue> newFrame(Frame<? extends BasicValue> frame) {
      return new Held(frame);
    }

    /**
     * Returns whether the analysis follows the edge from an instruction to a handler. Labels throw
     * nothing, and a {@code monitorexit} counts as throwing nothing. A {@code monitorenter} is not
     * followed either: ASM would go on with it done and not done, and the instructions around it
     * lead to the same handlers. An exception goes no further than a handler that catches
     * everything.
     */
    @Override
    protected boolean newControlFlowExceptionEdge(int index, TryCatchBlockNode handler) {
      int opcode = method.instructions.get(index).getOpcode();
      if (opcode < 0 || opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT) {
        return false;
      }
      for (TryCatchBlockNode block : method.tryCatchBlocks) {
        if (block == handler) {
          return true;
        }
        if (block.type == null
            && method.instructions.indexOf(block.start) <= index
            && index < method.instructions.indexOf(block.end)) {
          return false;
        }
      }
      return true;
    }
  }
}
