package io.github.vtdiag.locksite;

import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Instructions of a loop that only sleep. */
final class Sleeps {
  private Sleeps() {}

  /** Returns the calls that only sleep, with the constants before them. */
  static BitSet of(MethodCode code, BitSet round, Function<String, List<MethodCode>> classes) {
    BitSet sleeps = new BitSet();
    for (int i = round.nextSetBit(0); i >= 0; i = round.nextSetBit(i + 1)) {
      if (code.instructions.get(i) instanceof MethodInsnNode call
          && (isSleep(call)
              || (call.getOpcode() == Opcodes.INVOKESTATIC
                  && !call.owner.startsWith("java/")
                  && StateQueries.isEach(call, classes, Sleeps::onlySleeps)))) {
        sleeps.set(i);
        int before = i - 1;
        while (before > 0 && (code.opcode(before) < 0 || isConstant(code, before))) {
          sleeps.set(before--);
        }
      }
    }
    return sleeps;
  }

  private static boolean isSleep(MethodInsnNode call) {
    return call.name.equals("sleep")
        && (call.owner.equals("java/lang/Thread") || call.owner.equals(BusyWaits.UNIT));
  }

  private static boolean onlySleeps(MethodCode code) {
    return code.desc.endsWith(")V")
        && IntStream.range(0, code.size())
            .mapToObj(code.instructions::get)
            .anyMatch(each -> each instanceof MethodInsnNode call && isSleep(call))
        && BusyWaits.onlyPauses(code);
  }

  private static boolean isConstant(MethodCode code, int i) {
    return code.instructions.get(i) instanceof FieldInsnNode field
        ? field.owner.equals(BusyWaits.UNIT)
        : code.opcode(i) > Opcodes.ACONST_NULL && code.opcode(i) <= Opcodes.LDC;
  }
}
