package io.github.vtdiag.report.json;

import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.upgrade.MonitorFate;
import io.github.vtdiag.upgrade.Upgrade;
import io.github.vtdiag.upgrade.VersionCheck;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was read of other versions of libraries, for programs. */
final class UpgradeJson {
  private UpgradeJson() {}

  /** All of it; no member if nothing was asked. */
  static void member(JsonDocument json, List<Upgrade> upgrades) throws IOException {
    if (upgrades.isEmpty()) {
      return;
    }
    json.out.writeArrayFieldStart("upgrades");
    for (Upgrade upgrade : upgrades) {
      json.out.writeStartObject();
      json.out.writeStringField("library", upgrade.library().name());
      json.out.writeStringField("from", upgrade.library().version());
      json.out.writeStringField("takenFrom", upgrade.takenFrom());
      version(json, "newest", upgrade.newest());
      version(json, "newestOfMajor", upgrade.newestOfMajor());
      version(json, "firstFree", upgrade.firstFree());
      json.out.writeNumberField("unread", upgrade.unread());
      json.out.writeNumberField("downloads", upgrade.downloads());
      json.out.writeArrayFieldStart("versions");
      for (VersionCheck check : upgrade.checks()) {
        json.out.writeStartObject();
        members(json, check);
        json.out.writeEndObject();
      }
      json.out.writeEndArray();
      json.out.writeArrayFieldStart("notes");
      for (String note : upgrade.notes()) {
        json.out.writeString(note);
      }
      json.out.writeEndArray();
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
  }

  static void check(JsonDocument json, String name, VersionCheck check) throws IOException {
    json.out.writeObjectFieldStart(name);
    members(json, check);
    json.out.writeEndObject();
  }

  private static void members(JsonDocument json, VersionCheck check) throws IOException {
    json.out.writeStringField("version", check.version());
    json.out.writeBooleanField("free", check.isFree());
    json.out.writeArrayFieldStart("monitors");
    for (Map.Entry<Site, MonitorFate> entry : check.fates().entrySet()) {
      json.out.writeStartObject();
      json.out.writeStringField("class", entry.getKey().className());
      json.out.writeStringField("method", entry.getKey().method());
      json.out.writeStringField("descriptor", entry.getKey().descriptor());
      json.out.writeStringField("fate", fate(entry.getValue()));
      if (entry.getValue() instanceof MonitorFate.Taken(String where) && !where.isEmpty()) {
        json.out.writeStringField("where", where);
      }
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
    json.out.writeArrayFieldStart("added");
    for (String added : check.added()) {
      json.out.writeString(added);
    }
    json.out.writeEndArray();
    json.out.writeStringField("text", check.evidence());
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

  private static void version(JsonDocument json, String name, Optional<String> version)
      throws IOException {
    if (version.isPresent()) {
      json.out.writeStringField(name, version.get());
    } else {
      json.out.writeNullField(name);
    }
  }
}
