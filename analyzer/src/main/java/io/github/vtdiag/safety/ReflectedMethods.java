package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_SYNCHRONIZED;
import static org.objectweb.asm.Opcodes.IAND;
import static org.objectweb.asm.Opcodes.ICONST_0;
import static org.objectweb.asm.Opcodes.ICONST_5;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.ISTORE;

import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.program.MethodName;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Code that asks by reflection whether a method is synchronized, which the patch changes. */
final class ReflectedMethods {
  private static final Set<String> MEMBERS =
      Set.of(
          "java/lang/reflect/Method", "java/lang/reflect/Executable", "java/lang/reflect/Member");

  private static final List<String> QUESTIONS =
      List.of(
          "isSynchronized(I)Z",
          "getModifiers()I",
          "accessFlags()Ljava/util/Set;",
          "toGenericString()Ljava/lang/String;");

  private ReflectedMethods() {}

  static Optional<Refusal> refuse(LockGroup lock, WholeProgram program) {
    boolean hasMethods =
        lock.sites().stream()
            .anyMatch(site -> site.site().region().kind() == MonitorRegion.Kind.METHOD);
    if (!hasMethods) {
      return Optional.empty();
    }
    String owner = Rules.owner(lock.sites().getFirst().use().type);
    for (String question : QUESTIONS) {
      for (MethodName caller : program.calls().callers(question)) {
        if (Rules.owner(program.hierarchy().type(caller.owner()).orElseThrow()).equals(owner)
            && asks(program.bodies().of(caller))) {
          return refusal(caller);
        }
      }
    }
    return MethodTexts.find(classes(lock, program), owner, program)
        .flatMap(ReflectedMethods::refusal);
  }

  private static Optional<Refusal> refusal(MethodName caller) {
    return Refusal.of(
        RefusalReason.REFLECTION,
        ShortNames.text(caller) + " checks by reflection which methods are synchronized");
  }

  private static Set<String> classes(LockGroup lock, WholeProgram program) {
    Set<String> classes = new HashSet<>();
    for (var site : lock.sites()) {
      // The methods that a class inherits are found in it, too.
      classes.addAll(program.hierarchy().subtree(site.use().type.name()));
    }
    return classes;
  }

  private static boolean asks(Body body) {
    for (AbstractInsnNode each : body.code()) {
      if (each instanceof MethodInsnNode call) {
        boolean asks =
            switch (call.name) {
              case "isSynchronized" -> true;
              case "accessFlags", "toGenericString" -> MEMBERS.contains(call.owner);
              case "getModifiers" -> MEMBERS.contains(call.owner) && mayTell(call, body);
              default -> false;
            };
        if (asks) {
          return true;
        }
      } else if (each instanceof InvokeDynamicInsnNode reference
          && Arrays.stream(reference.bsmArgs).anyMatch(ReflectedMethods::isQuestion)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a method reference asks; what is done with the answer is not followed. */
  private static boolean isQuestion(Object argument) {
    return argument instanceof Handle handle
        && QUESTIONS.contains(handle.getName() + handle.getDesc())
        && (handle.getName().equals("isSynchronized") || MEMBERS.contains(handle.getOwner()));
  }

  /**
   * Returns whether the modifiers may be used to test for {@code synchronized}, not only for
   * others.
   */
  private static boolean mayTell(AbstractInsnNode modifiers, Body body) {
    AbstractInsnNode next = next(modifiers);
    if (next instanceof VarInsnNode variable && variable.getOpcode() == ISTORE) {
      for (AbstractInsnNode each : body.code()) {
        if (each instanceof VarInsnNode load
            && load.getOpcode() == ILOAD
            && load.var == variable.var
            && mayTell(next(load))) {
          return true;
        }
      }
      return false;
    }
    return mayTell(next);
  }

  private static boolean mayTell(AbstractInsnNode next) {
    if (next instanceof MethodInsnNode call) {
      return !(call.owner.equals("java/lang/reflect/Modifier")
          && call.name.startsWith("is")
          && !call.name.equals("isSynchronized"));
    }
    int mask = constant(next);
    AbstractInsnNode then = next(next);
    return then == null || then.getOpcode() != IAND || (mask & ACC_SYNCHRONIZED) != 0;
  }

  /** Returns the next instruction, skipping labels and lines. */
  private static AbstractInsnNode next(AbstractInsnNode instruction) {
    AbstractInsnNode at = instruction == null ? null : instruction.getNext();
    while (at != null && at.getOpcode() < 0) {
      at = at.getNext();
    }
    return at;
  }

  /** Returns the number that an instruction pushes; for any other, a number with all bits. */
  private static int constant(AbstractInsnNode instruction) {
    return switch (instruction) {
      case IntInsnNode pushed -> pushed.operand;
      case LdcInsnNode loaded when loaded.cst instanceof Integer number -> number;
      case InsnNode small when ICONST_0 <= small.getOpcode() && small.getOpcode() <= ICONST_5 ->
          small.getOpcode() - ICONST_0;
      case null, default -> -1;
    };
  }
}
