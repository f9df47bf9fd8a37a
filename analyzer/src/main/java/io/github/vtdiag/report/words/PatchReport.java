package io.github.vtdiag.report.words;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.patch.Patch;
import io.github.vtdiag.safety.Decision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The locks that a patch leaves out, as text. */
public final class PatchReport {
  /** The most lines of a list: a library that locks its arguments does so in many methods. */
  private static final int SHOWN = 10;

  /** The oldest JDK for which it is known what it locks. */
  private static final int OLDEST_KNOWN = 11;

  private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

  private PatchReport() {}

  /** Returns what was patched and what was not, in one sentence. */
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

  /** Returns what follows if older JDKs can load the classes; empty if none can. */
  public static Optional<String> jdks(int oldest) {
    return oldest == 0 || oldest >= FIRST_WITH_VIRTUAL_THREADS
        ? Optional.empty()
        : Optional.of(
            "These classes can run on Java "
                + oldest
                + " and later. Objects that one of these JDKs locks keep their monitors"
                + (oldest < OLDEST_KNOWN ? " (known for Java " + OLDEST_KNOWN + " and later)" : "")
                + "; name the JDK that runs the classes with --jdk");
  }

  /** Returns one line for each lock that stays a monitor, with the rule that keeps it. */
  public static List<String> declined(Patch patch, List<Decision.Declined> refused) {
    List<String> lines = new ArrayList<>();
    for (Patch.Unpatched each : patch.declined()) {
      lines.add(line(AdviceWords.name(each.lock()), each.reason()));
    }
    for (Decision.Declined each : refused) {
      lines.add(
          line(
              place(each.sites()),
              each.blockers().size() > 1
                  ? Figures.count(each.blockers().size()) + " methods may lock it, see below"
                  : each.reason()));
    }
    List<Blocker> blockers = blockers(refused);
    if (!blockers.isEmpty()) {
      lines.add("Methods that may lock these objects, and how many locks each keeps:");
      blockers.stream().limit(SHOWN).forEach(each -> lines.add("  " + line(each)));
      if (blockers.size() > SHOWN) {
        lines.add("  and " + Figures.count(blockers.size() - SHOWN) + " more (--format json)");
      }
      lines.add(
          "If you know that one locks none of them, add --trust-site with its name; if only its own"
              + " code locks a class, --assume-not-shared with that.");
    }
    return lines;
  }

  /** Returns the places of comments that may no longer be right; empty if there are none. */
  public static List<String> comments(Patch patch, Path base) {
    if (patch.comments().isEmpty()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    lines.add("Comments and annotations that may speak of the old locks; read them:");
    patch.comments().stream()
        .limit(SHOWN)
        .forEach(each -> lines.add("  " + path(each, base) + ":" + each.line()));
    if (patch.comments().size() > SHOWN) {
      lines.add(
          "  and " + Figures.count(patch.comments().size() - SHOWN) + " more (--format json)");
    }
    return lines;
  }

  public static String path(Patch.Comment comment, Path base) {
    return base.relativize(comment.path()).toString().replace('\\', '/');
  }

  /**
   * A method that keeps locks from moving.
   *
   * @param site the method, as CLASS#METHOD
   * @param locks the number of locks that it keeps
   */
  public record Blocker(String site, int locks) {}

  /** Returns the methods that keep locks, those that keep most first. */
  public static List<Blocker> blockers(List<Decision.Declined> refused) {
    Map<String, Integer> locks = new TreeMap<>();
    refused.forEach(each -> each.blockers().forEach(site -> locks.merge(site, 1, Integer::sum)));
    return locks.entrySet().stream()
        .map(entry -> new Blocker(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingInt(Blocker::locks).reversed())
        .toList();
  }

  private static String line(Blocker blocker) {
    return blocker.site() + ": " + Figures.count(blocker.locks(), "lock");
  }

  private static String line(String what, String reason) {
    return "  " + what + ": " + reason;
  }

  /** Returns where a lock is taken, for locks that are not known well enough to have a name. */
  private static String place(List<LockSite> sites) {
    LockSite first = sites.getFirst();
    return first.qualifiedMethod()
        + (first.region().firstLine() > 0
            ? " (" + Figures.position(first.type(), first.region().firstLine()) + ")"
            : "")
        + (sites.size() > 1 ? " and " + Figures.count(sites.size() - 1) + " more" : "");
  }
}
