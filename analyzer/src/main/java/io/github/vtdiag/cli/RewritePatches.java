package io.github.vtdiag.cli;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.advice.Advised;
import io.github.vtdiag.advice.Recommendation.Rewrite;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.patch.Patch;
import io.github.vtdiag.patch.UnifiedDiff;
import io.github.vtdiag.patch.WantedLocks;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.source.SourceAgreement;
import io.github.vtdiag.source.SourceFolders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The patches that vtdiag patch would write for the advice, one by one, for reports. */
final class RewritePatches {
  private final List<ClassMonitors> lockMaps;
  private final SourceFolders sources;

  RewritePatches(Program program, SourceFolders sources) {
    SourceAgreement.check(program, sources);
    this.sources = sources;
    lockMaps = program.lockMaps(sources::hasSourceOf);
  }

  /** Returns whether there is anything to patch. */
  static boolean isAnyWanted(Advice advice) {
    return advice.advised().stream().anyMatch(each -> !each.rewrites().isEmpty());
  }

  /**
   * Returns the patches by rewrites, as far as the locks of a finding can be moved in the sources.
   */
  Map<List<Rewrite>, Patch> byRewrites(Advice advice) {
    Map<List<Rewrite>, Patch> patches = new LinkedHashMap<>();
    for (Advised advised : advice.advised()) {
      List<Rewrite> wanted = advised.rewrites();
      if (!wanted.isEmpty()) {
        patches.computeIfAbsent(wanted, this::patch);
      }
    }
    patches.values().removeIf(patch -> patch.files().isEmpty());
    return patches;
  }

  /**
   * Returns the diff of all rewrites of an entry, for each of the main entries that has some.
   *
   * @param here the current folder, as a real path
   */
  Map<AdviceEntry, String> diffs(Advice advice, Path here) {
    Map<AdviceEntry, String> diffs = new HashMap<>();
    for (AdviceEntry entry : advice.main()) {
      List<Rewrite> wanted = entry.rewrites();
      List<Patch.Change> files = wanted.isEmpty() ? List.of() : patch(wanted).files();
      byte[] diff =
          UnifiedDiff.of(
              List.of(),
              files,
              sources.baseOf(files.stream().map(Patch.Change::path).toList(), here));
      // The diff is for people, who see text that is not UTF-8 as such.
      if (diff.length > 0) {
        diffs.put(entry, new String(diff, StandardCharsets.UTF_8));
      }
    }
    return diffs;
  }

  /** Returns why vtdiag patch would leave out rewrites, as far as it would. */
  Map<Rewrite, String> declined(Advice advice) {
    Map<Rewrite, String> declined = new HashMap<>();
    for (AdviceEntry entry : advice.main()) {
      for (Rewrite rewrite : entry.rewrites()) {
        patch(List.of(rewrite)).declined().stream()
            .findFirst()
            .ifPresent(stays -> declined.put(rewrite, stays.reason()));
      }
    }
    return declined;
  }

  private Patch patch(List<Rewrite> rewrites) {
    Set<List<Lock>> locks = new LinkedHashSet<>();
    rewrites.forEach(rewrite -> locks.add(rewrite.locks()));
    return new WantedLocks(locks, List.of()).patch(lockMaps, sources);
  }
}
