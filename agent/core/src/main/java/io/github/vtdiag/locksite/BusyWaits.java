package io.github.vtdiag.locksite;

import java.util.ArrayList;
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

  private record Loop(MethodCode code, int first, int last) {}

  /** The loops of methods of that name in which that line is. */
  private static List<Loop> loops(List<MethodCode> methods, String method, int line) {
    List<Loop> loops = new ArrayList<>();
    for (MethodCode code : methods) {
      if (code.name.equals(method)) {
        for (int last = 0; last < code.size(); last++) {
          if (code.instructions.get(last) instanceof JumpInsnNode jump) {
            int first = code.index(jump.label);
            if (first <= last && covers(code, first, last, line)) {
              loops.add(new Loop(code, first, last));
            }
          }
        }
      }
    }
    return loops;
  }

  /** Whether a method of that name goes back from behind that line to before it. */
  static boolean isInLoop(List<MethodCode> methods, String method, int line) {
    return !loops(methods, method, line).isEmpty();
  }

  /**
   * What the loop around that line waits for: fields, as {@code com.example.Foo.ready}, and what it
   * asks or tries, as {@code ReentrantLock.tryLock()}.
   */
  static Optional<Set<String>> at(List<MethodCode> methods, String method, int line) {
    return loops(methods, method, line).stream()
        .map(BusyWaits::reads)
        .filter(reads -> !reads.isEmpty())
        .findFirst();
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
  private static Set<String> reads(Loop loop) {
    Set<String> reads = new HashSet<>();
    Set<String> questions = new HashSet<>();
    for (int i = loop.first; i <= loop.last; i++) {
      AbstractInsnNode instruction = loop.code.instructions.get(i);
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
            reads.add(name(call) + "()");
          } else if (isQuestion(call)) {
            questions.add(name(call));
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
    // A field says better what is asked.
    return reads.isEmpty() ? questions : reads;
  }

  private static String name(MethodInsnNode call) {
    return call.owner.substring(call.owner.lastIndexOf('/') + 1) + "." + call.name;
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

  /** Whether the call asks for something that another thread brings about. */
  private static boolean isQuestion(MethodInsnNode call) {
    return switch (call.name) {
      case "containsKey", "isDone", "isTerminated", "isAlive", "getCount" ->
          call.owner.startsWith("java/");
      default ->
          call.name.startsWith("get")
              && isGetter(call)
              && (call.owner.startsWith(ATOMIC)
                  || (call.owner.startsWith("java/util/") && call.owner.endsWith("Map")));
    };
  }

  private static boolean isPause(MethodInsnNode call) {
    return switch (call.owner) {
      case "java/lang/Thread" -> true;
      case "java/lang/System" -> call.name.equals("nanoTime");
      // A key is put into a box each time.
      case "java/lang/Integer", "java/lang/Long" -> call.name.equals("valueOf");
      default -> false;
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
