package vtdiag.jfr;

import java.util.Arrays;
import vtdiag.jfr.Metadata.Field;
import vtdiag.jfr.Metadata.JfrType;

/**
 * How to pass over the bytes of a type without reading them: a few steps, in which neighbouring
 * numbers are one step. Every step takes at least a byte, so passing over never takes longer than
 * the data is long.
 */
final class Skip {
  // A step is two ints: what, and how many, how long or which.
  private static final int VARINTS = 0;
  private static final int BYTES = 1;
  private static final int STRING = 2;
  private static final int ARRAY = 3;
  private static final int FAIL = 4;

  /** Types can hold themselves, in damaged metadata; the JDK's have some ten steps. */
  private static final int MAX_STEPS = 1_000;

  private static final int MAX_DEPTH = 8;

  private int[] steps = {};
  private Skip[] elements = {};

  private Skip() {}

  static Skip of(JfrType type) {
    Skip skip = new Skip();
    new Builder().add(skip, type, 0);
    return skip;
  }

  static Skip of(Field field) {
    Skip skip = new Skip();
    new Builder().add(skip, field, 0);
    return skip;
  }

  void over(Bytes in) {
    for (int i = 0; i < steps.length; i += 2) {
      int argument = steps[i + 1];
      switch (steps[i]) {
        case VARINTS -> in.skipVarints(argument);
        case BYTES -> in.skipBytes(argument);
        case STRING -> in.skipString();
        case ARRAY -> elements[argument].repeat(in, in.count(1));
        default -> throw new Malformed("a type that is not described");
      }
    }
  }

  private void repeat(Bytes in, int count) {
    if (steps.length == 2 && steps[0] == VARINTS) {
      in.skipVarints((long) count * steps[1]);
    } else if (steps.length == 2 && steps[0] == BYTES) {
      in.skipBytes((long) count * steps[1]);
    } else {
      for (int i = 0; i < count; i++) {
        over(in);
      }
    }
  }

  private static final class Builder {
    private int left = MAX_STEPS;

    void add(Skip skip, JfrType type, int depth) {
      if (type == null || depth > MAX_DEPTH || left <= 0) {
        add(skip, FAIL, 0);
        return;
      }
      switch (type.name) {
        case "boolean", "byte" -> add(skip, BYTES, 1);
        case "char", "short", "int", "long" -> add(skip, VARINTS, 1);
        case "float" -> add(skip, BYTES, 4);
        case "double" -> add(skip, BYTES, 8);
        case "java.lang.String" -> add(skip, STRING, 0);
        default -> {
          if (type.fields.isEmpty()) {
            add(skip, FAIL, 0);
          }
          for (Field field : type.fields) {
            if (left <= 0) {
              add(skip, FAIL, 0);
              return;
            }
            add(skip, field, depth + 1);
          }
        }
      }
    }

    void add(Skip skip, Field field, int depth) {
      if (field.array) {
        Skip element = new Skip();
        addValue(element, field, depth);
        skip.elements = Arrays.copyOf(skip.elements, skip.elements.length + 1);
        skip.elements[skip.elements.length - 1] = element;
        add(skip, ARRAY, skip.elements.length - 1);
      } else {
        addValue(skip, field, depth);
      }
    }

    private void addValue(Skip skip, Field field, int depth) {
      if (field.constant) {
        add(skip, VARINTS, 1);
      } else {
        add(skip, field.type(), depth);
      }
    }

    private void add(Skip skip, int step, int argument) {
      left--;
      int last = skip.steps.length - 2;
      if ((step == VARINTS || step == BYTES) && last >= 0 && skip.steps[last] == step) {
        skip.steps[last + 1] += argument;
        return;
      }
      skip.steps = Arrays.copyOf(skip.steps, last + 4);
      skip.steps[last + 2] = step;
      skip.steps[last + 3] = argument;
    }
  }
}
