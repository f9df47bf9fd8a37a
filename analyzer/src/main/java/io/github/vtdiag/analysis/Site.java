package io.github.vtdiag.analysis;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import java.util.Optional;

/**
 * What pins are grouped by: a place in code, or whatever else a cause can be told apart by.
 *
 * @param kind the sort of cause
 * @param place the monitor held or waited for; of what is no monitor the class and the method, as
 *     far as the cause has them
 * @param detail what else tells it apart: the class of a lock, HotSpot's reason; often empty
 * @param caller where the site is in the JDK, the method that called into it: all users of {@code
 *     ConcurrentHashMap.computeIfAbsent} would be one finding otherwise
 */
public record Site(PinKind kind, MonitorId place, String detail, String caller) {
  private static final MonitorId NOWHERE = new MonitorId("", "", "", MonitorId.METHOD);

  /** The class; empty where the cause has none. */
  public String className() {
    return place.className();
  }

  /** Its method; empty where the cause has none. */
  public String method() {
    return place.method();
  }

  /** The method's descriptor; empty where the cause has none. */
  public String descriptor() {
    return place.descriptor();
  }

  /** {@code com.example.Foo.bar}, or what stands for it where there is no method. */
  public String name() {
    if (className().isEmpty()) {
      return caller.isEmpty() ? detail : caller;
    }
    return method().isEmpty() ? className() : place.qualifiedMethod();
  }

  /** Whether the same kind of pin also exists since JDK 24 (JEP 491). */
  public boolean pinsSince24() {
    return kind.pinsSince24();
  }

  /** As the record's own, which is a chain of method handles: every pin's causes ask it. */
  @Override
  public int hashCode() {
    return ((kind.name().hashCode() * 31 + place.hashCode()) * 31 + detail.hashCode()) * 31
        + caller.hashCode();
  }

  static Site of(PinCause cause, StackTrace stack) {
    // A class that no frame shows is the same site for all who wait for it.
    boolean alone = cause.at().isEmpty() && cause.place().isPresent();
    return new Site(
        PinKind.of(cause),
        cause.place().orElse(NOWHERE),
        cause.detail(),
        alone ? "" : caller(cause, stack).map(Frame::qualifiedMethod).orElse(""));
  }

  /** The nearest frame outside the JDK that led to a cause inside it, or to one without a frame. */
  static Optional<Frame> caller(PinCause cause, StackTrace stack) {
    boolean inJdk = cause.at().isEmpty() || cause.type().orElseThrow().isJdk();
    int depth = inJdk ? Math.max(0, cause.depth()) : -1;
    return depth < 0
        ? Optional.empty()
        : stack.frames().stream()
            .skip(depth)
            // Recordings have frames without a class; they name nobody. Nor do lambda proxies.
            .filter(frame -> !frame.type().isJdk() && !frame.type().name().isEmpty())
            .filter(frame -> !frame.type().name().contains("$$Lambda"))
            .findFirst();
  }
}
