package io.github.vtdiag.locksite;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Loops that only another thread ends: they read fields, try to get a lock or await a latch, and
 * change nothing else.
 */
final class BusyWaits {
  private static final String ATOMIC = "java/util/concurrent/atomic/";
  private static final String LOCKS = "java/util/concurrent/locks/";
  private static final String UNIT = "java/util/concurrent/TimeUnit";

  private BusyWaits() {}

  /**
   * What the loop around that line waits for: fields, as {@code com.example.Foo.ready}, and what it
   * tries, as {@code ReentrantLock.tryLock()}.
   */
  static Optional<Set<String>> at(List<MethodCode> methods, String method, int line) {
    for (MethodCode code : methods) {
      if (code.name.equals(method)) {
        for (int last = 0; last < code.size(); last++) {
          if (code.instructions.get(last) instanceof JumpInsnNode jump) {
            int first = code.index(jump.label);
            if (first <= last && covers(code, first, last, line)) {
              Set<String> reads = reads(code, first, last);
              if (!reads.isEmpty()) {
                return Optional.of(reads);
              }
            }
          }
        }
      }
    }
    return Optional.empty();
  }

  private static boolean covers(MethodCode code, int first, int last, int line) {
    for (int i = first; i <= last; i++) {
      if (code.opcode(i) >= 0 && code.line(i) == line) {
        return true;
      }
    }
    return false;
  }

  /** Empty if the loop does anything but read, compare and pause. */
  private static Set<String> reads(MethodCode code, int first, int last) {
    Set<String> reads = new HashSet<>();
    for (int i = first; i <= last; i++) {
      AbstractInsnNode instruction = code.instructions.get(i);
      switch (instruction) {
        case FieldInsnNode field -> {
          if (writes(field)) {
            return Set.of();
          }
          if (!field.owner.equals(UNIT)) {
            reads.add(name(field));
          }
        }
        case MethodInsnNode call -> {
          if (isAttempt(call)) {
            reads.add(
                call.owner.substring(call.owner.lastIndexOf('/') + 1) + "." + call.name + "()");
          } else if (!isPause(call)) {
            return Set.of();
          }
        }
        default -> {
          if (changes(instruction.getOpcode())) {
            return Set.of();
          }
        }
      }
    }
    return reads;
  }

  /** Whether the call changes something only where it ends the loop. */
  private static boolean isAttempt(MethodInsnNode call) {
    return call.desc.endsWith(")Z")
        && switch (call.name) {
          case "tryLock" -> call.owner.startsWith(LOCKS);
          case "await" -> call.owner.equals("java/util/concurrent/CountDownLatch");
          case "tryAcquire" -> call.owner.equals("java/util/concurrent/Semaphore");
          case "compareAndSet" -> call.owner.startsWith(ATOMIC);
          default -> false;
        };
  }

  private static boolean isPause(MethodInsnNode call) {
    return switch (call.owner) {
      case "java/lang/Thread" -> true;
      case "java/lang/System" -> call.name.equals("nanoTime");
      default -> call.owner.startsWith(ATOMIC) && call.name.startsWith("get") && isGetter(call);
    };
  }

  private static boolean isGetter(MethodInsnNode call) {
    return !call.name.contains("And");
  }

  /** Whether an instruction leaves something behind for the next round. */
  private static boolean changes(int opcode) {
    return (opcode >= Opcodes.ISTORE && opcode <= Opcodes.SASTORE)
        || opcode == Opcodes.IINC
        || opcode == Opcodes.INVOKEDYNAMIC
        || opcode == Opcodes.MONITORENTER;
  }

  /** Whether a method of that name writes one of these fields, or what is in it. */
  static boolean writes(List<MethodCode> methods, String method, Set<String> fields) {
    for (MethodCode code : methods) {
      if (code.name.equals(method)) {
        boolean reads = false;
        boolean sets = false;
        for (int i = 0; i < code.size(); i++) {
          AbstractInsnNode instruction = code.instructions.get(i);
          if (instruction instanceof FieldInsnNode field && fields.contains(name(field))) {
            if (writes(field)) {
              return true;
            }
            reads = true;
          }
          sets |=
              instruction instanceof MethodInsnNode call
                  && call.owner.startsWith(ATOMIC)
                  && !(call.name.startsWith("get") && isGetter(call));
        }
        if (reads && sets) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean writes(FieldInsnNode field) {
    return field.getOpcode() == Opcodes.PUTFIELD || field.getOpcode() == Opcodes.PUTSTATIC;
  }

  private static String name(FieldInsnNode field) {
    return field.owner.replace('/', '.') + "." + field.name;
  }
}
