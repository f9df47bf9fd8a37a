package io.github.vtdiag.safety;

import java.util.Optional;

/** One reason for which monitors have to stay. */
interface Rule {
  /** Empty if it does not speak against the lock. */
  Optional<Refusal> refuse(LockGroup lock, WholeProgram program);
}
