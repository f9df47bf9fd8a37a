package io.github.vtdiag.rewrite;

import io.github.vtdiag.rewrite.Operand.Origin;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;

/**
 * Follows static types through a method. The facts about a value follow it through the stack and
 * the locals, so that a {@code monitorenter} and its {@code monitorexit} see the same.
 */
final class OperandInterpreter extends BasicInterpreter {
  private final Hierarchy hierarchy;

  OperandInterpreter(Hierarchy hierarchy) {
    super(Opcodes.ASM9);
    this.hierarchy = hierarchy;
  }

  @Override
  public BasicValue newValue(Type type) {
    return type != null && (type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY)
        ? new Operand(type, Origin.OTHER)
        : super.newValue(type);
  }

  @Override
  public BasicValue newParameterValue(boolean isInstance, int local, Type type) {
    return isInstance && local == 0 ? new Operand(type, Origin.THIS) : newValue(type);
  }

  @Override
  public BasicValue newOperation(AbstractInsnNode instruction) throws AnalyzerException {
    if (instruction instanceof TypeInsnNode created && created.getOpcode() == Opcodes.NEW) {
      return new Operand(Type.getObjectType(created.desc), Origin.NEW);
    }
    if (instruction instanceof FieldInsnNode field) {
      return field(field);
    }
    if (instruction instanceof LdcInsnNode constant
        && constant.cst instanceof Type type
        && type.getSort() == Type.OBJECT) {
      return new Operand(type, Origin.CLASS_LITERAL);
    }
    return super.newOperation(instruction);
  }

  @Override
  public BasicValue unaryOperation(AbstractInsnNode instruction, BasicValue value)
      throws AnalyzerException {
    if (instruction.getOpcode() == Opcodes.CHECKCAST
        && value instanceof Operand operand
        && operand.origin() != Origin.OTHER) {
      return operand;
    }
    if (instruction instanceof FieldInsnNode field && field.getOpcode() == Opcodes.GETFIELD) {
      return field(field);
    }
    if (instruction.getOpcode() == Opcodes.NEWARRAY
        || instruction.getOpcode() == Opcodes.ANEWARRAY) {
      return new Operand(super.unaryOperation(instruction, value).getType(), Origin.NEW);
    }
    return super.unaryOperation(instruction, value);
  }

  private BasicValue field(FieldInsnNode field) {
    if (field.name.equals("lock")
        && field.desc.equals("Ljava/lang/Object;")
        && (hierarchy.isA(field.owner, "java/io/Reader")
            || hierarchy.isA(field.owner, "java/io/Writer"))) {
      return new Operand(Type.getType(field.desc), Origin.STREAM_LOCK);
    }
    return hierarchy
        .createdFor(field.owner, field.name)
        .<BasicValue>map(created -> new Operand(Type.getObjectType(created), Origin.NEW))
        .orElseGet(() -> newValue(Type.getType(field.desc)));
  }

  @Override
  public BasicValue naryOperation(AbstractInsnNode instruction, List<? extends BasicValue> values)
      throws AnalyzerException {
    if (instruction instanceof MethodInsnNode call
        && call.name.equals("getClassLoadingLock")
        && call.desc.equals("(Ljava/lang/String;)Ljava/lang/Object;")) {
      return new Operand(Type.getReturnType(call.desc), Origin.CLASS_LOADING_LOCK);
    }
    return super.naryOperation(instruction, values);
  }

  /**
   * Returns an operand unless both are equal: a {@code BasicValue} would equal one of just its
   * type.
   */
  @Override
  public BasicValue merge(BasicValue first, BasicValue second) {
    if (first.equals(second)) {
      return first;
    }
    return first.isReference() && second.isReference()
        ? newValue(BasicValue.REFERENCE_VALUE.getType())
        : BasicValue.UNINITIALIZED_VALUE;
  }
}
