package vtdiag.analysis;

import java.util.Optional;
import vtdiag.model.ClassRef;
import vtdiag.model.Frame;
import vtdiag.model.LockSite;
import vtdiag.model.MonitorRegion;
import vtdiag.model.PinCause;
import vtdiag.model.StackTrace;

/**
 * What pins are grouped by: a place in code, or whatever else a cause can be told apart by.
 *
 * @param kind the sort of cause
 * @param className the class; empty where the cause has none
 * @param method its method; empty where the cause has none
 * @param descriptor the method's descriptor; empty where the cause has none
 * @param enterBci the bci of the block's {@code monitorenter}, held or waited for; else -1
 * @param detail what else tells it apart: the class of a lock, HotSpot's reason; often empty
 * @param caller where the site is in the JDK, the method that called into it: all users of {@code
 *     ConcurrentHashMap.computeIfAbsent} would be one finding otherwise
 */
public record Site(
    Kind kind,
    String className,
    String method,
    String descriptor,
    int enterBci,
    String detail,
    String caller) {

  /** The sorts of site, one for each sort of cause. */
  public enum Kind {
    SYNCHRONIZED_METHOD,
    SYNCHRONIZED_BLOCK,
    NATIVE_FRAME,
    CLASS_INITIALIZER,
    AWAITED_INITIALIZATION,
    CLASS_LOADING,
    MONITOR_ENTRY,
    OBJECT_WAIT,
    HIDDEN_VM_FRAME,
    UNEXPLAINED
  }

  /** {@code com.example.Foo.bar}, or what stands for it where there is no method. */
  public String name() {
    if (className.isEmpty()) {
      return caller.isEmpty() ? detail : caller;
    }
    return method.isEmpty() ? className : className + "." + method;
  }

  /** Whether the same kind of pin also exists since JDK 24 (JEP 491). */
  public boolean pinsSince24() {
    return switch (kind) {
      case SYNCHRONIZED_METHOD, SYNCHRONIZED_BLOCK, MONITOR_ENTRY, OBJECT_WAIT -> false;
      case NATIVE_FRAME,
          CLASS_INITIALIZER,
          AWAITED_INITIALIZATION,
          CLASS_LOADING,
          HIDDEN_VM_FRAME,
          UNEXPLAINED ->
          true;
    };
  }

  static Site of(PinCause cause, StackTrace stack) {
    String caller = caller(cause, stack).map(Frame::qualifiedMethod).orElse("");
    return switch (cause) {
      case PinCause.HeldMonitor held -> {
        LockSite site = held.site();
        Kind kind =
            site.region().kind() == MonitorRegion.Kind.METHOD
                ? Kind.SYNCHRONIZED_METHOD
                : Kind.SYNCHRONIZED_BLOCK;
        yield new Site(
            kind,
            site.type().name(),
            site.method(),
            site.descriptor(),
            site.region().enterBci(),
            "",
            caller);
      }
      case PinCause.NativeFrame frame -> of(Kind.NATIVE_FRAME, frame.frame(), "", caller);
      case PinCause.ClassInitializer frame -> of(Kind.CLASS_INITIALIZER, frame.frame(), "", caller);
      case PinCause.AwaitedInitialization awaited ->
          new Site(Kind.AWAITED_INITIALIZATION, awaited.className(), "", "", -1, "", "");
      case PinCause.ClassLoading loading -> of(Kind.CLASS_LOADING, loading.requester(), "", caller);
      case PinCause.MonitorEntry entry -> {
        Frame frame = entry.frame();
        yield new Site(
            Kind.MONITOR_ENTRY,
            frame.type().name(),
            frame.method(),
            frame.descriptor(),
            frame.monitorEnterBci(),
            entry.lockClass(),
            caller);
      }
      case PinCause.ObjectWait wait ->
          of(Kind.OBJECT_WAIT, wait.caller(), wait.lockClass(), caller);
      case PinCause.HiddenVmFrame hidden ->
          new Site(Kind.HIDDEN_VM_FRAME, "", "", "", -1, hidden.reason(), caller);
      case PinCause.Unexplained unexplained ->
          new Site(Kind.UNEXPLAINED, "", "", "", -1, unexplained.why(), caller);
    };
  }

  /** The class that a cause is in, or is about; none if nothing tells. */
  static Optional<ClassRef> classOf(PinCause cause) {
    return switch (cause) {
      case PinCause.HeldMonitor held -> Optional.of(held.site().type());
      case PinCause.NativeFrame frame -> Optional.of(frame.frame().type());
      case PinCause.ClassInitializer frame -> Optional.of(frame.frame().type());
      case PinCause.ClassLoading loading -> Optional.of(loading.requester().type());
      case PinCause.MonitorEntry entry -> Optional.of(entry.frame().type());
      case PinCause.ObjectWait wait -> Optional.of(wait.caller().type());
      case PinCause.AwaitedInitialization awaited ->
          Optional.of(new ClassRef(awaited.className(), ""));
      case PinCause.HiddenVmFrame hidden -> Optional.empty();
      case PinCause.Unexplained unexplained -> Optional.empty();
    };
  }

  /** The nearest frame outside the JDK that led to a cause inside it, or to one without a frame. */
  static Optional<Frame> caller(PinCause cause, StackTrace stack) {
    int depth =
        switch (cause) {
          case PinCause.HeldMonitor held -> depthIfJdk(held.site().type(), held.depth());
          case PinCause.NativeFrame frame -> depthIfJdk(frame.frame().type(), frame.depth());
          case PinCause.ClassInitializer frame -> depthIfJdk(frame.frame().type(), frame.depth());
          case PinCause.ClassLoading loading ->
              depthIfJdk(loading.requester().type(), loading.depth());
          case PinCause.MonitorEntry entry -> depthIfJdk(entry.frame().type(), 0);
          case PinCause.ObjectWait wait -> depthIfJdk(wait.caller().type(), 0);
          case PinCause.AwaitedInitialization awaited -> 0;
          case PinCause.HiddenVmFrame hidden -> 0;
          case PinCause.Unexplained unexplained -> 0;
        };
    return depth < 0
        ? Optional.empty()
        : stack.frames().stream()
            .skip(depth)
            // Recordings have frames without a class; they name nobody.
            .filter(frame -> !frame.type().isJdk() && !frame.type().name().isEmpty())
            .findFirst();
  }

  private static int depthIfJdk(ClassRef type, int depth) {
    return type.isJdk() ? depth : -1;
  }

  private static Site of(Kind kind, Frame frame, String detail, String caller) {
    return new Site(
        kind,
        frame.type().name(),
        kind == Kind.CLASS_INITIALIZER ? "<clinit>" : frame.method(),
        frame.descriptor(),
        -1,
        detail,
        caller);
  }
}
