package vtdiag.analysis;

import java.util.Map;
import vtdiag.account.Account;
import vtdiag.model.ClassRef;
import vtdiag.program.ClassLookup;
import vtdiag.program.Owner;

/**
 * A recording whose pins were attributed, and whose code the classes are that it names.
 *
 * @param account where its carriers' time went
 * @param owners has {@link Attributed#namedClasses} of all recordings that are grouped together,
 *     and {@link Attributed#classesOnStacks} of this one
 * @param lookups what came of looking for the {@link Attributed#unreadClasses}
 */
public record Recorded(
    Attributed pins,
    Account account,
    Map<ClassRef, Owner> owners,
    Map<String, ClassLookup> lookups) {
  public Recorded(Attributed pins, Map<ClassRef, Owner> owners, Map<String, ClassLookup> lookups) {
    this(pins, CarrierAccount.of(pins), owners, lookups);
  }

  public Recorded {
    owners = Map.copyOf(owners);
    lookups = Map.copyOf(lookups);
  }
}
