package vtdiag.report;

import vtdiag.gate.Policy.Check;
import vtdiag.gate.Verdict;
import vtdiag.model.Figures;

/** A gate's verdict for people and build logs: one line, then one for each figure. */
public final class GateText {
  private GateText() {}

  public static String of(Verdict verdict, Style style) {
    StringBuilder text = new StringBuilder();
    switch (verdict) {
      case Verdict.Pass pass -> {
        String limits = Figures.count(pass.checks().size(), "limit");
        String hold = pass.checks().size() == 1 ? " holds" : " hold";
        text.append(style.green("PASS")).append("  ").append(limits).append(hold).append('\n');
        pass.checks().forEach(check -> text.append(style.line(2, figure(check))));
      }
      case Verdict.Fail fail -> {
        text.append(style.red("FAIL")).append("  ");
        text.append(Figures.count(fail.violations().size())).append(" of ");
        text.append(Figures.count(fail.checks().size(), "limit")).append(" broken\n");
        for (Check check : fail.violations()) {
          String where = check.where().map(place -> ": " + place).orElse("");
          text.append(style.line(2, figure(check) + where));
        }
      }
      case Verdict.NoData noData -> {
        text.append(style.yellow("NO_DATA"));
        text.append("  no limit is seen broken, but that is no proof\n");
        noData.reasons().forEach(reason -> text.append(style.line(2, reason)));
      }
    }
    for (String warning : verdict.warnings()) {
      text.append(style.line(2, style.yellow("warning:") + " " + warning));
    }
    return text.toString();
  }

  private static String figure(Check check) {
    return check.name().text() + " " + check.figure() + ", limit " + check.limit();
  }
}
