package io.github.vtdiag.safety;

import io.github.vtdiag.program.TypeHierarchy;
import java.util.LinkedHashSet;
import java.util.Set;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.analysis.Value;

/**
 * The places from which a reference can come.
 *
 * @param size the slots it takes: 2 for long and double
 * @param all the places; none for {@code null} and for what is no reference
 */
record Origins(int size, Set<Origin> all) implements Value {
  /** The most origins of a reference that is followed; branches may make one of more. */
  private static final int MAX = 12;

  /**
   * One place.
   *
   * @param instruction the instruction that pushed it; null for a parameter or if it is not known
   * @param slot the local variable slot of the parameter, else -1
   * @param type its type, as far as the code says
   */
  record Origin(AbstractInsnNode instruction, int slot, String type) {
    boolean isParameter() {
      return slot >= 0;
    }

    /** As records have it, but without their method handles: it is asked millions of times. */
    @Override
    public int hashCode() {
      return 31 * (31 * System.identityHashCode(instruction) + slot) + type.hashCode();
    }
  }

  static final Origins NONE = new Origins(1, Set.of());
  static final Origins WIDE = new Origins(2, Set.of());
  static final Origins UNKNOWN = of(new Origin(null, -1, TypeHierarchy.OBJECT));

  static Origins of(Origin origin) {
    return new Origins(1, Set.of(origin));
  }

  @Override
  public int getSize() {
    return size;
  }

  boolean isFrom(AbstractInsnNode instruction) {
    return all.stream().anyMatch(origin -> instruction.equals(origin.instruction()));
  }

  /** Merges the origins where two branches meet. Origins only grow, so the analysis ends. */
  @SuppressWarnings("ReferenceEquality") // Both branches mostly have the same object.
  Origins merge(Origins other) {
    if (this == UNKNOWN || all == other.all || all.containsAll(other.all)) {
      return this;
    }
    Set<Origin> union = new LinkedHashSet<>(all);
    union.addAll(other.all);
    return union.size() > MAX || union.containsAll(UNKNOWN.all) ? UNKNOWN : new Origins(1, union);
  }
}
