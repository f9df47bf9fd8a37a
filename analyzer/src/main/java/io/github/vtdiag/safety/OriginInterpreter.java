package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.AALOAD;
import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.CHECKCAST;

import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.safety.Origins.Origin;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Interpreter;

/** The effect of each instruction on the origins of references, for ASM's analyzer. */
final class OriginInterpreter extends Interpreter<Origins> {
  private final TypeHierarchy hierarchy;
  private final BasicInterpreter types = new Exact();

  OriginInterpreter(TypeHierarchy hierarchy) {
    super(ASM9);
    this.hierarchy = hierarchy;
  }

  /** The exact types of pushed values; {@link BasicInterpreter} takes every class for Object. */
  private static final class Exact extends BasicInterpreter {
    Exact() {
      super(ASM9);
    }

    @Override
    public BasicValue newValue(Type type) {
      BasicValue value = super.newValue(type);
      return value != null && value.isReference() ? new BasicValue(type) : value;
    }
  }

  private static Origins origins(BasicValue type, AbstractInsnNode instruction, int slot) {
    if (type == null) {
      return null;
    }
    if (type.isReference()) {
      return Origins.of(new Origin(instruction, slot, type.getType().getInternalName()));
    }
    return type.getSize() == 2 ? Origins.WIDE : Origins.NONE;
  }

  @Override
  public Origins newValue(Type type) {
    if (type == null) {
      return Origins.NONE; // a local variable not yet assigned
    }
    return origins(types.newValue(type), null, -1);
  }

  @Override
  public Origins newParameterValue(boolean isInstanceMethod, int local, Type type) {
    return origins(types.newValue(type), null, local);
  }

  @Override
  public Origins newOperation(AbstractInsnNode instruction) throws AnalyzerException {
    return instruction.getOpcode() == ACONST_NULL
        ? Origins.NONE
        : origins(types.newOperation(instruction), instruction, -1);
  }

  @Override
  public Origins copyOperation(AbstractInsnNode instruction, Origins value) {
    return value;
  }

  @Override
  public Origins unaryOperation(AbstractInsnNode instruction, Origins operand)
      throws AnalyzerException {
    return instruction.getOpcode() == CHECKCAST
        ? cast(operand, ((TypeInsnNode) instruction).desc)
        : origins(types.unaryOperation(instruction, null), instruction, -1);
  }

  private Origins cast(Origins operand, String type) {
    Set<Origin> cast = new LinkedHashSet<>();
    for (Origin each : operand.all()) {
      boolean isNarrower =
          hierarchy.isSubtype(each.type(), type)
              || (hierarchy.isInterface(type)
                  && !hierarchy.isInterface(each.type())
                  && !each.type().equals(TypeHierarchy.OBJECT));
      cast.add(isNarrower ? each : new Origin(each.instruction(), each.slot(), type));
    }
    return new Origins(1, cast);
  }

  @Override
  public Origins binaryOperation(AbstractInsnNode instruction, Origins left, Origins right)
      throws AnalyzerException {
    if (instruction.getOpcode() == AALOAD) {
      Set<Origin> elements = new LinkedHashSet<>();
      for (Origin array : left.all()) {
        boolean isKnown = array.type().startsWith("[");
        elements.add(
            new Origin(
                instruction,
                -1,
                isKnown
                    ? Type.getType(array.type().substring(1)).getInternalName()
                    : TypeHierarchy.OBJECT));
      }
      return new Origins(1, elements);
    }
    return origins(types.binaryOperation(instruction, null, null), instruction, -1);
  }

  @Override
  public Origins ternaryOperation(AbstractInsnNode instruction, Origins a, Origins b, Origins c) {
    return null; // array stores
  }

  @Override
  public Origins naryOperation(AbstractInsnNode instruction, List<? extends Origins> operands)
      throws AnalyzerException {
    return origins(types.naryOperation(instruction, null), instruction, -1);
  }

  @Override
  public void returnOperation(AbstractInsnNode instruction, Origins value, Origins expected) {}

  @Override
  public Origins merge(Origins here, Origins there) {
    return here.merge(there);
  }
}
