package vtdiag.safety;

import java.util.Optional;

/**
 * Why a monitor has to stay.
 *
 * @param reason one sentence for the user that names the class, field or method in the way
 */
record Refusal(Rung rung, String reason) {
  static Optional<Refusal> of(Rung rung, String reason) {
    return Optional.of(new Refusal(rung, reason));
  }
}
