package samples.fuzz;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import vtdiag.model.ClassMonitors;
import vtdiag.model.DataException;
import vtdiag.patch.Patch;
import vtdiag.patch.PatchCheck;
import vtdiag.patch.SourceFolders;
import vtdiag.patch.WantedLocks;
import vtdiag.pipeline.Pipeline;
import vtdiag.program.Program;
import vtdiag.safety.Assumptions;
import vtdiag.safety.Decision;
import vtdiag.safety.Ladder;
import vtdiag.safety.Lock;

/** What {@code vtdiag patch --all} does, for one program after the other and verified at once. */
final class Patches {
  /**
   * A program's patch.
   *
   * @param moved how many of its sites move
   * @param rules why the others stay, one name for each
   * @param why the same in words, for each lock
   */
  record Planned(
      Patch patch, List<ClassMonitors> lockMaps, int moved, List<String> rules, List<String> why) {}

  private Patches() {}

  /** Plans the patch of all locks in these sources. */
  static Planned plan(List<String> classPath, Path sources) throws DataException, IOException {
    SourceFolders folders = new SourceFolders(List.of(sources));
    try (Program program = new Pipeline(classPath, Optional.empty()).program(21)) {
      List<String> own = program.classNames().stream().filter(folders::hasSourceOf).toList();
      List<Decision> decisions = new Ladder(program, Assumptions.WHOLE_PROGRAM).all(own);
      List<ClassMonitors> lockMaps = program.lockMaps(folders::hasSourceOf);
      Patch patch = WantedLocks.of(decisions).patch(lockMaps, folders);
      List<String> rules = new ArrayList<>();
      List<String> why = new ArrayList<>();
      for (Decision decision : decisions) {
        if (decision instanceof Decision.Declined declined) {
          declined.sites().forEach(site -> rules.add(declined.rung().name()));
          why.add(declined.rung() + ": " + declined.reason());
        }
      }
      for (Patch.Unpatched declined : patch.declined()) {
        declined.lock().sites().forEach(site -> rules.add(declined.obstacle().name()));
        why.add(declined.obstacle() + ": " + declined.reason());
      }
      int moved = patch.moved().stream().mapToInt(lock -> lock.sites().size()).sum();
      return new Planned(patch, lockMaps, moved, rules, why);
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
      PatchCheck.verify(
          new Patch(files, moved, fields, List.of()), classPath, lockMaps, type -> 21, note -> {});
      return Optional.empty();
    } catch (DataException e) {
      return Optional.of(e.getMessage());
    }
  }
}
