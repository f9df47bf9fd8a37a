package io.github.vtdiag.model;

import java.util.List;
import java.util.Optional;

/**
 * One reason why a blocked virtual thread could not unmount.
 *
 * <p>On JDK 21 to 23 a held monitor is one; since JDK 24 (JEP 491) only native and VM frames and
 * class initialization are.
 */
public sealed interface PinCause
    permits PinCause.OfMonitor,
        NativeFrame,
        PinCause.ClassInitializer,
        PinCause.AwaitedInitialization,
        PinCause.ClassLoading,
        PinCause.HiddenVmFrame,
        PinCause.Unexplained {

  /** Returns the frame of the stack that is the cause; empty if no frame shows it. */
  default Optional<Frame> at() {
    return Optional.empty();
  }

  /** Returns the depth of that frame, 0 the innermost; negative if it is unknown. */
  default int depth() {
    return -1;
  }

  /** Returns the class of the cause, or the class that it is about; empty if it is unknown. */
  default Optional<ClassRef> type() {
    return at().map(Frame::type);
  }

  /** Returns whether it is a monitor, which pins on JDK 21 to 23 only (JEP 491). */
  default boolean isMonitor() {
    return this instanceof OfMonitor;
  }

  /** Returns the words for it, without its place: {@code synchronized method, lock: this}. */
  String text();

  /** Returns the short form for a live warning, after the blocking operation. */
  String clause();

  /** Returns the name of the site in the summary, which has one line for all its pins. */
  default String summary() {
    return at().filter(Frame::isNamed).map(frame -> frame.qualifiedMethod() + ", ").orElse("")
        + text();
  }

  /** Returns the reason to which its time counts in the account of the carriers. */
  PinReason reason();

  /** Returns the monitor or the method by which pins are grouped; empty if it is unknown. */
  default Optional<MonitorId> place() {
    return at().map(
            frame ->
                new MonitorId(
                    frame.type().name(), frame.method(), frame.descriptor(), MonitorId.METHOD));
  }

  /** Returns what distinguishes it from others in that place: the class of a lock, a reason. */
  default String detail() {
    return "";
  }

  /** A monitor that the thread holds, waits for, or waits in. */
  sealed interface OfMonitor extends PinCause permits HeldMonitor, MonitorEntry, ObjectWait {}

  /**
   * A frame that holds a monitor.
   *
   * @param depth the frame's place in the stack, 0 the innermost
   * @param frame the frame
   * @param site where it took the monitor
   * @param confidence how certain that is
   * @param objects the locked objects if the pin was sampled; else empty
   */
  record HeldMonitor(
      int depth, Frame frame, LockSite site, Confidence confidence, List<MonitorObject> objects)
      implements OfMonitor {
    public HeldMonitor {
      objects = List.copyOf(objects);
    }

    @Override
    public Optional<Frame> at() {
      return Optional.of(frame);
    }

    @Override
    public Optional<ClassRef> type() {
      return Optional.of(site.type());
    }

    @Override
    public String text() {
      MonitorRegion region = site.region();
      return switch (region.kind()) {
        case METHOD -> "synchronized method, lock: " + region.lock().text();
        case BLOCK -> "synchronized block, lock: " + region.lock().text() + lines();
      };
    }

    @Override
    public String clause() {
      String what =
          switch (site.region().kind()) {
            case METHOD -> "synchronized method ";
            case BLOCK -> "synchronized block in ";
          };
      return "holding "
          + site.type().simpleName()
          + " ("
          + what
          + site.method()
          + ", "
          + position(frame)
          + ")";
    }

    @Override
    public String summary() {
      return site.qualifiedMethod() + ", " + text();
    }

    @Override
    public PinReason reason() {
      return PinReason.MONITOR;
    }

    @Override
    public Optional<MonitorId> place() {
      return Optional.of(site.id());
    }

    /** Returns {@code , Foo.java:12-20}; empty if the lines are unknown. */
    public String lines() {
      MonitorRegion region = site.region();
      if (region.firstLine() < 0) {
        return "";
      }
      String from = Figures.position(site.type(), region.firstLine());
      return ", "
          + (region.lastLine() > region.firstLine() ? from + "-" + region.lastLine() : from);
    }
  }

  /** A class initializer that blocks; the JVM itself calls it. */
  record ClassInitializer(int depth, Frame frame) implements PinCause {
    @Override
    public Optional<Frame> at() {
      return Optional.of(frame);
    }

    @Override
    public String text() {
      return "class initializer";
    }

    @Override
    public String clause() {
      return "in the initializer of " + frame.type().name() + " (" + position(frame) + ")";
    }

    @Override
    public PinReason reason() {
      return PinReason.CLASS;
    }

    @Override
    public Optional<MonitorId> place() {
      return Optional.of(
          new MonitorId(frame.type().name(), "<clinit>", frame.descriptor(), MonitorId.METHOD));
    }
  }

  /**
   * A wait until another thread has initialized a class.
   *
   * @param className empty if it is unknown
   */
  record AwaitedInitialization(String className) implements PinCause {
    @Override
    public Optional<ClassRef> type() {
      return className.isEmpty() ? Optional.empty() : Optional.of(new ClassRef(className, ""));
    }

    @Override
    public String text() {
      return "waits until another thread has initialized "
          + (className.isEmpty() ? "a class (not known which)" : className);
    }

    @Override
    public String clause() {
      return "while another thread initializes " + (className.isEmpty() ? "a class" : className);
    }

    @Override
    public PinReason reason() {
      return PinReason.CLASS;
    }

    @Override
    public Optional<MonitorId> place() {
      return type().map(type -> new MonitorId(type.name(), "", "", MonitorId.METHOD));
    }

    @Override
    public String detail() {
      return className.isEmpty() ? "class initialization" : "";
    }
  }

  /** A class that the JVM loads through a Java class loader on behalf of {@code requester}. */
  record ClassLoading(int depth, Frame requester) implements PinCause {
    @Override
    public Optional<Frame> at() {
      return Optional.of(requester);
    }

    @Override
    public String text() {
      return "class loading";
    }

    @Override
    public String clause() {
      return "while loading a class for " + position(requester);
    }

    @Override
    public PinReason reason() {
      return PinReason.CLASS;
    }
  }

  /**
   * A wait to enter a monitor that another thread holds, which itself pins on 21.
   *
   * @param lock the object, as the bytecode names it
   * @param enterBci the bci of the {@code monitorenter}; {@link MonitorId#METHOD} for the monitor
   *     of a synchronized method
   * @param caller the same frame, but of {@code Object.wait}, which enters again, its caller's
   */
  record MonitorEntry(
      Frame frame, String lockClass, LockExpression lock, int enterBci, Frame caller)
      implements OfMonitor {
    public MonitorEntry(Frame frame, String lockClass) {
      this(frame, lockClass, LockExpression.UNKNOWN, frame.monitorEnterBci(), frame);
    }

    @Override
    public Optional<Frame> at() {
      return Optional.of(frame);
    }

    @Override
    public String text() {
      return "waits to enter " + lock.monitorOfOther(lockClass);
    }

    @Override
    public String clause() {
      return whereabouts(caller);
    }

    @Override
    public String summary() {
      return caller.isNamed() ? caller.qualifiedMethod() + ", " + text() : text();
    }

    @Override
    public PinReason reason() {
      return PinReason.MONITOR_ENTRY;
    }

    @Override
    public Optional<MonitorId> place() {
      return Optional.of(
          new MonitorId(frame.type().name(), frame.method(), frame.descriptor(), enterBci));
    }

    @Override
    public String detail() {
      return lockClass;
    }
  }

  /** {@code Object.wait}, which itself pins on 21 to 23. */
  record ObjectWait(Frame caller, String lockClass) implements OfMonitor {
    @Override
    public Optional<Frame> at() {
      return Optional.of(caller);
    }

    @Override
    public String text() {
      return "Object.wait" + (lockClass.isEmpty() ? "" : " on " + ClassRef.readable(lockClass));
    }

    @Override
    public String clause() {
      return whereabouts(caller);
    }

    @Override
    public PinReason reason() {
      return PinReason.OBJECT_WAIT;
    }

    @Override
    public String detail() {
      return lockClass;
    }
  }

  /** A native or VM frame that the recording reports but the stack does not show. */
  record HiddenVmFrame(String why) implements PinCause {
    /**
     * HotSpot's reasons since JDK 24 ({@code JavaThread::post_vthread_pinned_event}); the numbers
     * are those of its {@code freeze_result}.
     */
    @Override
    public String text() {
      return switch (why) {
        case "Native or VM frame on stack" ->
            "native or VM frame, which the recorded stack does not show";
        case "Freeze or preempt failed (2)" ->
            "critical section of the JVM, such as class loading, which no thread may leave (JFR: "
                + why
                + ")";
        case "Freeze or preempt failed (4)" ->
            "held monitor, which pins in this locking mode of the JVM (JFR: " + why + ")";
        case "Freeze or preempt failed (5)" ->
            "the JVM could not save the thread's stack, for want of memory (JFR: " + why + ")";
        case String other when other.startsWith("Freeze or preempt failed") ->
            "the JVM could not take the thread off its carrier (JFR: " + other + ")";
        default -> "reason of the JVM: " + why;
      };
    }

    @Override
    public String clause() {
      return "cause: " + text();
    }

    @Override
    public PinReason reason() {
      return PinReason.NATIVE_FRAME;
    }

    @Override
    public String detail() {
      return why;
    }
  }

  /** An unknown cause, with the reason why it is unknown. */
  record Unexplained(String why) implements PinCause {
    @Override
    public String text() {
      return "not explained: " + why;
    }

    @Override
    public String clause() {
      return "cause unknown: " + why;
    }

    @Override
    public String summary() {
      return clause();
    }

    @Override
    public PinReason reason() {
      return PinReason.UNEXPLAINED;
    }

    @Override
    public String detail() {
      return why;
    }
  }

  private static String whereabouts(Frame frame) {
    return frame.isNamed() ? "at " + position(frame) : "in code that JFR does not name";
  }

  private static String position(Frame frame) {
    return Figures.position(frame.type(), frame.line());
  }
}
