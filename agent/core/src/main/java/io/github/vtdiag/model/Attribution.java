package io.github.vtdiag.model;

import java.util.List;
import java.util.Optional;
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

  /**
   * Returns the causes that hold now: without the monitor that {@code Object.wait} released. While
   * the thread waits, any other thread can take that one.
   */
  public List<PinCause> current() {
    Optional<PinCause> released =
        primary() instanceof PinCause.ObjectWait wait ? released(wait) : Optional.empty();
    return causes.stream().filter(cause -> released.filter(cause::equals).isEmpty()).toList();
  }

  /** Returns the monitor of the caller, else that of the object itself, else the only one. */
  private Optional<PinCause> released(PinCause.ObjectWait wait) {
    List<PinCause.HeldMonitor> held =
        causes.stream()
            .filter(PinCause.HeldMonitor.class::isInstance)
            .map(PinCause.HeldMonitor.class::cast)
            .toList();
    return held.stream()
        .filter(each -> each.frame().equals(wait.caller()))
        .findFirst()
        .or(
            () ->
                held.stream()
                    .filter(each -> each.site().region().lock().equals(LockExpression.THIS))
                    .filter(each -> each.site().type().name().equals(wait.lockClass()))
                    .findFirst())
        .or(() -> held.size() == 1 ? Optional.of(held.getFirst()) : Optional.empty())
        .map(each -> each);
  }
}
