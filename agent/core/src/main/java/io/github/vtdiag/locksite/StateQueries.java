package io.github.vtdiag.locksite;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Methods that only tell a state: getters of the application, and questions for a file. */
final class StateQueries {
  /** The most instructions of a getter, with labels and line numbers. */
  private static final int MAX_INSTRUCTIONS = 60;

  private static final Set<String> FILES =
      Set.of(
          "java/nio/file/Files.exists",
          "java/nio/file/Files.notExists",
          "java/io/File.exists",
          "java/io/File.isFile");

  private StateQueries() {}

  /**
   * Returns whether a call asks for a state and changes nothing.
   *
   * @param classes returns the methods of the classes of that name, as {@code com/example/Foo}
   */
  static boolean isState(MethodInsnNode call, Function<String, List<MethodCode>> classes) {
    if (FILES.contains(call.owner + "." + call.name)) {
      return true;
    }
    if (call.owner.startsWith("java/") || call.desc.endsWith(")V")) {
      return false;
    }
    return isEach(call, classes, StateQueries::onlyReads);
  }

  /** Returns whether the called method is known, and is so in each class of that name. */
  static boolean isEach(
      MethodInsnNode call, Function<String, List<MethodCode>> classes, Predicate<MethodCode> isSo) {
    List<MethodCode> same =
        classes.apply(call.owner).stream()
            .filter(code -> code.name.equals(call.name) && code.desc.equals(call.desc))
            .toList();
    return !same.isEmpty() && same.stream().allMatch(isSo);
  }

  /**
   * Returns whether a method does nothing but read fields and compare: at least one field, without
   * a loop. A comparison with the clock is none, because such a state ends by itself.
   */
  private static boolean onlyReads(MethodCode code) {
    List<AbstractInsnNode> all =
        IntStream.range(0, code.size()).mapToObj(code.instructions::get).toList();
    return code.size() <= MAX_INSTRUCTIONS
        && all.stream().anyMatch(FieldInsnNode.class::isInstance)
        && all.stream().allMatch(StateQueries::onlyReads)
        && IntStream.range(0, code.size()).allMatch(i -> CodeLoop.endingAt(code, i).isEmpty());
  }

  private static boolean onlyReads(AbstractInsnNode instruction) {
    return switch (instruction) {
      case FieldInsnNode field -> !BusyWaits.writes(field);
      case MethodInsnNode call -> BusyWaits.isQuestion(call);
      case InvokeDynamicInsnNode call -> false;
      default ->
          instruction.getOpcode() != Opcodes.MONITORENTER
              && (instruction.getOpcode() < Opcodes.IASTORE
                  || instruction.getOpcode() > Opcodes.SASTORE);
    };
  }
}
