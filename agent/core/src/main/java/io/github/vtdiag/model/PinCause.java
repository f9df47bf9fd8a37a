package io.github.vtdiag.model;

import java.util.List;
import java.util.Optional;

/**
 * One reason why a blocked virtual thread could not leave its carrier.
 *
 * <p>On JDK 21 to 23 a held monitor is one; since JDK 24 (JEP 491) only native and VM frames and
 * class initialization are.
 */
public sealed interface PinCause {

  /** The frame of the stack that it is; empty where no frame shows it. */
  Optional<Frame> at();

  /** Which frame of the stack that is, 0 the innermost; negative where that is not known. */
  default int depth() {
    return -1;
  }

  /** The class that it is in, or is about; empty if nothing tells. */
  default Optional<ClassRef> type() {
    return at().map(Frame::type);
  }

  /** Whether it is a monitor, which pins on JDK 21 to 23 only (JEP 491). */
  default boolean isMonitor() {
    return false;
  }

  /**
   * A frame that holds a monitor.
   *
   * @param depth the frame's place in the stack, 0 the innermost
   * @param frame the frame
   * @param site where it took the monitor
   * @param confidence how sure that is
   * @param objects the locked objects where the pin was sampled; else empty
   */
  record HeldMonitor(
      int depth, Frame frame, LockSite site, Confidence confidence, List<MonitorObject> objects)
      implements PinCause {
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
    public boolean isMonitor() {
      return true;
    }

    /** {@code , Foo.java:12-20}; empty if the lines are not known. */
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

  /**
   * A call into native code, which blocked there or in the Java that it called back.
   *
   * @param frame the native method; of the foreign function interface, whose native frames no stack
   *     shows, the method that called
   * @param calledBy the method that called into native code, if the stack shows it
   * @param calledBack the method that native code called, if the stack shows it; empty too if the
   *     native code itself blocked
   */
  record NativeFrame(
      int depth, Frame frame, Kind kind, Optional<Frame> calledBy, Optional<Frame> calledBack)
      implements PinCause {

    /** By which way Java and native code call each other. */
    public enum Kind {
      /** A native method of the application or a library. */
      JNI,
      /** The foreign function interface, {@code java.lang.foreign}. */
      FFM,
      /** A native method of the JDK. */
      JDK
    }

    @Override
    public Optional<Frame> at() {
      return Optional.of(frame);
    }

    private String inWords() {
      String back = calledBack.map(f -> " that calls back " + method(f)).orElse(" that blocks");
      return switch (kind) {
        case JNI ->
            "native method" + back + calledBy.map(f -> ", called by " + method(f)).orElse("");
        case FFM -> "foreign function" + back;
        case JDK -> "native method of the JDK" + back;
      };
    }

    private static String method(Frame frame) {
      return frame.type().simpleName() + "." + frame.method();
    }
  }

  /** A class initializer that blocks; the JVM itself calls it. */
  record ClassInitializer(int depth, Frame frame) implements PinCause {
    @Override
    public Optional<Frame> at() {
      return Optional.of(frame);
    }
  }

  /**
   * Waiting until another thread has initialized a class.
   *
   * @param className empty if nothing tells which
   */
  record AwaitedInitialization(String className) implements PinCause {
    @Override
    public Optional<Frame> at() {
      return Optional.empty();
    }

    @Override
    public Optional<ClassRef> type() {
      return className.isEmpty() ? Optional.empty() : Optional.of(new ClassRef(className, ""));
    }
  }

  /** A class that the JVM loads through a Java class loader on behalf of {@code requester}. */
  record ClassLoading(int depth, Frame requester) implements PinCause {
    @Override
    public Optional<Frame> at() {
      return Optional.of(requester);
    }
  }

  /**
   * Waiting to enter a monitor that another thread holds, which itself keeps the carrier on 21.
   *
   * @param enterBci the bci of the {@code monitorenter}; {@link MonitorId#METHOD} for the monitor
   *     of a synchronized method
   */
  record MonitorEntry(Frame frame, String lockClass, int enterBci) implements PinCause {
    public MonitorEntry(Frame frame, String lockClass) {
      this(frame, lockClass, frame.monitorEnterBci());
    }

    @Override
    public Optional<Frame> at() {
      return Optional.of(frame);
    }

    @Override
    public boolean isMonitor() {
      return true;
    }
  }

  /** {@code Object.wait}, which itself keeps the carrier on 21 to 23. */
  record ObjectWait(Frame caller, String lockClass) implements PinCause {
    @Override
    public Optional<Frame> at() {
      return Optional.of(caller);
    }

    @Override
    public boolean isMonitor() {
      return true;
    }
  }

  /** A native or VM frame that the recording reports but the stack does not show. */
  record HiddenVmFrame(String reason) implements PinCause {
    @Override
    public Optional<Frame> at() {
      return Optional.empty();
    }

    /**
     * HotSpot's reasons since JDK 24 ({@code JavaThread::post_vthread_pinned_event}); the numbers
     * are those of its {@code freeze_result}.
     */
    private String inWords() {
      return switch (reason) {
        case "Native or VM frame on stack" ->
            "native or VM frame, which the recorded stack does not show";
        case "Freeze or preempt failed (2)" ->
            "critical section of the JVM, such as class loading, which no thread may leave (JFR: "
                + reason
                + ")";
        case "Freeze or preempt failed (4)" ->
            "held monitor, which pins in this locking mode of the JVM (JFR: " + reason + ")";
        case "Freeze or preempt failed (5)" ->
            "the JVM could not save the thread's stack, for want of memory (JFR: " + reason + ")";
        case String other when other.startsWith("Freeze or preempt failed") ->
            "the JVM could not take the thread off its carrier (JFR: " + other + ")";
        default -> "reason of the JVM: " + reason;
      };
    }
  }

  /** Not known, and why not. */
  record Unexplained(String why) implements PinCause {
    @Override
    public Optional<Frame> at() {
      return Optional.empty();
    }
  }

  /** What it is, without where: {@code synchronized method, lock: this}. */
  default String text() {
    return switch (this) {
      case HeldMonitor held -> {
        MonitorRegion region = held.site().region();
        yield switch (region.kind()) {
          case METHOD -> "synchronized method, lock: " + region.lock().text();
          case BLOCK -> "synchronized block, lock: " + region.lock().text() + held.lines();
        };
      }
      case NativeFrame frame -> frame.inWords();
      case ClassInitializer frame -> "class initializer";
      case AwaitedInitialization awaited ->
          "waits until another thread has initialized "
              + (awaited.className().isEmpty() ? "a class (not known which)" : awaited.className());
      case ClassLoading loading -> "class loading";
      case MonitorEntry entry ->
          "waits to enter a monitor" + ofClass(entry.lockClass()) + " that another thread holds";
      case ObjectWait wait ->
          "Object.wait" + (wait.lockClass().isEmpty() ? "" : " on " + wait.lockClass());
      case HiddenVmFrame hidden -> hidden.inWords();
      case Unexplained unexplained -> "not explained: " + unexplained.why();
    };
  }

  private static String ofClass(String name) {
    return name.isEmpty() ? "" : " of " + name;
  }
}
