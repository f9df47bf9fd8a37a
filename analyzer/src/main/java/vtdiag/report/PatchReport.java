package vtdiag.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import vtdiag.model.Figures;
import vtdiag.model.LockSite;
import vtdiag.patch.Patch;
import vtdiag.safety.Decision;

/** What a patch leaves out, as text. */
public final class PatchReport {
  private PatchReport() {}

  /** What was patched and what was not, in one sentence. */
  public static String sentence(Patch patch, List<Decision.Declined> refused) {
    int stay = patch.declined().size() + refused.size();
    if (patch.moved().isEmpty()) {
      return stay == 0
          ? "nothing to patch: no lock needs a rewrite"
          : "nothing patched: "
              + Figures.count(stay, "lock")
              + (stay == 1 ? " stays a monitor" : " stay monitors");
    }
    int sites = patch.moved().stream().mapToInt(lock -> lock.sites().size()).sum();
    return "patched "
        + Figures.count(patch.moved().size(), "lock")
        + " ("
        + Figures.count(sites, "site")
        + " in "
        + Figures.count(patch.files().size(), "file")
        + ")"
        + (stay == 0
            ? ""
            : "; "
                + Figures.count(stay, "lock")
                + (stay == 1 ? " stays a monitor" : " stay monitors"));
  }

  /** One line per lock that stays a monitor, with the rule that keeps it. */
  public static List<String> declined(Patch patch, List<Decision.Declined> refused) {
    List<String> lines = new ArrayList<>();
    for (Patch.Unpatched each : patch.declined()) {
      lines.add(line(AdviceWords.name(each.lock()), each.obstacle().name(), each.reason()));
    }
    for (Decision.Declined each : refused) {
      lines.add(line(place(each.sites()), each.rung().name(), each.reason()));
    }
    return lines;
  }

  private static String line(String what, String rule, String reason) {
    return "  " + what + ": " + reason + " (" + rule.toUpperCase(Locale.ROOT) + ")";
  }

  /** Where a lock is taken, for locks that are not known well enough to have a name. */
  private static String place(List<LockSite> sites) {
    LockSite first = sites.getFirst();
    return first.qualifiedMethod()
        + (first.region().firstLine() > 0
            ? " (" + Figures.position(first.type(), first.region().firstLine()) + ")"
            : "")
        + (sites.size() > 1 ? " and " + Figures.count(sites.size() - 1) + " more" : "");
  }
}
