package io.github.vtdiag.locksite;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;

/**
 * Loops that only another thread ends: they read fields, try to get a lock or await a latch, and
 * change nothing else.
 */
final class BusyWaits {
  private static final String ATOMIC = "java/util/concurrent/atomic/";
  private static final String LOCKS = "java/util/concurrent/locks/";
  private static final String UNIT = "java/util/concurrent/TimeUnit";

  /** Methods that write to a log or a console, and what they need for that. */
  private static final Set<String> TELLS =
      Set.of(
          "log",
          "print",
          "println",
          "printf",
          "trace",
          "debug",
          "info",
          "warn",
          "warning",
          "error",
          "getMessage",
          "fine");

  private BusyWaits() {}

  private record Loop(MethodCode code, int first, int last) {
    @SuppressWarnings("ReferenceEquality") // one method or not is the question
    private boolean has(MethodCode method, int index) {
      return code == method && first <= index && index <= last;
    }

    /** The instructions after which a thread may go round once more. */
    private BitSet round() {
      BitSet round = new BitSet();
      round.set(last);
      boolean changed = true;
      while (changed) {
        changed = false;
        for (int i = last - 1; i >= first; i--) {
          if (!round.get(i) && next(i).anyMatch(round::get)) {
            round.set(i);
            changed = true;
          }
        }
      }
      return round;
    }

    private IntStream next(int i) {
      AbstractInsnNode instruction = code.instructions.get(i);
      Stream<LabelNode> jumps =
          switch (instruction) {
            case JumpInsnNode jump -> Stream.of(jump.label);
            case TableSwitchInsnNode table ->
                Stream.concat(Stream.of(table.dflt), table.labels.stream());
            case LookupSwitchInsnNode table ->
                Stream.concat(Stream.of(table.dflt), table.labels.stream());
            default -> Stream.of();
          };
      int opcode = instruction.getOpcode();
      boolean on =
          switch (opcode) {
            case Opcodes.GOTO, Opcodes.ATHROW, Opcodes.TABLESWITCH, Opcodes.LOOKUPSWITCH -> false;
            default -> opcode < Opcodes.IRETURN || opcode > Opcodes.RETURN;
          };
      Stream<LabelNode> handlers =
          code.tryCatchBlocks.stream()
              .filter(block -> code.index(block.start) <= i && i < code.index(block.end))
              .map(block -> block.handler);
      return IntStream.concat(
          on ? IntStream.of(i + 1) : IntStream.empty(),
          Stream.concat(jumps, handlers).mapToInt(code::index));
    }

    /** Whether a thread that caught an exception keeps it there, for this round only. */
    private boolean catches(int i) {
      int before = i - 1;
      while (before >= 0 && code.opcode(before) < 0) {
        before--;
      }
      int after = before;
      return code.opcode(i) == Opcodes.ASTORE
          && code.tryCatchBlocks.stream()
              .mapToInt(block -> code.index(block.handler))
              .anyMatch(handler -> after < handler && handler < i);
    }
  }

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

  /** Whether one of these calls comes behind that line, and no loop has both. */
  static boolean comesTo(List<MethodCode> methods, String method, int line, Set<String> calls) {
    List<Loop> loops = loops(methods, method, line);
    for (MethodCode code : methods) {
      boolean behind = false;
      for (int i = 0; i < code.size() && code.name.equals(method); i++) {
        int index = i;
        if (behind
            && code.instructions.get(i) instanceof MethodInsnNode call
            && calls.contains(call.owner + "." + call.name)
            && loops.stream().noneMatch(loop -> loop.has(code, index))) {
          return true;
        }
        behind |= code.opcode(i) >= 0 && code.line(i) == line;
      }
    }
    return false;
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

  /** Empty if a round does anything but read, compare, pause and tell of it. */
  private static Set<String> reads(Loop loop) {
    Set<String> reads = new HashSet<>();
    Set<String> questions = new HashSet<>();
    BitSet round = loop.round();
    for (int i = round.nextSetBit(0); i >= 0; i = round.nextSetBit(i + 1)) {
      AbstractInsnNode instruction = loop.code.instructions.get(i);
      switch (instruction) {
        case FieldInsnNode field -> {
          if (writes(field)) {
            return Set.of();
          }
          if (!field.owner.equals(UNIT) && !isLog(field.desc)) {
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
          if (changes(instruction) && !loop.catches(i)) {
            return Set.of();
          }
          if (isElement(instruction.getOpcode())) {
            questions.add("an array element");
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

  private static boolean isLog(String descriptor) {
    return descriptor.equals("Ljava/io/PrintStream;") || descriptor.endsWith("Logger;");
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

  /** Whether the call waits, or tells somebody that it does. */
  private static boolean isPause(MethodInsnNode call) {
    return switch (call.owner) {
      case "java/lang/Thread",
          "java/lang/String",
          "java/lang/StringBuilder",
          "java/lang/Math",
          "java/util/Random",
          "java/util/concurrent/ThreadLocalRandom" ->
          true;
      case "java/lang/Object" -> call.name.equals("wait");
      case UNIT -> call.name.equals("sleep");
      case "java/lang/System" -> call.name.equals("nanoTime");
      // A key is put into a box each time.
      case "java/lang/Integer", "java/lang/Long" -> call.name.equals("valueOf");
      // Who does not get another lock gives back what it has.
      default -> call.owner.startsWith(LOCKS) ? isTurn(call.name) : TELLS.contains(call.name);
    };
  }

  private static boolean isTurn(String method) {
    return method.startsWith("await")
        || method.equals("lock")
        || method.equals("lockInterruptibly")
        || method.equals("unlock");
  }

  private static boolean isGetter(MethodInsnNode call) {
    return !call.name.contains("And");
  }

  /** Whether an instruction leaves something behind for the next round. */
  private static boolean changes(AbstractInsnNode instruction) {
    int opcode = instruction.getOpcode();
    return (opcode >= Opcodes.ISTORE && opcode <= Opcodes.SASTORE)
        || opcode == Opcodes.IINC
        || (instruction instanceof InvokeDynamicInsnNode call
            && !call.name.equals("makeConcatWithConstants"))
        || opcode == Opcodes.MONITORENTER;
  }

  private static boolean isElement(int opcode) {
    return opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD;
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
