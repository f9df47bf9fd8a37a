package io.github.vtdiag.safety;

import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.safety.Origins.Origin;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Code that finds methods by reflection in a class that it names, and makes text of them, in which
 * {@code synchronized} stands. Texts of methods of any class, as libraries put them into messages,
 * do not count: they would keep nearly all locks of a large program.
 */
final class MethodTexts {
  private static final String METHOD = "Ljava/lang/reflect/Method;";
  private static final String NAMED = "(Ljava/lang/String;[Ljava/lang/Class;)" + METHOD;

  private static final List<String> FINDERS =
      List.of(
          "getMethod" + NAMED,
          "getDeclaredMethod" + NAMED,
          "getMethods()[" + METHOD,
          "getDeclaredMethods()[" + METHOD);

  private static final Set<String> TEXT_MAKERS =
      Set.of(
          "java/io/PrintStream",
          "java/io/PrintWriter",
          "java/lang/String",
          "java/lang/StringBuilder",
          "java/lang/StringBuffer",
          "java/util/Objects");

  private MethodTexts() {}

  /** Returns a method of the owner that makes text of a method of one of the classes. */
  static Optional<MethodName> find(Set<String> classes, String owner, WholeProgram program) {
    for (String finder : FINDERS) {
      for (MethodName caller : program.calls().callers(finder)) {
        if (Rules.owner(program.hierarchy().type(caller.owner()).orElseThrow()).equals(owner)
            && makesText(program.bodies().of(caller), classes, program)) {
          return Optional.of(caller);
        }
      }
    }
    return Optional.empty();
  }

  private static boolean makesText(Body body, Set<String> classes, WholeProgram program) {
    for (AbstractInsnNode each : body.code()) {
      for (Origins part : parts(each, body)) {
        for (Origin origin : part.all()) {
          Optional<MethodInsnNode> finder = finder(origin, body);
          if (finder.isPresent()
              && program
                  .reflected()
                  .namesOneOf(classes, body, body.arguments(finder.get()).getFirst(), program)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Returns what an instruction makes text of. */
  private static List<Origins> parts(AbstractInsnNode instruction, Body body) {
    boolean makes =
        switch (instruction) {
          case MethodInsnNode call ->
              TEXT_MAKERS.contains(call.owner)
                  || (call.name.equals("toString") && call.desc.equals("()Ljava/lang/String;"));
          case InvokeDynamicInsnNode joined -> joined.name.startsWith("makeConcat");
          default -> false;
        };
    return makes ? body.given(instruction) : List.of();
  }

  /** Returns the call that found the method that comes from a place. */
  private static Optional<MethodInsnNode> finder(Origin origin, Body body) {
    AbstractInsnNode from = origin.instruction();
    if (from instanceof MethodInsnNode call
        && call.owner.equals("java/lang/Class")
        && FINDERS.contains(call.name + call.desc)) {
      return Optional.of(call);
    }
    if (from != null && from.getOpcode() == Opcodes.AALOAD) {
      for (Origin array : body.operand(from, 1).all()) {
        Optional<MethodInsnNode> found = finder(array, body);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }
}
