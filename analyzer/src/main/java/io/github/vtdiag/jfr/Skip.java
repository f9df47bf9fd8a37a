package io.github.vtdiag.jfr;

import io.github.vtdiag.jfr.Metadata.Field;
import io.github.vtdiag.jfr.Metadata.JfrType;
import java.util.Arrays;

/**
 * The steps that skip the bytes of a type without reading them; neighbouring numbers are one step.
 * Every step takes at least a byte, so skipping never takes longer than the data is long.
 */
final class Skip {
  // A step is two ints: the kind, and a count, length or index.
  private static final int VARINTS = 0;
  private static final int BYTES = 1;
  private static final int STRING = 2;
  private static final int ARRAY = 3;
  private static final int FAIL = 4;

  /**
   * The most steps of a type; the JDK's have about ten. In damaged metadata, types can contain
   * themselves.
   */
  private static final int MAX_STEPS = 1_000;

  private static final int MAX_DEPTH = 8;

  // Final, because threads that read chunks at the same time share them.
  private final int[] steps;
  private final Skip[] elements;

  private Skip(int[] steps, Skip[] elements) {
    this.steps = steps;
    this.elements = elements;
  }

  static Skip of(JfrType type) {
    Steps made = new Steps(new int[] {MAX_STEPS});
    made.add(type, 0);
    return made.skip();
  }

  static Skip of(Field field) {
    Steps made = new Steps(new int[] {MAX_STEPS});
    made.add(field, 0);
    return made.skip();
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

  /** A sequence of steps while it is built. */
  private static final class Steps {
    /** The number of steps that may still be added, those of elements included. */
    private final int[] left;

    private int[] steps = {};
    private Skip[] elements = {};

    Steps(int[] left) {
      this.left = left;
    }

    Skip skip() {
      return new Skip(steps, elements);
    }

    void add(JfrType type, int depth) {
      if (type == null || depth > MAX_DEPTH || left[0] <= 0) {
        add(FAIL, 0);
        return;
      }
      switch (type.name) {
        case "boolean", "byte" -> add(BYTES, 1);
        case "char", "short", "int", "long" -> add(VARINTS, 1);
        case "float" -> add(BYTES, 4);
        case "double" -> add(BYTES, 8);
        case "java.lang.String" -> add(STRING, 0);
        default -> {
          if (type.fields.isEmpty()) {
            add(FAIL, 0);
          }
          for (Field field : type.fields) {
            if (left[0] <= 0) {
              add(FAIL, 0);
              return;
            }
            add(field, depth + 1);
          }
        }
      }
    }

    void add(Field field, int depth) {
      if (field.array) {
        Steps element = new Steps(left);
        element.addValue(field, depth);
        elements = Arrays.copyOf(elements, elements.length + 1);
        elements[elements.length - 1] = element.skip();
        add(ARRAY, elements.length - 1);
      } else {
        addValue(field, depth);
      }
    }

    private void addValue(Field field, int depth) {
      if (field.constant) {
        add(VARINTS, 1);
      } else {
        add(field.type(), depth);
      }
    }

    private void add(int step, int argument) {
      left[0]--;
      int last = steps.length - 2;
      if ((step == VARINTS || step == BYTES) && last >= 0 && steps[last] == step) {
        steps[last + 1] += argument;
        return;
      }
      steps = Arrays.copyOf(steps, last + 4);
      steps[last + 2] = step;
      steps[last + 3] = argument;
    }
  }
}
