package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.DSTORE;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.GOTO;
import static org.objectweb.asm.Opcodes.IFEQ;
import static org.objectweb.asm.Opcodes.IFNE;
import static org.objectweb.asm.Opcodes.INSTANCEOF;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.ISTORE;
import static org.objectweb.asm.Opcodes.JSR;
import static org.objectweb.asm.Opcodes.LSTORE;
import static org.objectweb.asm.Opcodes.RET;
import static org.objectweb.asm.Opcodes.RETURN;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The type that {@code instanceof} proves for a local variable or its copies. All paths that lead
 * to a place are followed backwards, and each has to come from the branch of such a check.
 */
final class CheckedCopies {
  /**
   * The moment before an instruction.
   *
   * @param slot the local variable that has the object then
   */
  private record Point(AbstractInsnNode next, int slot) {}

  /**
   * A jump that checks a type.
   *
   * @param slots the local variables that have the checked object
   */
  private record Check(String type, Set<Integer> slots) {}

  private final MethodNode method;
  private final Set<AbstractInsnNode> targets = new HashSet<>();
  private final Map<AbstractInsnNode, List<AbstractInsnNode>> before = new HashMap<>();
  private final Map<AbstractInsnNode, List<AbstractInsnNode>> thrown = new HashMap<>();
  private final Map<AbstractInsnNode, Check> checks = new HashMap<>();
  private boolean hasSubroutines;

  CheckedCopies(MethodNode method) {
    this.method = method;
    for (AbstractInsnNode each : method.instructions) {
      hasSubroutines |= each.getOpcode() == JSR || each.getOpcode() == RET;
      for (AbstractInsnNode next : next(each)) {
        before.computeIfAbsent(next, same -> new ArrayList<>()).add(each);
      }
      jumps(each).forEach(targets::add);
    }
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      targets.add(block.handler);
      for (AbstractInsnNode at = block.start;
          at != null && !at.equals(block.end);
          at = at.getNext()) {
        thrown.computeIfAbsent(block.handler, same -> new ArrayList<>()).add(at);
      }
    }
    for (AbstractInsnNode each : method.instructions) {
      check(each).ifPresent(check -> checks.put(each, check));
    }
  }

  /** Returns the type of the object on top of the stack, if it is known. */
  Optional<String> type(AbstractInsnNode at) {
    AbstractInsnNode load = previous(at);
    if (load instanceof VarInsnNode store && store.getOpcode() == ASTORE) {
      AbstractInsnNode copy = previous(store);
      load = copy != null && copy.getOpcode() == DUP ? previous(copy) : null;
    }
    if (hasSubroutines || !(load instanceof VarInsnNode variable) || load.getOpcode() != ALOAD) {
      return Optional.empty();
    }
    Set<String> types = new LinkedHashSet<>();
    checks.values().forEach(check -> types.add(check.type()));
    return types.stream()
        .filter(type -> isProven(type, new Point(variable, variable.var)))
        .findFirst();
  }

  private boolean isProven(String type, Point last) {
    Set<Point> met = new HashSet<>();
    List<Point> todo = new ArrayList<>(List.of(last));
    while (!todo.isEmpty()) {
      Point point = todo.removeLast();
      if (!met.add(point)) {
        continue;
      }
      if (point.next().equals(method.instructions.getFirst())) {
        return false;
      }
      // An instruction throws before it stores anything.
      thrown
          .getOrDefault(point.next(), List.of())
          .forEach(each -> todo.add(new Point(each, point.slot())));
      for (AbstractInsnNode each : before.getOrDefault(point.next(), List.of())) {
        if (isChecked(type, point, each)) {
          continue;
        }
        if (isStore(each, point.slot())) {
          Optional<VarInsnNode> copied = copied(each);
          if (copied.isEmpty()) {
            return false;
          }
          todo.add(new Point(copied.get(), copied.get().var));
        } else {
          todo.add(new Point(each, point.slot()));
        }
      }
    }
    return true;
  }

  /** Returns whether this instruction is a check, and this way leads on only if it succeeds. */
  private boolean isChecked(String type, Point point, AbstractInsnNode instruction) {
    Check check = checks.get(instruction);
    if (check == null || !check.type().equals(type) || !check.slots().contains(point.slot())) {
      return false;
    }
    boolean isJump = ((JumpInsnNode) instruction).label.equals(point.next());
    boolean isFallThrough = instruction.getNext().equals(point.next());
    return instruction.getOpcode() == IFNE ? !isFallThrough : !isJump;
  }

  private Optional<Check> check(AbstractInsnNode instruction) {
    if ((instruction.getOpcode() != IFEQ && instruction.getOpcode() != IFNE)
        || !(previous(instruction) instanceof TypeInsnNode test)
        || test.getOpcode() != INSTANCEOF
        || !(previous(test) instanceof VarInsnNode load)
        || load.getOpcode() != ALOAD) {
      return Optional.empty();
    }
    Set<Integer> slots = new HashSet<>(Set.of(load.var));
    AbstractInsnNode store = previous(load);
    if (store != null && isStore(store, load.var)) {
      copied(store).ifPresent(original -> slots.add(original.var));
    }
    return Optional.of(new Check(test.desc, slots));
  }

  private static boolean isStore(AbstractInsnNode instruction, int slot) {
    return instruction instanceof VarInsnNode store
        && store.getOpcode() >= ISTORE
        && store.getOpcode() <= ASTORE
        && (store.var == slot
            || (store.var == slot - 1
                && (store.getOpcode() == LSTORE || store.getOpcode() == DSTORE)));
  }

  /** Returns the instruction that loads the variable which is copied here. */
  private Optional<VarInsnNode> copied(AbstractInsnNode store) {
    return store.getOpcode() == ASTORE
            && previous(store) instanceof VarInsnNode load
            && load.getOpcode() == ALOAD
        ? Optional.of(load)
        : Optional.empty();
  }

  /** Returns the instruction before, unless a jump may lead to this one. */
  private AbstractInsnNode previous(AbstractInsnNode instruction) {
    AbstractInsnNode at = instruction.getPrevious();
    while (at != null && at.getOpcode() < 0 && !targets.contains(at)) {
      at = at.getPrevious();
    }
    return at;
  }

  private static List<AbstractInsnNode> next(AbstractInsnNode instruction) {
    List<AbstractInsnNode> next = new ArrayList<>(jumps(instruction));
    if (goesOn(instruction) && instruction.getNext() != null) {
      next.add(instruction.getNext());
    }
    return next;
  }

  /** Returns the labels to which an instruction can jump. */
  static List<LabelNode> jumps(AbstractInsnNode instruction) {
    List<LabelNode> labels = new ArrayList<>();
    switch (instruction) {
      case JumpInsnNode jump -> labels.add(jump.label);
      case TableSwitchInsnNode table -> {
        labels.add(table.dflt);
        labels.addAll(table.labels);
      }
      case LookupSwitchInsnNode lookup -> {
        labels.add(lookup.dflt);
        labels.addAll(lookup.labels);
      }
      default -> {}
    }
    return labels;
  }

  /** Returns whether the next instruction can follow. */
  static boolean goesOn(AbstractInsnNode instruction) {
    int opcode = instruction.getOpcode();
    return opcode != GOTO
        && opcode != ATHROW
        && !(opcode >= IRETURN && opcode <= RETURN)
        && !(instruction instanceof TableSwitchInsnNode)
        && !(instruction instanceof LookupSwitchInsnNode);
  }
}
