package io.github.vtdiag.analysis;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.ClassLookup;
import java.util.Map;

/**
 * A recording whose pins were attributed, with the owners of the classes that it names.
 *
 * @param account the account of its carriers' time
 * @param owners the owners of {@link Attributed#namedClasses} of all recordings that are grouped
 *     together, and of {@link Attributed#classesOnStacks} of this one
 * @param lookups the results of looking for the {@link Attributed#unreadClasses}
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
