package io.github.vtdiag.model;

import java.util.List;
import java.util.Set;

/**
 * The causes to which a pin is attributed. The pin ends only when every one of them is gone.
 *
 * @param causes innermost first, never empty
 * @param operation what the thread was waiting for
 * @param unreadClasses classes on the stack whose monitors are unknown, for lack of (fitting)
 *     bytes; a monitor may be missing from {@code causes}
 * @param truncated whether outer frames were cut off; a monitor may be missing from {@code causes}
 */
public record Attribution(
    List<PinCause> causes,
    BlockingOperation operation,
    Set<String> unreadClasses,
    boolean truncated) {
  public Attribution {
    causes = List.copyOf(causes);
    unreadClasses = Set.copyOf(unreadClasses);
    if (causes.isEmpty()) {
      throw new IllegalArgumentException("an attribution needs a cause");
    }
  }

  public PinCause primary() {
    return causes.getFirst();
  }
}
