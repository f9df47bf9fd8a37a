package io.github.vtdiag.openrewrite;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.openrewrite.ExecutionContext;
import org.openrewrite.SourceFile;
import org.openrewrite.Tree;
import org.openrewrite.TreeVisitor;

/**
 * The change of each file to what was planned. A lock moves in all of its files or in none: files
 * that another recipe changed since stay, with all that change together with them.
 */
public final class EditedSource extends TreeVisitor<Tree, ExecutionContext> {
  private final GivenSources given;
  private final LockOutcomes table;

  /** Takes the files that were given, with their plan. */
  public EditedSource(GivenSources given, LockOutcomes table) {
    this.given = given;
    this.table = table;
  }

  @Override
  public Tree visit(Tree tree, ExecutionContext ctx) {
    Optional<PatchPlan> plan = given.plan();
    if (!(tree instanceof SourceFile) || !plan.isPresent()) {
      return tree;
    }
    SourceFile current = (SourceFile) tree;
    Path path = current.getSourcePath();
    Optional<SourceFile> edited = plan.get().edited(path);
    if (!edited.isPresent() || given.leftOut().contains(path)) {
      return tree;
    }
    if (!GivenSources.text(current).equals(GivenSources.text(given.files().get(path)))) {
      leaveOut(path, plan.get().changingWith(path), ctx);
      return tree;
    }
    given.written().add(path);
    return edited.get().<SourceFile>withMarkers(current.getMarkers());
  }

  private void leaveOut(Path path, Set<Path> together, ExecutionContext ctx) {
    Set<Path> begun = new HashSet<>(together);
    begun.retainAll(given.written());
    String changed = GivenSources.unix(path) + " was changed by an earlier recipe of this run";
    if (!begun.isEmpty()) {
      throw new IllegalStateException(
          changed
              + ", and "
              + GivenSources.unix(begun.iterator().next())
              + " moves the same lock; put io.github.vtdiag.MonitorToLock before the others, or run"
              + " it alone");
    }
    String sentence =
        changed
            + ", so the locks taken there stay monitors; put io.github.vtdiag.MonitorToLock before"
            + " the others, or build and run it again";
    RecipeLog.warn(sentence);
    table.insertRow(ctx, new LockOutcomes.Row("", "STAYS", "SOURCES", sentence));
    given.leftOut().addAll(together);
  }
}
