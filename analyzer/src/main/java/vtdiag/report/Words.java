package vtdiag.report;

import java.util.List;
import vtdiag.analysis.Finding;
import vtdiag.analysis.Site;
import vtdiag.model.MonitorRegion;
import vtdiag.model.PinCause;
import vtdiag.program.Owner;

/** Causes and owners in words. */
final class Words {
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
  static String title(Finding finding) {
    return finding.cause() instanceof PinCause.HiddenVmFrame && finding.caller().isEmpty()
        ? "(no frame outside the JVM)"
        : finding.title();
  }

  /** {@code 1}, {@code 1 and 2}, {@code 1, 2 and 3}. */
  static String list(List<String> items) {
    int last = items.size() - 1;
    return last < 1
        ? String.join("", items)
        : String.join(", ", items.subList(0, last)) + " and " + items.get(last);
  }

  static String owner(Owner owner) {
    return switch (owner) {
      case Owner.Application application -> "application";
      case Owner.Library library -> library.coordinates().textWithEvidence();
      case Owner.Jdk jdk -> "JDK";
      case Owner.UnknownJar unknown ->
          unknown.location().isEmpty() ? "unknown jar" : "unknown library in " + unknown.location();
    };
  }

  /** What a cause is, with the lines of a synchronized method: a stack may hold two of a name. */
  static String causeWithLines(PinCause cause) {
    return cause instanceof PinCause.HeldMonitor held
            && held.site().region().kind() == MonitorRegion.Kind.METHOD
        ? held.text() + held.lines()
        : cause.text();
  }
}
