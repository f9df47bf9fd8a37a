package io.github.vtdiag.patch;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.MethodDeclaration;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.FieldAccessExpr;
import com.github.javaparser.ast.stmt.SynchronizedStmt;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.Lock.Identity;
import io.github.vtdiag.source.DeclinedException;
import io.github.vtdiag.source.MatchedSources;
import io.github.vtdiag.source.SourceFile;
import io.github.vtdiag.source.SourceFolders;
import io.github.vtdiag.source.Variables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The edits for one lock: none of them counts until all of them are made. */
final class LockPlan {
  private final Lock lock;
  private final LockOwner owner;
  private final FieldNames names;
  private final String name;

  /** The name of the condition; null if no thread waits. */
  private final String condition;

  private final TypeNames types;
  private final LockReferences references;
  private final List<SourceRewrite> rewrites = new ArrayList<>();
  private final List<Patch.Comment> unsure = new ArrayList<>();

  private LockPlan(
      Lock lock, LockOwner owner, LockUses uses, FieldNames names, SourceFolders sources) {
    this.lock = lock;
    this.owner = owner;
    this.names = names;
    this.name = names.ofLock(lock, owner, uses.files);
    boolean waits = lock.calls().stream().anyMatch(call -> !call.called().equals("holdsLock"));
    this.condition = waits ? names.ofCondition(name, owner, uses.files) : null;
    this.types = new TypeNames(sources, rewrites);
    this.references = new LockReferences(lock, owner, types);
  }

  /**
   * Plans the move of a lock.
   *
   * @throws DeclinedException if it has to stay a monitor
   */
  static LockPlan make(Lock lock, MatchedSources sources, FieldNames names)
      throws DeclinedException {
    LockUses uses = LockUses.find(lock, sources);
    LockOwner owner = LockOwner.find(lock, uses, sources);
    OwnerChecks.check(owner, uses, sources.folders);
    checkUnknownLocks(owner, sources.folders);
    LockPlan plan = new LockPlan(lock, owner, uses, names, sources.folders);
    ShownFields.check(owner);
    plan.rewrite(uses);
    return plan;
  }

  private static void checkUnknownLocks(LockOwner owner, SourceFolders folders)
      throws DeclinedException {
    Optional<Path> unknown = folders.unknownLocks();
    if (unknown.isPresent() && owner.field().filter(FieldDeclaration::isPrivate).isEmpty()) {
      throw DeclinedException.ofUnknownLocks(unknown.get());
    }
  }

  List<SourceRewrite> rewrites() {
    return rewrites;
  }

  /** Returns the annotations that may name the old lock and stay as they are. */
  List<Patch.Comment> unsure() {
    return unsure;
  }

  Patch.LockField field() {
    return new Patch.LockField(owner.name(), name);
  }

  private void rewrite(LockUses uses) throws DeclinedException {
    for (SourceFile.SynchronizedNode site : uses.sites) {
      rewrite(site);
    }
    MonitorCalls calls = new MonitorCalls(name, condition, references, types, rewrites, names);
    for (SourceFile.CallNode call : uses.calls) {
      calls.rewrite(call);
    }
    declare();
    Guards guards = new Guards(lock, owner, uses, name);
    for (SourceFile file : uses.files) {
      rewrites.addAll(guards.rewrites(file));
      unsure.addAll(guards.unsure(file));
    }
  }

  private void rewrite(SourceFile.SynchronizedNode site) throws DeclinedException {
    SourceFile file = site.context.type().file;
    switch (site.node) {
      case MethodDeclaration method ->
          rewrites.add(
              new SourceRewrite.Method(
                  file, method, references.reference(name, null, site.context)));
      case SynchronizedStmt block -> {
        Expression expression = block.getExpression();
        String reference = references.reference(name, expression, site.context);
        if (!isStable(expression, block)) {
          // The expression could give another object at the unlock.
          String held = names.ofVariable(file);
          rewrites.add(
              new SourceRewrite.Block(
                  file,
                  block,
                  held,
                  types.in(file, TypeNames.REENTRANT_LOCK) + " " + held + " = " + reference + ";"));
        } else {
          rewrites.add(new SourceRewrite.Block(file, block, reference, ""));
        }
      }
      default -> throw new IllegalStateException("no synchronized: " + site.node);
    }
  }

  /** Returns whether a lock expression gives the same lock before a block and after it. */
  private boolean isStable(Expression expression, SynchronizedStmt block) {
    return switch (lock.identity()) {
      case Identity.Instances of -> Variables.isStable(expression, block);
      case Identity.InstanceField of -> {
        Expression plain = LockReferences.plain(expression);
        yield !(plain instanceof FieldAccessExpr access)
            || Variables.isStable(access.getScope(), block);
      }
      case Identity.ClassObject of -> true;
      // Java evaluates what stands before a static field, too.
      case Identity.StaticField of ->
          !(LockReferences.plain(expression) instanceof FieldAccessExpr access)
              || Variables.isOnlyNames(access.getScope());
      case Identity.LocalVariable of -> true;
    };
  }

  private void declare() throws DeclinedException {
    SourceFile file = owner.type().file;
    String lockType = types.in(file, TypeNames.REENTRANT_LOCK);
    List<String> declarations = new ArrayList<>();
    String modifiers =
        references.reach().modifier
            // Code that reads all fields of an instance leaves out transient ones.
            + (owner.isStatic() ? "static final " : "final transient ");
    if (owner.inPlace()) {
      VariableDeclarator variable = owner.field().orElseThrow().getVariable(0);
      replace(variable.getType(), lockType);
      owner.creations().forEach(creation -> replace(creation, "new " + lockType + "()"));
    } else {
      declarations.add(modifiers + lockType + " " + name + " = new " + lockType + "();");
    }
    if (condition != null) {
      declarations.add(
          modifiers
              + types.in(file, TypeNames.CONDITION)
              + " "
              + condition
              + " = "
              + name
              + ".newCondition();");
    }
    if (owner.field().isEmpty()) {
      rewrites.add(new SourceRewrite.AddFields(file, owner.type(), owner.isStatic(), declarations));
    } else if (!declarations.isEmpty()) {
      rewrites.add(new SourceRewrite.AddFieldsAfter(file, owner.field().get(), declarations));
    }
  }

  private void replace(Node node, String text) {
    rewrites.add(new SourceRewrite.Replace(owner.type().file, node, List.of(text)));
  }
}
