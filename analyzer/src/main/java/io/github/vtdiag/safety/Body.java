package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.MONITORENTER;
import static org.objectweb.asm.Opcodes.PUTFIELD;
import static org.objectweb.asm.Opcodes.PUTSTATIC;

import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UnreadableClassException;
import io.github.vtdiag.safety.Origins.Origin;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/** The code of one method, with the origins of the objects that each instruction works on. */
final class Body {
  /**
   * The most slots that are followed. ASM keeps all frames at once; no compiler's output gets near
   * this limit.
   */
  private static final long MAX_SLOTS = 8 << 20;

  private static final Origins[] NOTHING = {};

  final MethodName method;
  private final Node node;
  private final TypeHierarchy hierarchy;

  /** The stack before each reachable instruction; null until it is needed. */
  private Origins[][] stacks;

  private List<AbstractInsnNode> reached;

  private Body(MethodName method, Node node, TypeHierarchy hierarchy) {
    this.method = method;
    this.node = node;
    this.hierarchy = hierarchy;
    if (node.instructions.size() > 0) {
      // ASM numbers them on the first request for one; several threads may request one later.
      node.instructions.get(0);
    }
  }

  private static final class Node extends MethodNode {
    private final Reader reader;

    /** The monitorenter instructions by bci. */
    private final Map<Integer, AbstractInsnNode> enters = new TreeMap<>();

    /** All calls by bci. */
    private final Map<Integer, AbstractInsnNode> calls = new TreeMap<>();

    Node(Reader reader, int access, String name, String descriptor) {
      super(ASM9, access, name, descriptor, null, null);
      this.reader = reader;
    }

    @Override
    public void visitInsn(int opcode) {
      super.visitInsn(opcode);
      if (opcode == MONITORENTER) {
        enters.put(reader.bci, instructions.getLast());
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String called, String of, boolean isInterface) {
      super.visitMethodInsn(opcode, owner, called, of, isInterface);
      calls.put(reader.bci, instructions.getLast());
    }

    @Override
    public void visitInvokeDynamicInsn(
        String called, String of, Handle bootstrap, Object... arguments) {
      super.visitInvokeDynamicInsn(called, of, bootstrap, arguments);
      calls.put(reader.bci, instructions.getLast());
    }
  }

  private static final class Reader extends ClassReader {
    private int bci;

    Reader(byte[] classFile) {
      super(classFile);
    }

    @Override
    protected void readBytecodeInstructionOffset(int offset) {
      bci = offset;
    }
  }

  /** Reads a method that the class is known to have. */
  static Body read(ClassFile type, MethodName method, TypeHierarchy hierarchy) {
    List<Node> found = new ArrayList<>();
    try {
      Reader reader = new Reader(type.bytes());
      reader.accept(
          new ClassVisitor(ASM9) {
            @Override
            public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
              if (!name.equals(method.name()) || !descriptor.equals(method.descriptor())) {
                return null;
              }
              found.add(new Node(reader, access, name, descriptor));
              return found.getLast();
            }
          },
          ClassReader.SKIP_FRAMES);
      return new Body(method, found.getFirst(), hierarchy);
    } catch (UnreadableClassException e) {
      throw e;
    } catch (RuntimeException | StackOverflowError e) {
      throw type.unreadable(e);
    }
  }

  private synchronized Origins[][] stacks() {
    if (stacks == null) {
      stacks = follow();
    }
    return stacks;
  }

  private Origins[][] follow() {
    Origins[][] found = new Origins[node.instructions.size()][];
    long slots = (long) found.length * (node.maxLocals + node.maxStack);
    if (slots <= MAX_SLOTS) {
      try {
        Frame<Origins>[] frames =
            new Analyzer<>(new OriginInterpreter(hierarchy)).analyze(method.owner(), node);
        for (int i = 0; i < found.length; i++) {
          found[i] = frames[i] == null ? null : stack(frames[i]);
        }
      } catch (UnreadableClassException e) {
        throw e;
      } catch (AnalyzerException | RuntimeException | AssertionError e) {
        // No verifier would pass such code.
      }
    }
    return found;
  }

  /** Returns the stack of a frame; the rest, which is most of it, is not kept. */
  private static Origins[] stack(Frame<Origins> frame) {
    Origins[] stack = frame.getStackSize() == 0 ? NOTHING : new Origins[frame.getStackSize()];
    for (int i = 0; i < stack.length; i++) {
      stack[i] = frame.getStack(i);
    }
    return stack;
  }

  /** Returns whether the code could be followed; abstract methods have none. */
  boolean isKnown() {
    return node.instructions.size() > 0 && stacks()[0] != null;
  }

  boolean isStatic() {
    return (node.access & ACC_STATIC) != 0;
  }

  /** Returns the reachable instructions. */
  synchronized List<AbstractInsnNode> instructions() {
    if (reached == null) {
      reached = new ArrayList<>();
      for (int i = 0; i < stacks().length; i++) {
        if (stacks[i] != null && node.instructions.get(i).getOpcode() >= 0) {
          reached.add(node.instructions.get(i));
        }
      }
    }
    return reached;
  }

  /** Returns all instructions, without following the code. */
  Iterable<AbstractInsnNode> code() {
    return node.instructions;
  }

  List<TryCatchBlockNode> handlers() {
    return node.tryCatchBlocks;
  }

  /** Returns whether an instruction sets the field, whichever class it names as the owner. */
  static boolean sets(FieldInsnNode put, ClassFile.Field field, TypeHierarchy hierarchy) {
    return (put.getOpcode() == PUTFIELD || put.getOpcode() == PUTSTATIC)
        && put.name.equals(field.name().name())
        && hierarchy.field(put.owner, put.name).filter(field::equals).isPresent();
  }

  /** Returns the calls at some bcis, without following the code. */
  List<AbstractInsnNode> calls(IntPredicate isWanted) {
    List<AbstractInsnNode> calls = new ArrayList<>();
    node.calls.forEach(
        (bci, call) -> {
          if (isWanted.test(bci)) {
            calls.add(call);
          }
        });
    return calls;
  }

  /** Passes on all calls and their bcis in order, without following the code. */
  void calls(BiConsumer<Integer, AbstractInsnNode> each) {
    node.calls.forEach(each);
  }

  /** Returns the call at a bci; null if there is none. */
  AbstractInsnNode callAt(int bci) {
    return node.calls.get(bci);
  }

  AbstractInsnNode instruction(int index) {
    return node.instructions.get(index);
  }

  int index(AbstractInsnNode instruction) {
    return node.instructions.indexOf(instruction);
  }

  /** Returns the bcis of all monitorenter instructions. */
  Iterable<Integer> enters() {
    return node.enters.keySet();
  }

  /** Returns the origins of the object that the monitorenter at a bci locks. */
  Origins lockedAt(int bci) {
    AbstractInsnNode enter = node.enters.get(bci);
    if (enter == null) {
      return Origins.UNKNOWN;
    }
    Origins locked = operand(enter, 0);
    if (locked.all().stream().noneMatch(Body::isObject)) {
      return locked;
    }
    InstanceChecks checks = new InstanceChecks(node);
    Optional<String> proven = checks.type(enter);
    Set<Origin> checked = new LinkedHashSet<>();
    for (Origin origin : locked.all()) {
      checked.add(
          !isObject(origin)
              ? origin
              : proven
                  .or(
                      () ->
                          origin.isParameter()
                              ? checks.type(origin.slot(), enter)
                              : Optional.empty())
                  .map(type -> new Origin(origin.instruction(), origin.slot(), type))
                  .orElse(origin));
    }
    return new Origins(1, checked);
  }

  private static boolean isObject(Origin origin) {
    return origin.type().equals(TypeHierarchy.OBJECT);
  }

  /** Returns the origins of an operand of an instruction; depth 0 is the top of the stack. */
  Origins operand(AbstractInsnNode instruction, int depth) {
    Origins[] stack = stacks()[node.instructions.indexOf(instruction)];
    return stack == null || stack.length <= depth
        ? Origins.UNKNOWN
        : stack[stack.length - 1 - depth];
  }

  /**
   * Returns whether an instruction that writes a field may write null. Only the instructions since
   * the previous field write count.
   */
  boolean mayBeNull(AbstractInsnNode put) {
    if (operand(put, 0).all().isEmpty()) {
      return true;
    }
    for (AbstractInsnNode at = put.getPrevious(); at != null; at = at.getPrevious()) {
      if (at.getOpcode() == ACONST_NULL) {
        return true;
      }
      if (at instanceof FieldInsnNode other && FieldExamination.isPut(other)) {
        return false;
      }
    }
    return false;
  }

  /** Returns the origins of the result of each return instruction. */
  List<Origins> returned() {
    return instructions().stream()
        .filter(each -> each.getOpcode() == ARETURN)
        .map(each -> operand(each, 0))
        .toList();
  }

  /** Returns the receiver (if there is one) and the arguments of a call. */
  List<Origins> arguments(AbstractInsnNode call, String descriptor, boolean receiver) {
    int count = Type.getArgumentCount(descriptor) + (receiver ? 1 : 0);
    List<Origins> arguments = new ArrayList<>();
    for (int i = count - 1; i >= 0; i--) {
      arguments.add(operand(call, i));
    }
    return arguments;
  }

  List<Origins> arguments(MethodInsnNode call) {
    return arguments(call, call.desc, call.getOpcode() != INVOKESTATIC);
  }

  /**
   * Returns the receiver and the arguments of a call, or the values that a lambda captures; empty
   * for any other instruction.
   */
  List<Origins> given(AbstractInsnNode call) {
    return switch (call) {
      case MethodInsnNode named -> arguments(named);
      case InvokeDynamicInsnNode lambda -> arguments(lambda, lambda.desc, false);
      case null, default -> List.of();
    };
  }

  /** Returns the position among {@link #arguments} of the parameter in a local variable slot. */
  int position(int slot) {
    int position = 0;
    int at = 0;
    if (!isStatic()) {
      if (slot == 0) {
        return 0;
      }
      position = 1;
      at = 1;
    }
    for (Type type : Type.getArgumentTypes(node.desc)) {
      if (at == slot) {
        return position;
      }
      at += type.getSize();
      position++;
    }
    throw new IllegalArgumentException("no parameter in slot " + slot + " of " + method);
  }

  /** Returns the line of an instruction, or -1. */
  int line(AbstractInsnNode instruction) {
    for (AbstractInsnNode at = instruction; at != null; at = at.getPrevious()) {
      if (at instanceof LineNumberNode entry) {
        return entry.line;
      }
    }
    return -1;
  }

  /**
   * Returns the field that the method reads, if it is an accessor made for it by javac before 11.
   */
  Optional<FieldInsnNode> accessedField() {
    if (!method.name().startsWith("access$") || !isStatic()) {
      return Optional.empty();
    }
    List<AbstractInsnNode> code =
        instructions().stream().filter(each -> each.getOpcode() != ALOAD).toList();
    return code.size() == 2
            && code.get(0) instanceof FieldInsnNode field
            && code.get(1).getOpcode() == ARETURN
            && (field.getOpcode() == GETFIELD || field.getOpcode() == GETSTATIC)
        ? Optional.of(field)
        : Optional.empty();
  }
}
