package io.github.vtdiag.safety;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/** Follows the ways through a constructor or an initializer on which nothing sets a field. */
final class UnsetPaths {
  private final Body body;
  private final Predicate<AbstractInsnNode> sets;
  private final BitSet seen = new BitSet();
  private final Deque<AbstractInsnNode> open = new ArrayDeque<>();

  private UnsetPaths(Body body, Predicate<AbstractInsnNode> sets) {
    this.body = body;
    this.sets = sets;
  }

  /** Returns whether the code can return without an instruction that sets the field. */
  static boolean leadThrough(Body body, Predicate<AbstractInsnNode> sets) {
    return new UnsetPaths(body, sets).returns();
  }

  private boolean returns() {
    for (AbstractInsnNode first : body.code()) {
      visit(first);
      break;
    }
    while (!open.isEmpty()) {
      AbstractInsnNode at = open.pop();
      if (at.getOpcode() == Opcodes.RETURN) {
        return true;
      }
      if (!sets.test(at)) {
        follow(at);
      }
    }
    return false;
  }

  private void follow(AbstractInsnNode at) {
    int index = body.index(at);
    for (TryCatchBlockNode handler : body.handlers()) {
      if (body.index(handler.start) <= index && index < body.index(handler.end)) {
        visit(handler.handler);
      }
    }
    switch (at) {
      case JumpInsnNode jump -> visit(jump.label);
      case TableSwitchInsnNode choice -> {
        choice.labels.forEach(this::visit);
        visit(choice.dflt);
      }
      case LookupSwitchInsnNode choice -> {
        choice.labels.forEach(this::visit);
        visit(choice.dflt);
      }
      default -> {}
    }
    boolean falls =
        switch (at.getOpcode()) {
          case Opcodes.GOTO, Opcodes.ATHROW, Opcodes.TABLESWITCH, Opcodes.LOOKUPSWITCH -> false;
          default -> true;
        };
    if (falls && at.getNext() != null) {
      visit(at.getNext());
    }
  }

  private void visit(AbstractInsnNode next) {
    if (!seen.get(body.index(next))) {
      seen.set(body.index(next));
      open.push(next);
    }
  }
}
