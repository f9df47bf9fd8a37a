package io.github.vtdiag.report.words;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.PinCause;
import java.util.List;

/** Causes and owners in words. */
public final class Words {
  private Words() {}

  /** What a cause is, where the title is the caller and the site itself is inside the JDK. */
  static String causeInside(Site site, PinCause cause) {
    if (site.className().isEmpty() || site.method().isEmpty()) {
      return cause.text();
    }
    String simple = site.className().substring(site.className().lastIndexOf('.') + 1);
    return "inside " + simple + "." + site.method() + " (" + cause.text() + ")";
  }

  /** What to call a finding: its method, or what stands for one where there is none. */
  public static String title(Pin finding) {
    return finding.cause() instanceof PinCause.HiddenVmFrame && finding.caller().isEmpty()
        ? "(no frame outside the JVM)"
        : finding.title();
  }

  /** What pins, as a noun: {@code the monitor of com.example.Foo.bar}. */
  static String culprit(Pin finding) {
    Site site = finding.site();
    String name = site.name();
    String called =
        finding
            .caller()
            .map(caller -> ", called from " + caller.frame().qualifiedMethod())
            .orElse("");
    return switch (finding.cause()) {
      case PinCause.HeldMonitor held -> "the monitor of " + name + called;
      case PinCause.MonitorEntry entry -> "the monitor of " + name + called;
      case PinCause.ObjectWait wait -> "Object.wait in " + name + called;
      case PinCause.NativeFrame frame ->
          frame.kind() == PinCause.NativeFrame.Kind.FFM
              ? "native code called from " + name + called
              : "the native method " + name + called;
      case PinCause.ClassInitializer initializer ->
          "the class initializer of " + site.className() + called;
      case PinCause.AwaitedInitialization awaited -> "the class initializer of " + site.className();
      case PinCause.ClassLoading loading -> "class loading in " + name + called;
      case PinCause.HiddenVmFrame hidden -> hidden.text();
      case PinCause.Unexplained unexplained -> unexplained.text();
    };
  }

  /** {@code 1}, {@code 1 and 2}, {@code 1, 2 and 3}. */
  public static String list(List<String> items) {
    int last = items.size() - 1;
    return last < 1
        ? String.join("", items)
        : String.join(", ", items.subList(0, last)) + " and " + items.get(last);
  }

  /** What a cause is, with the lines of a synchronized method: a stack may hold two of a name. */
  public static String causeWithLines(PinCause cause) {
    return cause instanceof PinCause.HeldMonitor held
            && held.site().region().kind() == MonitorRegion.Kind.METHOD
        ? held.text() + held.lines()
        : cause.text();
  }
}
