package vtdiag.analysis;

import java.util.Map;
import vtdiag.model.ClassRef;
import vtdiag.program.Owner;

/**
 * A recording whose pins were attributed, and whose code the classes are that it names.
 *
 * @param owners has {@link Attributed#namedClasses}
 */
public record Recorded(Attributed pins, Map<ClassRef, Owner> owners) {
  public Recorded {
    owners = Map.copyOf(owners);
  }
}
