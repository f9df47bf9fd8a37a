package vtdiag.report;

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
      case PinCause.HiddenVmFrame hidden ->
          "native or VM frame that the stack does not show: " + hidden.reason();
      case PinCause.Unexplained unexplained -> "not explained: " + unexplained.why();
    };
  }

  /** As {@link #cause}, where the title is the caller and the site itself is inside the JDK. */
  static String causeInside(Site site, PinCause cause) {
    if (site.className().isEmpty()) {
      return cause(cause);
    }
    String simple = site.className().substring(site.className().lastIndexOf('.') + 1);
    return "inside " + simple + "." + site.method() + " (" + cause(cause) + ")";
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
