package io.github.vtdiag.locksite;

import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.CHECKCAST;

import java.util.List;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Interpreter;

/** Follows references from their origin through copies and casts. */
final class ValueInterpreter extends Interpreter<Value> {
  private final MethodCode code;

  /** Gives the type that each instruction pushes, without using the operands. */
  private final BasicInterpreter types = new BasicInterpreter();

  ValueInterpreter(MethodCode code) {
    super(ASM9);
    this.code = code;
  }

  /** Returns the value that {@code origin} pushed, given its type; null if it pushes nothing. */
  private static Value value(BasicValue type, int origin) {
    if (type == null) {
      return null;
    }
    if (type.isReference()) {
      return Value.of(origin);
    }
    return type.getSize() == 2 ? Value.WIDE : Value.UNKNOWN;
  }

  private int index(AbstractInsnNode instruction) {
    return code.instructions.indexOf(instruction);
  }

  @Override
  public Value newValue(Type type) {
    if (type == null) {
      return Value.UNKNOWN; // a local variable not yet assigned
    }
    return switch (type.getSize()) {
      case 0 -> null; // void
      case 1 -> Value.UNKNOWN;
      default -> Value.WIDE;
    };
  }

  @Override
  public Value newParameterValue(boolean isInstanceMethod, int local, Type type) {
    return value(types.newValue(type), Value.parameter(local));
  }

  @Override
  public Value newOperation(AbstractInsnNode instruction) throws AnalyzerException {
    return value(types.newOperation(instruction), index(instruction));
  }

  @Override
  public Value copyOperation(AbstractInsnNode instruction, Value value) {
    return value;
  }

  @Override
  public Value unaryOperation(AbstractInsnNode instruction, Value operand)
      throws AnalyzerException {
    if (instruction.getOpcode() == CHECKCAST) {
      return operand;
    }
    return value(types.unaryOperation(instruction, null), index(instruction));
  }

  @Override
  public Value binaryOperation(AbstractInsnNode instruction, Value left, Value right)
      throws AnalyzerException {
    return value(types.binaryOperation(instruction, null, null), index(instruction));
  }

  @Override
  public Value ternaryOperation(AbstractInsnNode instruction, Value a, Value b, Value c) {
    return null; // array stores
  }

  @Override
  public Value naryOperation(AbstractInsnNode instruction, List<? extends Value> operands)
      throws AnalyzerException {
    return value(types.naryOperation(instruction, null), index(instruction));
  }

  @Override
  public void returnOperation(AbstractInsnNode instruction, Value value, Value expected) {}

  @Override
  public Value merge(Value here, Value there) {
    return here.merge(there);
  }
}
