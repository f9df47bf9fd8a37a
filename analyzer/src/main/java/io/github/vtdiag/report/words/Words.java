package io.github.vtdiag.report.words;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.PinCause;
import java.util.List;

/** Causes and owners in words. */
public final class Words {
  private Words() {}

  /** Returns a cause in words, if the title is the caller and the site itself is inside the JDK. */
  static String causeInside(Site site, PinCause cause) {
    if (site.className().isEmpty() || site.method().isEmpty()) {
      return cause.text();
    }
    String simple = site.className().substring(site.className().lastIndexOf('.') + 1);
    return "inside " + simple + "." + site.method() + " (" + cause.text() + ")";
  }

  /** Returns the title of a finding: its method, or what stands for one if there is none. */
  public static String title(Pin finding) {
    return finding.cause() instanceof PinCause.HiddenVmFrame && finding.caller().isEmpty()
        ? "(no frame outside the JVM)"
        : finding.title();
  }

  /** Returns {@code 1}, {@code 1 and 2}, {@code 1, 2 and 3}. */
  public static String list(List<String> items) {
    int last = items.size() - 1;
    return last < 1
        ? String.join("", items)
        : String.join(", ", items.subList(0, last)) + " and " + items.get(last);
  }

  /** Returns a cause with the lines of a synchronized method: a stack may have two of one name. */
  public static String causeWithLines(PinCause cause) {
    return cause instanceof PinCause.HeldMonitor held
            && held.site().region().kind() == MonitorRegion.Kind.METHOD
        ? held.text() + held.lines()
        : cause.text();
  }
}
