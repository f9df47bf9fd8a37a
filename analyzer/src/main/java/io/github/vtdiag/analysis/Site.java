package io.github.vtdiag.analysis;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.MonitorRegion;
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

  static Site of(PinCause cause, StackTrace stack) {
    String caller = caller(cause, stack).map(Frame::qualifiedMethod).orElse("");
    return switch (cause) {
      case PinCause.HeldMonitor held -> {
        LockSite site = held.site();
        PinKind kind =
            site.region().kind() == MonitorRegion.Kind.METHOD
                ? PinKind.SYNCHRONIZED_METHOD
                : PinKind.SYNCHRONIZED_BLOCK;
        yield new Site(kind, site.id(), "", caller);
      }
      case PinCause.NativeFrame frame -> of(PinKind.NATIVE_FRAME, frame.frame(), "", caller);
      case PinCause.ClassInitializer frame ->
          of(PinKind.CLASS_INITIALIZER, frame.frame(), "", caller);
      case PinCause.AwaitedInitialization awaited ->
          awaited.className().isEmpty()
              ? new Site(PinKind.AWAITED_INITIALIZATION, NOWHERE, "class initialization", caller)
              : new Site(
                  PinKind.AWAITED_INITIALIZATION,
                  new MonitorId(awaited.className(), "", "", MonitorId.METHOD),
                  "",
                  "");
      case PinCause.ClassLoading loading ->
          of(PinKind.CLASS_LOADING, loading.requester(), "", caller);
      case PinCause.MonitorEntry entry -> {
        Frame frame = entry.frame();
        yield new Site(
            PinKind.MONITOR_ENTRY,
            new MonitorId(
                frame.type().name(), frame.method(), frame.descriptor(), entry.enterBci()),
            entry.lockClass(),
            caller);
      }
      case PinCause.ObjectWait wait ->
          of(PinKind.OBJECT_WAIT, wait.caller(), wait.lockClass(), caller);
      case PinCause.HiddenVmFrame hidden ->
          new Site(PinKind.HIDDEN_VM_FRAME, NOWHERE, hidden.reason(), caller);
      case PinCause.Unexplained unexplained ->
          new Site(PinKind.UNEXPLAINED, NOWHERE, unexplained.why(), caller);
    };
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

  private static Site of(PinKind kind, Frame frame, String detail, String caller) {
    return new Site(
        kind,
        new MonitorId(
            frame.type().name(),
            kind == PinKind.CLASS_INITIALIZER ? "<clinit>" : frame.method(),
            frame.descriptor(),
            MonitorId.METHOD),
        detail,
        caller);
  }
}
