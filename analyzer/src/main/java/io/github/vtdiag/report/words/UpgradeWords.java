package io.github.vtdiag.report.words;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.upgrade.Upgrade;
import io.github.vtdiag.upgrade.VersionCheck;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The results of reading other versions of libraries in words. */
public final class UpgradeWords {
  private UpgradeWords() {}

  /** Returns a line for the library, and one for each version that answers a further question. */
  public static List<String> lines(Upgrade upgrade) {
    List<String> lines = new ArrayList<>();
    if (!upgrade.checks().isEmpty()) {
      lines.add(title(upgrade));
      Set<String> versions = new LinkedHashSet<>();
      upgrade.firstFree().ifPresent(versions::add);
      upgrade.newestOfMajor().ifPresent(versions::add);
      upgrade.newest().ifPresent(versions::add);
      if (versions.isEmpty()) {
        upgrade.checks().forEach(check -> versions.add(check.version()));
      }
      for (String version : versions) {
        upgrade.check(version).ifPresent(check -> lines.add(line(upgrade, check)));
      }
    }
    upgrade.notes().forEach(note -> lines.add(sentence(note)));
    return lines;
  }

  /** Returns a note as a sentence; a library's name keeps its case. */
  private static String sentence(String note) {
    boolean isName = note.split(" ", 2)[0].indexOf(':') > 0;
    return (isName ? note : Printable.upperFirst(note)) + ".";
  }

  private static String title(Upgrade upgrade) {
    String name = upgrade.library().text();
    String moved =
        upgrade.takenFrom().equals(upgrade.library().name())
            ? ""
            : upgrade.library().group().isEmpty()
                ? ", taken for " + upgrade.takenFrom()
                : ", which is " + upgrade.takenFrom() + " now";
    return "Other versions of "
        + name
        + moved
        + ", read from their classes, not run ("
        + Figures.count(upgrade.checks().size(), "version")
        + " read, "
        + Figures.count(upgrade.downloads(), "download")
        + "):";
  }

  private static String line(Upgrade upgrade, VersionCheck check) {
    List<String> what = new ArrayList<>();
    if (upgrade.firstFree().filter(check.version()::equals).isPresent()) {
      what.add(
          upgrade.unread() == 0
              ? "first free"
              : "first found free, with "
                  + Figures.count(upgrade.unread(), "older version")
                  + " not read");
    }
    if (upgrade.newest().filter(check.version()::equals).isPresent()) {
      what.add("newest");
    } else if (upgrade.newestOfMajor().filter(check.version()::equals).isPresent()) {
      what.add("newest of the same major");
    }
    return (check.library().equals(upgrade.takenFrom()) ? "" : check.library() + " ")
        + check.version()
        + (what.isEmpty() ? "" : " (" + String.join("; ", what) + ")")
        + ": "
        + check.outcome()
        + ".";
  }
}
