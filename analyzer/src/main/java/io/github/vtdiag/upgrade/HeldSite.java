package io.github.vtdiag.upgrade;

import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.LockExpression;

/**
 * A monitor of a library that was held, waited for or waited on, on recorded stacks.
 *
 * @param site the place that takes it
 * @param lock the locked expression, if it is known
 */
public record HeldSite(Site site, LockExpression lock) {
  boolean isWait() {
    return site.kind() == PinKind.OBJECT_WAIT;
  }
}
