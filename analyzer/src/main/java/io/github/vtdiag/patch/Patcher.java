package io.github.vtdiag.patch;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.Lock.Identity.LocalVariable;
import io.github.vtdiag.source.DeclinedException;
import io.github.vtdiag.source.MatchedSources;
import io.github.vtdiag.source.SourceFolders;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Plans the source edits that replace monitors with ReentrantLocks. */
public final class Patcher {
  private Patcher() {}

  /**
   * Plans a patch.
   *
   * @param locks locks that may move, each with all its sites and calls
   * @param program the lock maps of all classes that are compiled from the sources
   * @param sources where the sources are
   */
  public static Patch patch(
      List<Lock> locks, Collection<ClassMonitors> program, SourceFolders sources) {
    MatchedSources matched = new MatchedSources(program, sources);
    FieldNames names = new FieldNames(sources);
    List<Lock> moved = new ArrayList<>();
    List<Patch.LockField> fields = new ArrayList<>();
    List<Patch.Unpatched> declined = new ArrayList<>();
    List<SourceRewrite> rewrites = new ArrayList<>();
    List<KotlinRewrite> inKotlin = new ArrayList<>();
    Map<Lock, Set<Path>> places = new HashMap<>();
    List<Patch.Comment> unsure = new ArrayList<>();
    // The first to ask gets a name, so the order must not depend on the caller's.
    List<Lock> ordered =
        locks.stream().sorted(Comparator.comparing(lock -> lock.identity().toString())).toList();
    for (Lock lock : ordered) {
      try {
        if (lock.identity() instanceof LocalVariable of) {
          throw new DeclinedException(
              "the object is in a local variable of %s, which is not patched: declare that as a ReentrantLock by hand"
                  .formatted(of.method()));
        }
        if (lock.inOtherLanguage().isPresent()) {
          throw new DeclinedException(
              "it is taken in "
                  + lock.inOtherLanguage().get()
                  + ", and only sources in Java and Kotlin are patched");
        }
        if (lock.isInKotlin()) {
          KotlinPlan plan = KotlinPlan.make(lock, matched, names);
          inKotlin.addAll(plan.rewrites());
          fields.add(plan.field());
          moved.add(lock);
          places.put(lock, Set.of(plan.file().path));
          continue;
        }
        LockPlan plan = LockPlan.make(lock, matched, names);
        rewrites.addAll(plan.rewrites());
        unsure.addAll(plan.unsure());
        fields.add(plan.field());
        moved.add(lock);
        places.put(
            lock,
            plan.rewrites().stream().map(each -> each.file().path).collect(Collectors.toSet()));
      } catch (DeclinedException e) {
        declined.add(new Patch.Unpatched(lock, e.obstacle, e.getMessage()));
      }
    }
    List<Patch.Change> files = new ArrayList<>(Renderer.render(rewrites));
    files.addAll(KotlinRenderer.render(inKotlin));
    files.sort(Comparator.comparing(Patch.Change::path));
    unsure.addAll(KotlinRenderer.comments(inKotlin));
    return new Patch(files, moved, fields, declined, places, StaleComments.of(rewrites, unsure));
  }
}
