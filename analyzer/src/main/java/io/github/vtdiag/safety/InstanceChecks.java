package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.IFEQ;
import static org.objectweb.asm.Opcodes.IFNE;
import static org.objectweb.asm.Opcodes.INSTANCEOF;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** The types that {@code instanceof} proves, if every path to a place passes the check. */
final class InstanceChecks {
  private final MethodNode method;

  InstanceChecks(MethodNode method) {
    this.method = method;
  }

  /**
   * Returns the type that the object on top of the stack is known to have at an instruction. It has
   * to come from a local variable, which may be a copy of the one that was checked, as where
   * Kotlin's compiler inlines a function.
   */
  Optional<String> type(AbstractInsnNode at) {
    return new CheckedCopies(method).type(at);
  }

  /** Returns the type that a parameter, by its slot, is known to have at an instruction. */
  Optional<String> type(int slot, AbstractInsnNode at) {
    Set<String> checked = new LinkedHashSet<>();
    for (AbstractInsnNode each : method.instructions) {
      if (each instanceof VarInsnNode store && store.getOpcode() == ASTORE && store.var == slot) {
        return Optional.empty(); // It may be another object by then.
      }
      check(slot, each).ifPresent(checked::add);
    }
    return checked.stream().filter(type -> !isReachedWithout(slot, type, at)).findFirst();
  }

  /** Returns the type that a jump checks, if it checks the parameter. */
  private static Optional<String> check(int slot, AbstractInsnNode instruction) {
    return (instruction.getOpcode() == IFEQ || instruction.getOpcode() == IFNE)
            && before(instruction) instanceof TypeInsnNode test
            && test.getOpcode() == INSTANCEOF
            && before(test) instanceof VarInsnNode load
            && load.getOpcode() == ALOAD
            && load.var == slot
        ? Optional.of(test.desc)
        : Optional.empty();
  }

  private static AbstractInsnNode before(AbstractInsnNode instruction) {
    AbstractInsnNode at = instruction.getPrevious();
    // At a label, a jump may arrive with something else on the stack.
    while (at != null && at.getOpcode() < 0 && !(at instanceof LabelNode)) {
      at = at.getPrevious();
    }
    return at;
  }

  private boolean isReachedWithout(int slot, String type, AbstractInsnNode target) {
    Set<AbstractInsnNode> reached = new HashSet<>();
    List<AbstractInsnNode> next = new ArrayList<>(List.of(method.instructions.getFirst()));
    while (!next.isEmpty()) {
      AbstractInsnNode each = next.removeLast();
      if (each == null || !reached.add(each)) {
        continue;
      }
      if (each.equals(target)) {
        return true;
      }
      boolean isCheck = check(slot, each).filter(type::equals).isPresent();
      if (!(isCheck && each.getOpcode() == IFNE)) {
        next.addAll(CheckedCopies.jumps(each));
      }
      if (CheckedCopies.goesOn(each) && !(isCheck && each.getOpcode() == IFEQ)) {
        next.add(each.getNext());
      }
      for (TryCatchBlockNode block : method.tryCatchBlocks) {
        int index = method.instructions.indexOf(each);
        if (index >= method.instructions.indexOf(block.start)
            && index < method.instructions.indexOf(block.end)) {
          next.add(block.handler);
        }
      }
    }
    return false;
  }
}
