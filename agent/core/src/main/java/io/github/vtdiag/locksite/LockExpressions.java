package io.github.vtdiag.locksite;

import static org.objectweb.asm.Opcodes.AALOAD;
import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.LDC;
import static org.objectweb.asm.Opcodes.NEW;

import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.LockExpression.Kind;
import java.util.List;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Names the object that a {@code monitorenter} locks by its origin: a field that was first read
 * into a local variable is still that field.
 */
final class LockExpressions {
  private final MethodCode code;
  private final HeldFrame[] frames;

  LockExpressions(MethodCode code, HeldFrame[] frames) {
    this.code = code;
    this.frames = frames;
  }

  /** Returns the lock of a synchronized method. */
  static LockExpression ofMethod(String className, MethodCode code) {
    return code.isStatic()
        ? new LockExpression(Kind.CLASS_LITERAL, className, "")
        : LockExpression.THIS;
  }

  /** Returns the lock of the {@code monitorenter} at index {@code enter}. */
  LockExpression of(int enter, Value lock) {
    List<LockExpression> expressions =
        lock.origins().stream().map(this::origin).distinct().toList();
    if (expressions.size() == 1 && expressions.getFirst().kind() != Kind.UNKNOWN) {
      return expressions.getFirst();
    }
    return local(enter, lock);
  }

  private LockExpression origin(int origin) {
    int slot = Value.slot(origin);
    if (slot >= 0) {
      return slot == 0 && !code.isStatic()
          ? LockExpression.THIS
          : new LockExpression(Kind.PARAMETER, "", parameterName(slot));
    }
    AbstractInsnNode instruction = code.instructions.get(origin);
    return switch (instruction.getOpcode()) {
      case GETSTATIC -> field(Kind.STATIC_FIELD, (FieldInsnNode) instruction);
      case GETFIELD ->
          field(
              isThis(receiver(origin)) ? Kind.INSTANCE_FIELD : Kind.OTHER_FIELD,
              (FieldInsnNode) instruction);
      case LDC ->
          ((LdcInsnNode) instruction).cst instanceof Type type && type.getSort() != Type.METHOD
              ? new LockExpression(Kind.CLASS_LITERAL, type.getClassName(), "")
              : LockExpression.UNKNOWN;
      case NEW -> created(((TypeInsnNode) instruction).desc, "");
      case ANEWARRAY -> created(((TypeInsnNode) instruction).desc, "[]");
      case AALOAD -> new LockExpression(Kind.ARRAY_ELEMENT, "", "");
      default ->
          instruction instanceof MethodInsnNode call
              ? new LockExpression(Kind.CALL_RESULT, dotted(call.owner), call.name)
              : LockExpression.UNKNOWN;
    };
  }

  private static LockExpression field(Kind kind, FieldInsnNode field) {
    return new LockExpression(kind, dotted(field.owner), field.name);
  }

  private static LockExpression created(String type, String suffix) {
    return new LockExpression(Kind.NEW_OBJECT, dotted(type) + suffix, "");
  }

  /** Returns a class's name as the source writes it; an array is named by its descriptor. */
  private static String dotted(String internalName) {
    return Type.getObjectType(internalName).getClassName();
  }

  private Value receiver(int getField) {
    return frames[getField].operand();
  }

  private boolean isThis(Value value) {
    return !code.isStatic() && value.origins().equals(List.of(Value.parameter(0)));
  }

  /** Returns the named variable that holds the lock, if no single expression gives it. */
  private LockExpression local(int enter, Value lock) {
    if (code.localVariables != null) {
      for (LocalVariableNode variable : code.localVariables) {
        if (isInScope(variable, enter)
            && frames[enter].getLocal(variable.index).isSameObject(lock)) {
          return new LockExpression(Kind.LOCAL, "", variable.name);
        }
      }
    }
    return LockExpression.UNKNOWN;
  }

  private boolean isInScope(LocalVariableNode variable, int index) {
    return variable.index < frames[index].getLocals()
        && code.index(variable.start) <= index
        && index < code.index(variable.end);
  }

  /** Returns the name from the debug tables, else the parameter's number. */
  private String parameterName(int slot) {
    if (code.localVariables != null) {
      for (LocalVariableNode variable : code.localVariables) {
        if (variable.index == slot && code.bci(code.index(variable.start)) == 0) {
          return variable.name;
        }
      }
    }
    int number = parameterNumber(slot);
    if (code.parameters != null
        && number <= code.parameters.size()
        && code.parameters.get(number - 1).name != null) {
      return code.parameters.get(number - 1).name;
    }
    return "#" + number;
  }

  /** Returns the number of the parameter, counted from 1, as a reader of the source would. */
  private int parameterNumber(int slot) {
    int number = 1;
    int next = code.isStatic() ? 0 : 1;
    for (Type type : Type.getArgumentTypes(code.desc)) {
      if (next >= slot) {
        break;
      }
      next += type.getSize();
      number++;
    }
    return number;
  }
}
