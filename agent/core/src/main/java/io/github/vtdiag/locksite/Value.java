package io.github.vtdiag.locksite;

import java.util.List;
import java.util.stream.Stream;

/**
 * The possible content of a local variable or stack slot, identified by its origin. Two references
 * with the same origins are taken to be the same object; that is how a {@code monitorexit} is
 * paired with its {@code monitorenter}.
 *
 * @param size the slots it takes: 2 for long and double
 * @param origins the instructions (by index) and parameters (see {@link #parameter}) that the
 *     reference can come from, ascending; empty if it is not a reference, or has too many origins
 *     to follow
 */
record Value(int size, List<Integer> origins) implements org.objectweb.asm.tree.analysis.Value {
  /** The most origins of a reference that is followed. */
  private static final int MAX_ORIGINS = 8;

  static final Value UNKNOWN = new Value(1, List.of());
  static final Value WIDE = new Value(2, List.of());

  static Value of(int origin) {
    return new Value(1, List.of(origin));
  }

  /** Returns the origin of the parameter in a local variable slot. */
  static int parameter(int slot) {
    return -1 - slot;
  }

  /** Returns the local variable slot of a parameter's origin, or -1 for an instruction. */
  static int slot(int origin) {
    return origin < 0 ? -1 - origin : -1;
  }

  @Override
  public int getSize() {
    return size;
  }

  boolean isSameObject(Value other) {
    return !origins.isEmpty() && origins.equals(other.origins);
  }

  /**
   * Returns the value where two branches meet. Origins only grow, then vanish, so the analysis
   * terminates.
   */
  Value merge(Value other) {
    if (equals(other)) {
      return this;
    }
    if (origins.isEmpty() || other.origins.isEmpty()) {
      return UNKNOWN;
    }
    List<Integer> union =
        Stream.concat(origins.stream(), other.origins.stream()).distinct().sorted().toList();
    return union.size() > MAX_ORIGINS ? UNKNOWN : new Value(1, union);
  }
}
