package vtdiag.report;

import vtdiag.analysis.Finding;
import vtdiag.analysis.Site;
import vtdiag.model.Figures;
import vtdiag.model.MonitorRegion;
import vtdiag.model.PinCause;
import vtdiag.program.Owner;

/** Causes and owners in words. */
final class Words {
  private Words() {}

  /** What a cause is, without where: {@code synchronized method, lock: this}. */
  static String cause(PinCause cause) {
    return switch (cause) {
      case PinCause.HeldMonitor held -> {
        MonitorRegion region = held.site().region();
        yield switch (region.kind()) {
          case METHOD -> "synchronized method, lock: " + region.lock().text();
          case BLOCK -> "synchronized block, lock: " + region.lock().text() + lines(held);
        };
      }
      case PinCause.NativeFrame frame -> "native method";
      case PinCause.ClassInitializer frame -> "class initializer";
      case PinCause.AwaitedInitialization awaited ->
          "waits until another thread has initialized " + awaited.className();
      case PinCause.ClassLoading loading -> "class loading";
      case PinCause.MonitorEntry entry ->
          "waits to enter a monitor" + ofClass(entry.lockClass()) + " that another thread holds";
      case PinCause.ObjectWait wait -> "Object.wait" + ofClass(wait.lockClass());
      case PinCause.HiddenVmFrame hidden -> hidden(hidden.reason());
      case PinCause.Unexplained unexplained -> "not explained: " + unexplained.why();
    };
  }

  /** As {@link #cause}, where the title is the caller and the site itself is inside the JDK. */
  static String causeInside(Site site, PinCause cause) {
    if (site.className().isEmpty() || site.method().isEmpty()) {
      return cause(cause);
    }
    String simple = site.className().substring(site.className().lastIndexOf('.') + 1);
    return "inside " + simple + "." + site.method() + " (" + cause(cause) + ")";
  }

  /** What to call a finding: its method, or what stands for one where there is none. */
  static String title(Finding finding) {
    return finding.cause() instanceof PinCause.HiddenVmFrame && finding.caller().isEmpty()
        ? "(no frame outside the JVM)"
        : finding.title();
  }

  /**
   * HotSpot's reasons since JDK 24 ({@code JavaThread::post_vthread_pinned_event}); the numbers are
   * those of its {@code freeze_result}.
   */
  private static String hidden(String reason) {
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

  static String owner(Owner owner) {
    return switch (owner) {
      case Owner.Application application -> "application";
      case Owner.Library library -> library.coordinates().text();
      case Owner.Jdk jdk -> "JDK";
      case Owner.UnknownJar unknown ->
          unknown.location().isEmpty() ? "unknown jar" : "unknown library in " + unknown.location();
    };
  }

  /** As {@link #cause}, with the lines of a synchronized method: a stack may hold two of a name. */
  static String causeWithLines(PinCause cause) {
    return cause instanceof PinCause.HeldMonitor held
            && held.site().region().kind() == MonitorRegion.Kind.METHOD
        ? cause(cause) + lines(held)
        : cause(cause);
  }

  private static String lines(PinCause.HeldMonitor held) {
    MonitorRegion region = held.site().region();
    if (region.firstLine() < 0) {
      return "";
    }
    String from = Figures.position(held.site().type(), region.firstLine());
    return ", " + (region.lastLine() > region.firstLine() ? from + "-" + region.lastLine() : from);
  }

  private static String ofClass(String name) {
    return name.isEmpty() ? "" : " of " + name;
  }
}
