package io.github.vtdiag.safety;

import java.util.Optional;

/** One reason for which monitors have to stay. */
interface Rule {
  /** Refuses the lock; empty if this rule has no objection. */
  Optional<Refusal> refuse(LockGroup lock, WholeProgram program);
}
