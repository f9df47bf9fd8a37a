package io.github.vtdiag.report.json;

import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.upgrade.MonitorFate;
import io.github.vtdiag.upgrade.Upgrade;
import io.github.vtdiag.upgrade.VersionCheck;
import java.util.List;

/** Writes the results of reading other versions of libraries as JSON. */
final class UpgradeJson {
  private UpgradeJson() {}

  /** Writes all results; no member if nothing was asked. */
  static void member(JsonObject json, List<Upgrade> upgrades) {
    if (upgrades.isEmpty()) {
      return;
    }
    json.array(
        "upgrades",
        upgrades,
        (each, upgrade) ->
            each.put("library", upgrade.library().name())
                .put("from", upgrade.library().version())
                .put("takenFrom", upgrade.takenFrom())
                .put("newest", upgrade.newest())
                .put("newestOfMajor", upgrade.newestOfMajor())
                .put("firstFree", upgrade.firstFree())
                .put("unread", upgrade.unread())
                .put("downloads", upgrade.downloads())
                .array("versions", upgrade.checks(), UpgradeJson::members)
                .texts("notes", upgrade.notes()));
  }

  static void members(JsonObject json, VersionCheck check) {
    json.put("library", check.library())
        .put("version", check.version())
        .put("free", check.isFree())
        .array(
            "monitors",
            check.fates().entrySet(),
            (each, entry) -> {
              Site site = entry.getKey();
              JsonDocument.method(each, site.className(), site.method(), site.descriptor())
                  .put("fate", fate(entry.getValue()));
              if (entry.getValue() instanceof MonitorFate.Taken(String where) && !where.isEmpty()) {
                each.put("where", where);
              }
            })
        .texts("added", check.added())
        .put("text", check.evidence());
  }

  private static String fate(MonitorFate fate) {
    return switch (fate) {
      case MonitorFate.Taken taken -> "TAKEN";
      case MonitorFate.Locked locked -> "LOCK";
      case MonitorFate.Free free -> "FREE";
      case MonitorFate.Gone gone -> "GONE";
      case MonitorFate.Unread unread -> "UNREAD";
    };
  }
}
