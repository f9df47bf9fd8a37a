package samples.fuzz;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.patch.KotlinCompilers;
import io.github.vtdiag.patch.Patch;
import io.github.vtdiag.patch.PatchCheck;
import io.github.vtdiag.patch.WantedLocks;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.safety.Assumptions;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.LockSafety;
import io.github.vtdiag.source.SourceFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code vtdiag patch --all} does, for one program after the other and verified at once. */
final class Patches {
  /**
   * A program's patch.
   *
   * @param moved the sites that move
   * @param stay those that do not
   * @param rules why the others stay, one name for each
   * @param why the same in words, for each lock
   */
  record Planned(
      Patch patch,
      List<ClassMonitors> lockMaps,
      List<LockSite> moved,
      List<LockSite> stay,
      List<String> rules,
      List<String> why) {
    /** Of these sites the ones in the classes of a program's lock. */
    static long of(int lock, List<LockSite> sites) {
      return sites.stream().filter(site -> site.type().name().contains(".D" + lock)).count();
    }
  }

  private Patches() {}

  /** Plans the patch of all locks in these sources. */
  static Planned plan(List<String> classPath, Path sources) throws DataException, IOException {
    SourceFolders folders = new SourceFolders(List.of(sources));
    try (Program program = new Pipeline(classPath, Optional.empty()).program(21, List.of())) {
      List<String> own = program.classNames().stream().filter(folders::hasSourceOf).toList();
      List<Decision> decisions = new LockSafety(program, Assumptions.WHOLE_PROGRAM).all(own);
      List<ClassMonitors> lockMaps = program.lockMaps(folders::hasSourceOf);
      Patch patch = WantedLocks.of(decisions).patch(lockMaps, folders);
      List<LockSite> stay = new ArrayList<>();
      List<String> rules = new ArrayList<>();
      List<String> why = new ArrayList<>();
      for (Decision decision : decisions) {
        if (decision instanceof Decision.Declined declined) {
          stay.addAll(declined.sites());
          declined.sites().forEach(site -> rules.add(declined.rung().name()));
          why.add(declined.rung() + ": " + declined.reason());
        }
      }
      for (Patch.Unpatched declined : patch.declined()) {
        stay.addAll(declined.lock().sites());
        declined.lock().sites().forEach(site -> rules.add(declined.obstacle().name()));
        why.add(declined.obstacle() + ": " + declined.reason());
      }
      List<LockSite> moved = patch.moved().stream().flatMap(lock -> lock.sites().stream()).toList();
      return new Planned(patch, lockMaps, moved, stay, rules, why);
    }
  }

  /** What {@code --verify} says of them; empty if they are fine. */
  static Optional<String> verify(List<Planned> all, List<String> classPath) {
    List<Patch.Change> files = new ArrayList<>();
    List<Lock> moved = new ArrayList<>();
    List<Patch.LockField> fields = new ArrayList<>();
    List<ClassMonitors> lockMaps = new ArrayList<>();
    for (Planned each : all) {
      files.addAll(each.patch().files());
      moved.addAll(each.patch().moved());
      fields.addAll(each.patch().fields());
      lockMaps.addAll(each.lockMaps());
    }
    try {
      Patch patch = new Patch(files, moved, fields, List.of(), Map.of(), List.of());
      Optional<PatchCheck> check =
          PatchCheck.of(patch, classPath, List.of(), type -> 21, KotlinCompilers.NONE, note -> {});
      return check.isEmpty()
          ? Optional.empty()
          : check.get().problems(patch, lockMaps).values().stream().findFirst();
    } catch (DataException e) {
      return Optional.of(e.getMessage());
    }
  }
}
