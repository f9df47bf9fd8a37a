package io.github.vtdiag.analysis;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import java.util.Optional;
import java.util.Set;

/**
 * The key by which pins are grouped: a place in code, or whatever else distinguishes a cause.
 *
 * @param kind the sort of cause
 * @param place the monitor held or waited for; for any other cause its class and method, if it has
 *     them
 * @param detail a further distinction: the class of a lock, HotSpot's reason; often empty
 * @param caller for a site in the JDK, the method that called into it: otherwise all users of
 *     {@code ConcurrentHashMap.computeIfAbsent} would be one finding
 */
public record Site(PinKind kind, MonitorId place, String detail, String caller) {
  /** The native methods in which selectors wait: since JDK 24 a virtual thread unmounts there. */
  private static final Set<String> OF_SELECTORS =
      Set.of("sun.nio.ch.EPoll.wait", "sun.nio.ch.KQueue.poll");

  private static final MonitorId NOWHERE = new MonitorId("", "", "", MonitorId.METHOD);

  /** Returns the class; empty if the cause has none. */
  public String className() {
    return place.className();
  }

  /** Returns the method; empty if the cause has none. */
  public String method() {
    return place.method();
  }

  /** Returns the method's descriptor; empty if the cause has none. */
  public String descriptor() {
    return place.descriptor();
  }

  /** Returns {@code com.example.Foo.bar}, or what stands for it if there is no method. */
  public String name() {
    if (className().isEmpty()) {
      return caller.isEmpty() ? detail : caller;
    }
    return method().isEmpty() ? className() : place.qualifiedMethod();
  }

  /** Returns the same place without what else distinguishes its causes. */
  Site withoutDetail() {
    return new Site(kind, place, "", caller);
  }

  /** Returns whether the same kind of pin also exists since JDK 24 (JEP 491). */
  public boolean pinsSince24() {
    return kind.pinsSince24() && !isSelector();
  }

  /** Returns whether threads wait in a selector. */
  public boolean isSelector() {
    return OF_SELECTORS.contains(place.qualifiedMethod());
  }

  /**
   * Computes the hash without the method handles of the record's own: every cause of a pin needs
   * it.
   */
  @Override
  public int hashCode() {
    return ((kind.name().hashCode() * 31 + place.hashCode()) * 31 + detail.hashCode()) * 31
        + caller.hashCode();
  }

  static Site of(PinCause cause, StackTrace stack) {
    // A class without a frame is the same site for all threads that wait for it.
    boolean alone = cause.at().isEmpty() && cause.place().isPresent();
    return new Site(
        PinKind.of(cause),
        cause.place().orElse(NOWHERE),
        cause.detail(),
        alone ? "" : caller(cause, stack).map(Frame::qualifiedMethod).orElse(""));
  }

  /**
   * Returns the nearest frame outside the JDK that led to a cause inside it, or to one without a
   * frame.
   */
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
