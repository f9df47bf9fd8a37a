package io.github.vtdiag.locksite;

import io.github.vtdiag.model.LoopTarget;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Loops that only another thread ends. They read fields, try to get a lock or await a latch, and
 * change nothing else. They may change a variable that counts the rounds and does not end the loop.
 */
final class BusyWaits {
  static final String ATOMIC = "java/util/concurrent/atomic/";
  private static final String LOCKS = "java/util/concurrent/locks/";
  static final String UNIT = "java/util/concurrent/TimeUnit";

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

  /** Returns whether a method of that name jumps from after that line back to before it. */
  static boolean isInLoop(List<MethodCode> methods, String method, int line) {
    return !CodeLoop.around(methods, method, line).isEmpty();
  }

  /** Returns whether a loop around that line calls a method of the application, but to log. */
  static boolean works(List<MethodCode> methods, String method, int line) {
    return CodeLoop.around(methods, method, line).stream()
        .anyMatch(
            loop ->
                loop.round().stream()
                    .mapToObj(loop.code().instructions::get)
                    .anyMatch(BusyWaits::works));
  }

  private static boolean works(AbstractInsnNode instruction) {
    return instruction instanceof MethodInsnNode call
        && !call.owner.startsWith("java/")
        && !call.owner.startsWith("[")
        && !TELLS.contains(call.name);
  }

  /** Returns whether one of these calls follows that line, and no loop contains both. */
  static boolean comesTo(List<MethodCode> methods, String method, int line, Set<String> calls) {
    List<CodeLoop> loops = CodeLoop.around(methods, method, line);
    for (MethodCode code : methods) {
      boolean behind = false;
      for (int i = 0; i < code.size() && code.name.equals(method); i++) {
        int index = i;
        if (behind
            && code.instructions.get(i) instanceof MethodInsnNode call
            && isOneOf(call, calls)
            && loops.stream().noneMatch(loop -> loop.has(code, index))) {
          return true;
        }
        behind |= code.opcode(i) >= 0 && code.line(i) == line;
      }
    }
    return false;
  }

  /** Returns whether a loop around that line has one of these calls. */
  static boolean comesBackTo(List<MethodCode> methods, String method, int line, Set<String> calls) {
    return CodeLoop.around(methods, method, line).stream()
        .anyMatch(
            loop ->
                IntStream.rangeClosed(loop.first(), loop.last())
                    .mapToObj(loop.code().instructions::get)
                    .anyMatch(
                        instruction ->
                            instruction instanceof MethodInsnNode call && isOneOf(call, calls)));
  }

  /**
   * @param calls as {@code java/util/concurrent/CountDownLatch.countDown}
   */
  static boolean isOneOf(MethodInsnNode call, Set<String> calls) {
    return calls.contains(call.owner + "." + call.name);
  }

  /**
   * Returns what the loop around that line waits for: fields, and what it asks or tries.
   *
   * @param helper a method that {@link #onlyPauses}, as {@code com/example/Foo.pause}; or empty
   * @param classes returns the methods of the classes of that name, as {@code com/example/Foo}
   */
  static Optional<Set<LoopTarget>> at(
      List<MethodCode> methods,
      String method,
      int line,
      String helper,
      Function<String, List<MethodCode>> classes) {
    return CodeLoop.around(methods, method, line).stream()
        .map(loop -> reads(loop, helper, classes))
        .filter(reads -> !reads.isEmpty())
        .findFirst();
  }

  /** Empty if a round does anything but read, compare, pause and tell of it. */
  private static Set<LoopTarget> reads(
      CodeLoop loop, String helper, Function<String, List<MethodCode>> classes) {
    Set<LoopTarget> reads = new HashSet<>();
    Set<LoopTarget> questions = new HashSet<>();
    BitSet round = loop.round();
    BitSet beats = Beats.of(loop.code(), round, classes);
    BitSet sleeps = Sleeps.of(loop.code(), round, classes);
    BitSet between = (BitSet) beats.clone();
    between.or(sleeps);
    between.or(OptimisticReads.of(loop, round));
    BitSet polls = new BitSet();
    boolean counts = false;
    // A query with an argument may depend on the count.
    boolean asksOther = false;
    boolean tries = false;
    for (int i = round.nextSetBit(0); i >= 0; i = round.nextSetBit(i + 1)) {
      AbstractInsnNode instruction = loop.code().instructions.get(i);
      if (between.get(i)) {
        continue;
      }
      switch (instruction) {
        case FieldInsnNode field -> {
          if (writes(field)) {
            return Set.of();
          }
          if (!field.owner.equals(UNIT) && !isLog(field.desc)) {
            reads.add(target(field));
          }
        }
        case MethodInsnNode call -> {
          boolean poll = isPoll(call);
          if (poll || isConversion(call)) {
            BitSet test = loop.untilAny(i, round, between);
            if (test.isEmpty()) {
              return Set.of();
            }
            tries = true;
            polls.or(test);
            reads.add(target(poll ? LoopTarget.Kind.POLL : LoopTarget.Kind.ATTEMPT, call));
          } else if (isTimedGet(call) && !loop.successes(i).isEmpty()) {
            tries = true;
            between.or(loop.successes(i));
            reads.add(target(LoopTarget.Kind.ATTEMPT, call));
          } else if (isAttempt(call) || isPut(call, loop, i, round)) {
            tries |= !call.name.equals("await");
            reads.add(target(LoopTarget.Kind.ATTEMPT, call));
          } else if (isQuestion(call)) {
            questions.add(target(LoopTarget.Kind.QUERY, call));
            asksOther |= !call.desc.startsWith("()");
          } else if (!isPause(call) && !helper.equals(call.owner + "." + call.name)) {
            if (!StateQueries.isState(call, classes)) {
              return Set.of();
            }
            reads.add(target(LoopTarget.Kind.STATE, call));
            asksOther |= !call.desc.startsWith("()");
          }
        }
        default -> {
          if (polls.get(i)) {
            continue;
          }
          if (loop.counts(i, round)) {
            counts = true;
          } else if (changes(instruction) && !loop.catches(i)) {
            return Set.of();
          }
          if (isElement(instruction.getOpcode())) {
            questions.add(LoopTarget.ELEMENT);
            asksOther = true;
          }
        }
      }
    }
    // A heart beat beats, too, until a latch or a field tells it to end.
    if ((counts && asksOther) || (!beats.isEmpty() && !tries)) {
      return Set.of();
    }
    // A field says more precisely what is awaited.
    return reads.isEmpty() ? questions : reads;
  }

  static LoopTarget target(FieldInsnNode field) {
    return new LoopTarget(LoopTarget.Kind.FIELD, field.owner.replace('/', '.'), field.name);
  }

  private static LoopTarget target(LoopTarget.Kind kind, MethodInsnNode call) {
    return new LoopTarget(kind, call.owner.substring(call.owner.lastIndexOf('/') + 1), call.name);
  }

  private static boolean isLog(String descriptor) {
    return descriptor.equals("Ljava/io/PrintStream;") || descriptor.endsWith("Logger;");
  }

  /** Returns whether the call takes an element from a queue, with a timeout. */
  private static boolean isPoll(MethodInsnNode call) {
    return call.name.equals("poll")
        && call.desc.equals("(JL" + UNIT + ";)Ljava/lang/Object;")
        && call.owner.startsWith("java/util/concurrent/");
  }

  /** Returns whether the call waits for a result, with a timeout. */
  private static boolean isTimedGet(MethodInsnNode call) {
    return call.name.equals("get")
        && call.desc.equals("(JL" + UNIT + ";)Ljava/lang/Object;")
        && call.owner.startsWith("java/util/concurrent/");
  }

  /** Returns whether the call tries to convert a stamp, or to lock a file. */
  private static boolean isConversion(MethodInsnNode call) {
    return (call.owner.equals(LOCKS + "StampedLock")
            && call.name.startsWith("try")
            && call.desc.endsWith(")J"))
        || (call.owner.equals("java/nio/channels/FileChannel") && call.name.equals("tryLock"));
  }

  /**
   * Returns whether the call puts a key into a map, and leaves the loop if nobody had put it there.
   */
  private static boolean isPut(MethodInsnNode call, CodeLoop loop, int i, BitSet round) {
    return call.name.equals("putIfAbsent")
        && call.owner.startsWith("java/util/")
        && loop.leavesIfNull(i + 1, round);
  }

  /**
   * Returns whether the methods of that name do nothing but pause, such as one that sleeps and
   * tells of an interrupt.
   */
  static boolean onlyPauses(List<MethodCode> methods, String method) {
    List<MethodCode> same = methods.stream().filter(code -> code.name.equals(method)).toList();
    return !same.isEmpty() && same.stream().allMatch(BusyWaits::onlyPauses);
  }

  static boolean onlyPauses(MethodCode code) {
    return IntStream.range(0, code.size())
        .allMatch(
            i ->
                onlyPauses(code.instructions.get(i))
                    // A method that has the loop itself is no helper of another.
                    && CodeLoop.endingAt(code, i).isEmpty());
  }

  private static boolean onlyPauses(AbstractInsnNode instruction) {
    return switch (instruction) {
      case FieldInsnNode field -> !writes(field);
      case MethodInsnNode call -> isPause(call) || isError(call);
      case InvokeDynamicInsnNode call -> false;
      default ->
          instruction.getOpcode() < Opcodes.IASTORE || instruction.getOpcode() > Opcodes.SASTORE;
    };
  }

  private static boolean isError(MethodInsnNode call) {
    return call.name.equals("<init>")
        && (call.owner.endsWith("Exception") || call.owner.endsWith("Error"));
  }

  /** Returns whether the call changes something only where it ends the loop. */
  private static boolean isAttempt(MethodInsnNode call) {
    return call.desc.endsWith(")Z")
        && switch (call.name) {
          case "tryLock" -> call.owner.startsWith(LOCKS);
          case "await" -> call.owner.equals("java/util/concurrent/CountDownLatch");
          case "tryAcquire" -> call.owner.equals("java/util/concurrent/Semaphore");
          case "add" -> call.owner.startsWith("java/util/") && isSet(call.owner);
          case "compareAndSet" -> call.owner.startsWith(ATOMIC);
          default -> false;
        };
  }

  private static boolean isSet(String owner) {
    return owner.endsWith("Set") || owner.endsWith("KeySetView");
  }

  /** Returns whether the call asks for something that another thread brings about. */
  static boolean isQuestion(MethodInsnNode call) {
    return switch (call.name) {
      case "containsKey", "isDone", "isTerminated", "isAlive", "getCount", "validate" ->
          call.owner.startsWith("java/");
      default ->
          call.name.startsWith("get")
              && isGetter(call)
              && (call.owner.startsWith(ATOMIC)
                  || (call.owner.startsWith("java/util/") && call.owner.endsWith("Map")));
    };
  }

  /** Returns whether the call pauses, or reports that the thread waits. */
  static boolean isPause(MethodInsnNode call) {
    return switch (call.owner) {
      case "java/lang/Thread",
          "java/lang/String",
          "java/lang/StringBuilder",
          "java/lang/Math",
          "java/time/Duration",
          "java/util/Random",
          "java/util/concurrent/ThreadLocalRandom" ->
          true;
      case "java/lang/Object" -> call.name.equals("wait");
      case UNIT -> !call.name.startsWith("timed");
      case "java/lang/System" -> call.name.equals("nanoTime");
      // A key is boxed each time.
      case "java/lang/Integer", "java/lang/Long" -> call.name.equals("valueOf");
      // A thread that does not get another lock gives back what it has.
      default -> call.owner.startsWith(LOCKS) ? isTurn(call.name) : TELLS.contains(call.name);
    };
  }

  private static boolean isTurn(String method) {
    return method.startsWith("await")
        || method.startsWith("park")
        || method.equals("lock")
        || method.equals("lockInterruptibly")
        || method.equals("unlock");
  }

  private static boolean isGetter(MethodInsnNode call) {
    return !call.name.contains("And");
  }

  /** Returns whether an instruction changes state that the next round sees. */
  static boolean changes(AbstractInsnNode instruction) {
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

  /** Returns whether a method of that name writes one of these fields, or their content. */
  static boolean writes(List<MethodCode> methods, String method, Set<LoopTarget> targets) {
    return methods.stream()
        .filter(code -> code.name.equals(method))
        .anyMatch(
            code ->
                has(code, instruction -> writes(instruction, targets))
                    || (reads(code, targets) && has(code, BusyWaits::setsContent)));
  }

  static boolean has(MethodCode code, Predicate<AbstractInsnNode> isSo) {
    return IntStream.range(0, code.size()).mapToObj(code.instructions::get).anyMatch(isSo);
  }

  static boolean writes(AbstractInsnNode instruction, Set<LoopTarget> targets) {
    return instruction instanceof FieldInsnNode field
        && writes(field)
        && targets.contains(target(field));
  }

  /** Returns whether a method reads one of these fields. */
  static boolean reads(MethodCode code, Set<LoopTarget> targets) {
    return has(
        code,
        instruction ->
            instruction instanceof FieldInsnNode field
                && !writes(field)
                && targets.contains(target(field)));
  }

  /** Returns whether an instruction sets what is in an atomic variable. */
  static boolean setsContent(AbstractInsnNode instruction) {
    return instruction instanceof MethodInsnNode call
        && call.owner.startsWith(ATOMIC)
        && !(call.name.startsWith("get") && isGetter(call))
        && !call.name.equals("<init>");
  }

  static boolean writes(FieldInsnNode field) {
    return field.getOpcode() == Opcodes.PUTFIELD || field.getOpcode() == Opcodes.PUTSTATIC;
  }
}
