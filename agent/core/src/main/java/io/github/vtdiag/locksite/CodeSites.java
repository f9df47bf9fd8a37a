package io.github.vtdiag.locksite;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LoopTarget;
import io.github.vtdiag.model.MonitorId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Finds the instruction of a frame from a {@link StackTraceElement}: the method's name and the
 * line. The method of the next frame shows which call on that line it is.
 */
public final class CodeSites {
  /** The method besides whose name a thread can be at an instruction without a call. */
  private static final String CLASS_INITIALIZER = "<clinit>";

  /** The rank of an instruction at which no thread can be. */
  private static final int NO_CALL = 4;

  private final ClassRef type;
  private final List<MethodCode> methods;

  /** The activity of a thread at its current instruction. */
  public sealed interface Doing {
    /** A call of a method of that name. */
    record Calling(String method) implements Doing {}

    /**
     * A wait to enter a monitor. HotSpot's interpreter has moved on to the next instruction by
     * then, and so maybe to the next line; compiled code has not.
     */
    record Entering() implements Doing {}

    /**
     * A wait until another thread has initialized a class.
     *
     * @param uninitialized tells by a class's name whether it can be the one
     */
    record Initializing(Predicate<String> uninitialized) implements Doing {}

    /** An activity that no frame shows. */
    record Something() implements Doing {}
  }

  private CodeSites(ClassRef type, List<MethodCode> methods) {
    this.type = type;
    this.methods = methods;
  }

  /**
   * Reads a class.
   *
   * @throws IllegalArgumentException if the bytes are not a class file that can be read
   */
  public static CodeSites read(byte[] classFile, ClassRef type) {
    return new CodeSites(type, LockMaps.methodsOf(classFile));
  }

  public ClassRef type() {
    return type;
  }

  /**
   * Finds the frame with its descriptor and bci. Empty if the class has no such method on that
   * line, so that it is not the class that ran.
   */
  public Optional<Frame> find(StackTraceElement element, Doing doing) {
    Optional<Frame> best = Optional.empty();
    int bestRank = Integer.MAX_VALUE;
    for (MethodCode code : named(element.getMethodName()).toList()) {
      if (code.size() == 0) {
        if (element.isNativeMethod() && bestRank > 0) {
          best = Optional.of(frame(code, -1, -1, Frame.Kind.NATIVE));
          bestRank = 0;
        }
        continue;
      }
      if (doing instanceof Doing.Entering && entersItself(code, element) && bestRank > 1) {
        best = Optional.of(frame(code, 0, element.getLineNumber(), Frame.Kind.UNKNOWN));
        bestRank = 1;
      }
      boolean entered = false;
      for (int i = 0; i < code.size(); i++) {
        if (code.opcode(i) < 0) {
          continue;
        }
        if (code.line(i) == element.getLineNumber()) {
          int rank = rank(code.instructions.get(i), doing);
          boolean movedOn = entered && rank > 1 && doing instanceof Doing.Entering;
          rank = movedOn ? 1 : rank;
          if (rank < bestRank) {
            int bci = rank == NO_CALL ? -1 : code.bci(i);
            Frame.Kind kind = movedOn ? Frame.Kind.INTERPRETED : Frame.Kind.UNKNOWN;
            best = Optional.of(frame(code, bci, element.getLineNumber(), kind));
            bestRank = rank;
          }
        }
        entered = code.opcode(i) == Opcodes.MONITORENTER;
      }
    }
    return best;
  }

  /**
   * Returns whether a synchronized method waits for its own monitor, before its first instruction.
   */
  private static boolean entersItself(MethodCode code, StackTraceElement element) {
    if (!code.isSynchronized()) {
      return false;
    }
    for (int i = 0; i < code.size(); i++) {
      if (code.opcode(i) >= 0) {
        return code.line(i) == element.getLineNumber();
      }
    }
    return false;
  }

  /** Returns the rank of an instruction, 0 the best; 1 may call a lambda, whose frame is hidden. */
  private static int rank(AbstractInsnNode instruction, Doing doing) {
    boolean callee = MethodCode.canHaveCallee(instruction);
    boolean fits =
        switch (doing) {
          case Doing.Entering entering -> instruction.getOpcode() == Opcodes.MONITORENTER;
          case Doing.Initializing(Predicate<String> uninitialized) ->
              callee
                  && !MethodCode.initializes(instruction).isEmpty()
                  && uninitialized.test(MethodCode.initializes(instruction));
          case Doing.Something something -> false;
          case Doing.Calling(String method) ->
              switch (instruction) {
                case MethodInsnNode call -> call.name.equals(method);
                // The call of a call site that is being linked.
                case InvokeDynamicInsnNode call ->
                    method.startsWith("linkCallSite") || call.name.equals(method);
                default ->
                    method.equals(CLASS_INITIALIZER)
                        && !MethodCode.initializes(instruction).isEmpty();
              };
        };
    boolean call =
        instruction instanceof MethodInsnNode || instruction instanceof InvokeDynamicInsnNode;
    if (doing instanceof Doing.Initializing && !fits) {
      return NO_CALL;
    }
    boolean lambda =
        doing instanceof Doing.Calling && instruction.getOpcode() == Opcodes.INVOKEINTERFACE;
    return fits ? 0 : lambda ? 1 : call ? 2 : callee ? 3 : NO_CALL;
  }

  private Frame frame(MethodCode code, int bci, int line, Frame.Kind kind) {
    // JFR and reflection know flags of methods only, without those of ASM.
    return new Frame(type, code.name, code.desc, code.access & 0xffff, bci, line, kind);
  }

  /** Returns the monitors that a thread at this place may wait to enter. */
  public List<MonitorId> entered(StackTraceElement element) {
    List<MonitorId> entered = new ArrayList<>();
    for (MethodCode code : named(element.getMethodName()).toList()) {
      if (entersItself(code, element)) {
        entered.add(new MonitorId(type.name(), code.name, code.desc, MonitorId.METHOD));
      }
      int enter = -1;
      for (int i = 0; i < code.size(); i++) {
        if (code.opcode(i) < 0) {
          continue;
        }
        boolean here = code.line(i) == element.getLineNumber();
        if (code.opcode(i) == Opcodes.MONITORENTER) {
          enter = code.bci(i);
          if (here) {
            entered.add(new MonitorId(type.name(), code.name, code.desc, enter));
            enter = -1;
          }
        } else {
          if (enter >= 0 && here) {
            entered.add(new MonitorId(type.name(), code.name, code.desc, enter));
          }
          enter = -1;
        }
      }
    }
    return entered;
  }

  /** Returns whether that line calls a method handle, and calls no method of that name. */
  public boolean callsHandle(StackTraceElement element, String callee) {
    return named(element.getMethodName())
        .anyMatch(code -> NamedCalls.isHandle(code, element.getLineNumber(), callee));
  }

  /** Returns whether that line calls a method of that name by an interface of databases. */
  public boolean callsDatabase(String method, int line, String callee) {
    return named(method).anyMatch(code -> NamedCalls.isOfDatabase(code, line, callee));
  }

  /** Returns whether that line calls one of these methods directly on the result of another one. */
  public boolean callsOnResult(String method, int line, Set<String> callees, String receiver) {
    return named(method).anyMatch(code -> NamedCalls.isOnResult(code, line, callees, receiver));
  }

  /**
   * Returns what the loop around that line waits for, if it does nothing else.
   *
   * @param helper a method that {@link #onlyPauses}, as {@code com/example/Foo.pause}
   * @param classes returns the code of the classes of that name
   */
  public Optional<Set<LoopTarget>> busyWait(
      String method, int line, String helper, Function<String, List<CodeSites>> classes) {
    return BusyWaits.at(methods, method, line, helper, name -> methods(name, classes));
  }

  /** Finds a loop there that gives up its turn until others change what it reads. */
  public Optional<TurnLoop> turnLoop(String method, int line) {
    return YieldLoops.around(methods, method, line);
  }

  /** Returns whether a loop around that line only waits and asks, and does not end by itself. */
  public boolean waitsInEndlessLoop(
      String method, int line, Function<String, List<CodeSites>> classes) {
    return EndlessLoops.at(methods, method, line, name -> methods(name, classes));
  }

  /** Returns whether a method does nothing but pause. */
  public boolean onlyPauses(String method) {
    return BusyWaits.onlyPauses(methods, method);
  }

  /** Returns whether that line is in a loop of the method, so that a thread may come back to it. */
  public boolean isInLoop(String method, int line) {
    return BusyWaits.isInLoop(methods, method, line);
  }

  /**
   * Returns whether a thread on that line awaits what the same method has made for more than one
   * part of its work: a latch, a semaphore, or a future of several.
   */
  public boolean awaitsParts(String method, int line) {
    return named(method)
        .anyMatch(code -> PartLatches.awaits(code, line) || PartFutures.awaitsAll(code, line));
  }

  /** Returns whether a thread on that line waits for the result of tasks of the same method. */
  public boolean awaitsResults(String method, int line) {
    return named(method).anyMatch(code -> PartFutures.awaitsResults(code, line));
  }

  /** Returns whether a loop there polls a queue until it has had a number of elements. */
  public boolean pollsForNumber(String method, int line) {
    return CountedPolls.at(methods, method, line);
  }

  /** Returns whether a loop there selects until it has an answer; if endless, only then. */
  public boolean selectsForAnswer(String method, int line, boolean endless) {
    return AnswerSelects.at(methods, method, line)
        && !(endless && AnswerSelects.endsInTime(methods, method, line));
  }

  /** Returns whether a loop there goes on until nothing more comes, or a flag ends it. */
  public boolean isInService(String method, int line) {
    return ServiceLoops.at(methods, method, line);
  }

  /** Returns whether the innermost loop around one of these lines is that around the other. */
  public boolean areInOneLoop(String method, int line, int other) {
    return CodeLoop.areInOne(methods, method, line, other);
  }

  /**
   * Returns the loop around that line, if it is the only one and goes round only while what it
   * tries does not succeed.
   */
  public Optional<RetryLoop> retryLoop(String method, int line) {
    return RetryLoops.at(methods, method, line);
  }

  /** Returns whether that line is in more than one loop of the method. */
  public boolean isInLoops(String method, int line) {
    return CodeLoop.around(methods, method, line).size() > 1;
  }

  /** Returns whether a loop around that line calls code that is not the JDK's, but to log. */
  public boolean worksInLoop(String method, int line) {
    return BusyWaits.works(methods, method, line);
  }

  /** Returns whether a thread takes, on that line, from what the method makes anew each time. */
  public boolean takesFromItsOwn(String method, int line) {
    return CodeLoop.takesFromItsOwn(methods, method, line);
  }

  /** Returns whether the method asks in that way before it waits on that line. */
  public boolean asksFirst(String method, int line, Asking how) {
    return how.isBefore(methods, method, line);
  }

  /**
   * Tests whether a thread that takes an object from a queue on that line puts it back later: the
   * method does so, or its caller passes what it returns to another method of this class. What it
   * returns may be a wrapper, which gives back what is in it.
   *
   * @param caller the frame that called the method; empty if it is unknown
   * @param callers the code of the caller's class
   * @param classes returns the code of the classes of that name
   */
  public PutsBack putsBack(
      String method,
      int line,
      Optional<Frame> caller,
      List<CodeSites> callers,
      Function<String, List<CodeSites>> classes) {
    return PutsBack.most(
        named(method)
            .flatMap(
                code ->
                    Stream.concat(
                        Stream.of(QueuePools.itself(code, line)),
                        caller.stream()
                            .flatMap(
                                by ->
                                    callers.stream()
                                        .flatMap(sites -> sites.named(by.method()))
                                        .map(
                                            from ->
                                                QueuePools.byCaller(
                                                    methods,
                                                    code,
                                                    line,
                                                    from,
                                                    by.line(),
                                                    name -> methods(name, classes)))))));
  }

  private static List<MethodCode> methods(
      String internalName, Function<String, List<CodeSites>> classes) {
    return classes.apply(internalName.replace('/', '.')).stream()
        .flatMap(sites -> sites.methods.stream())
        .toList();
  }

  private Stream<MethodCode> named(String method) {
    return methods.stream().filter(code -> code.name.equals(method));
  }

  /** Returns whether one of these calls is behind that line, and no loop leads back from there. */
  public boolean comesTo(String method, int line, Set<String> calls) {
    return BusyWaits.comesTo(methods, method, line, calls);
  }

  /** Returns whether a loop around that line has one of these calls, in any of its rounds. */
  public boolean comesBackTo(String method, int line, Set<String> calls) {
    return BusyWaits.comesBackTo(methods, method, line, calls);
  }

  /**
   * Returns whether a method of that name has this ahead at that line, itself or in a method of the
   * application that it calls, and does not come to it if it fails there.
   */
  public boolean leaves(
      String method, int line, WaitEnd end, Function<String, List<CodeSites>> classes) {
    var undone = new Undone(type.name(), methods, end, name -> methods(name, classes));
    return undone.isLeft(method, line);
  }

  /** Returns the fields on which alone it depends when the only loop around that line ends. */
  public Set<LoopTarget> endingFields(String method, int line) {
    return LoopEnds.fields(methods, method, line);
  }

  /** Returns whether a method of that name writes one of these fields. */
  public boolean writes(String method, Set<LoopTarget> fields) {
    return BusyWaits.writes(methods, method, fields);
  }

  /** Returns the class that the frame's instruction initializes; empty if it does none. */
  public Optional<String> initializes(Frame frame) {
    return named(frame.method())
        .filter(code -> code.desc.equals(frame.descriptor()))
        .flatMap(code -> code.at(frame.bci()).stream())
        .map(MethodCode::initializes)
        .filter(name -> !name.isEmpty())
        .findFirst();
  }
}
