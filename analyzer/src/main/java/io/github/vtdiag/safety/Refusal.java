package io.github.vtdiag.safety;

import java.util.List;
import java.util.Optional;

/**
 * The reason why a monitor has to stay.
 *
 * @param reason one sentence for the user that names the class, field or method in the way
 * @param blockers the methods of other code that may lock the same object, as CLASS#METHOD
 */
record Refusal(RefusalReason rung, String reason, List<String> blockers) {
  static Optional<Refusal> of(RefusalReason rung, String reason) {
    return Optional.of(new Refusal(rung, reason, List.of()));
  }
}
