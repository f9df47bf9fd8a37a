package io.github.vtdiag.locksite;

import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNCHRONIZED;
import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.GOTO;
import static org.objectweb.asm.Opcodes.INSTANCEOF;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.MONITORENTER;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.PUTSTATIC;
import static org.objectweb.asm.Opcodes.RETURN;

import io.github.vtdiag.model.MethodMonitors.CallSite;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The instructions of one method, with the bci and line of each as the JVM counts them.
 *
 * <p>An index is a position in {@link #instructions}, where ASM also keeps labels and line numbers;
 * these share the bci of the next instruction.
 */
final class MethodCode extends MethodNode {
  private int[] bcis = new int[64];
  private int[] lines = {};

  /**
   * The last line of the own source file. Higher ones number code that Kotlin's compiler has
   * inlined.
   */
  int lastOwnLine = Integer.MAX_VALUE;

  /**
   * @param bci gives the bci of the instruction being read
   */
  MethodCode(int access, String name, String descriptor, IntSupplier bci) {
    super(ASM9, access, name, descriptor, null, null);
    instructions =
        new InsnList() {
          @Override
          public void add(AbstractInsnNode instruction) {
            if (size() == bcis.length) {
              bcis = Arrays.copyOf(bcis, 2 * bcis.length);
            }
            bcis[size()] = bci.getAsInt();
            super.add(instruction);
          }
        };
  }

  @Override
  public void visitEnd() {
    lines = new int[instructions.size()];
    Arrays.fill(lines, -1);
    int first = -1;
    int last = -1;
    int lineBci = -1;
    for (int i = 0; i < lines.length; i++) {
      if (instructions.get(i) instanceof LineNumberNode entry) {
        if (bcis[i] != lineBci) {
          first = entry.line;
          lineBci = bcis[i];
        }
        last = entry.line;
      }
      // If several entries have one bci, HotSpot takes the first at that bci, and the last beyond
      // it (Method::line_number_from_bci).
      lines[i] = bcis[i] == lineBci ? first : last;
    }
  }

  int size() {
    return instructions.size();
  }

  int bci(int index) {
    return bcis[index];
  }

  /** Returns the instruction at a bci; empty if none begins there. */
  Optional<AbstractInsnNode> at(int bci) {
    return IntStream.range(0, size())
        .filter(i -> opcode(i) >= 0 && bcis[i] == bci)
        .mapToObj(instructions::get)
        .findFirst();
  }

  /** Returns the line of the instruction, or -1. */
  int line(int index) {
    return lines[index];
  }

  /** Returns the indices at which an object is stored into that local variable. */
  List<Integer> stores(int variable) {
    return IntStream.range(0, size())
        .filter(i -> opcode(i) == ASTORE && ((VarInsnNode) instructions.get(i)).var == variable)
        .boxed()
        .toList();
  }

  /** Returns the opcode, or -1 for a label or line number. */
  int opcode(int index) {
    return instructions.get(index).getOpcode();
  }

  /** Returns the index of the instruction before one, without labels and lines; 0 if none is. */
  int before(int index) {
    int before = index - 1;
    while (before > 0 && opcode(before) < 0) {
      before--;
    }
    return Math.max(before, 0);
  }

  /** Returns the index of the first instruction from one on, without labels and lines. */
  int from(int index) {
    int first = index;
    while (first < size() - 1 && opcode(first) < 0) {
      first++;
    }
    return first;
  }

  int index(LabelNode label) {
    return instructions.indexOf(label);
  }

  /** Returns the indices of the instructions that can come after one that throws nothing. */
  List<Integer> successors(int index) {
    return switch (instructions.get(index)) {
      case JumpInsnNode jump when jump.getOpcode() == GOTO -> List.of(index(jump.label));
      case JumpInsnNode jump -> List.of(index(jump.label), index + 1);
      case TableSwitchInsnNode table -> targets(table.dflt, table.labels);
      case LookupSwitchInsnNode lookup -> targets(lookup.dflt, lookup.labels);
      default -> returns(index) || opcode(index) == ATHROW ? List.of() : List.of(index + 1);
    };
  }

  private List<Integer> targets(LabelNode otherwise, List<LabelNode> labels) {
    return Stream.concat(Stream.of(otherwise), labels.stream()).map(this::index).toList();
  }

  /** Returns whether the instruction returns from the method. */
  boolean returns(int index) {
    return IRETURN <= opcode(index) && opcode(index) <= RETURN;
  }

  boolean isStatic() {
    return (access & ACC_STATIC) != 0;
  }

  boolean isSynchronized() {
    return (access & ACC_SYNCHRONIZED) != 0;
  }

  boolean has(int opcode) {
    for (int i = 0; i < size(); i++) {
      if (opcode(i) == opcode) {
        return true;
      }
    }
    return false;
  }

  List<CallSite> callSites() {
    List<CallSite> sites = new ArrayList<>();
    for (int i = 0; i < size(); i++) {
      if (canHaveCallee(instructions.get(i))) {
        sites.add(new CallSite(bcis[i], lines[i], initializes(instructions.get(i))));
      }
    }
    return sites;
  }

  /** Returns the class that the instruction requires to be initialized first (JVMS 5.5). */
  static String initializes(AbstractInsnNode instruction) {
    return switch (instruction.getOpcode()) {
      case NEW -> dotted(((TypeInsnNode) instruction).desc);
      case GETSTATIC, PUTSTATIC -> dotted(((FieldInsnNode) instruction).owner);
      case INVOKESTATIC -> {
        MethodInsnNode call = (MethodInsnNode) instruction;
        yield call.owner.equals("java/lang/Class") && call.name.equals("forName")
            ? forName(call)
            : dotted(call.owner);
      }
      default -> "";
    };
  }

  /** Returns the class that {@code Class.forName} gets by a literal name. */
  private static String forName(MethodInsnNode call) {
    // Not behind a label, to which a branch can come with another name.
    return call.desc.equals("(Ljava/lang/String;)Ljava/lang/Class;")
            && call.getPrevious() instanceof LdcInsnNode constant
            && constant.cst instanceof String name
        ? name
        : "";
  }

  private static String dotted(String internalName) {
    return internalName.replace('/', '.');
  }

  /** Returns whether the instruction calls, blocks, or can load or initialize a class. */
  static boolean canHaveCallee(AbstractInsnNode instruction) {
    return switch (instruction.getType()) {
      case AbstractInsnNode.METHOD_INSN,
          AbstractInsnNode.INVOKE_DYNAMIC_INSN,
          AbstractInsnNode.FIELD_INSN,
          AbstractInsnNode.MULTIANEWARRAY_INSN ->
          true;
      case AbstractInsnNode.LDC_INSN -> {
        Object constant = ((LdcInsnNode) instruction).cst;
        yield constant instanceof Type
            || constant instanceof Handle
            || constant instanceof ConstantDynamic;
      }
      default ->
          switch (instruction.getOpcode()) {
            case NEW, ANEWARRAY, CHECKCAST, INSTANCEOF, MONITORENTER -> true;
            default -> false;
          };
    };
  }
}
