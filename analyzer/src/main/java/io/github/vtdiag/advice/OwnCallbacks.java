package io.github.vtdiag.advice;

import static io.github.vtdiag.model.ClassRef.rootPackage;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Finding.Pin.ReachedFrom;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.owner.Owner;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds the application's code that a library calls while it holds its monitor. */
public final class OwnCallbacks {
  private OwnCallbacks() {}

  /**
   * Returns the innermost frame of the application's code inside a library's monitor, on the stacks
   * that cost most. Code is the application's if it shares the packages of the code that led there,
   * and the library does not.
   */
  public static Optional<Frame> inside(Pin finding) {
    if (!(finding.owner() instanceof Owner.Library)
        || !(finding.cause() instanceof PinCause.HeldMonitor)) {
      return Optional.empty();
    }
    Set<String> own =
        finding.reachedFrom().stream()
            .map(ReachedFrom::frame)
            .map(OwnCallbacks::packages)
            .collect(Collectors.toSet());
    return finding
        .place()
        .filter(holder -> !own.contains(packages(holder)))
        .filter(holder -> finding.stack().frames().stream().anyMatch(each -> isSame(each, holder)))
        .flatMap(
            holder ->
                finding.stack().frames().stream()
                    .takeWhile(each -> !isSame(each, holder))
                    .filter(each -> each.type().isWritten() && own.contains(packages(each)))
                    .findFirst());
  }

  private static String packages(Frame frame) {
    return rootPackage(frame.type().name());
  }

  private static boolean isSame(Frame one, Frame other) {
    return one.qualifiedMethod().equals(other.qualifiedMethod());
  }
}
