package io.github.vtdiag.patch;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.MethodCallExpr;
import com.github.javaparser.ast.nodeTypes.NodeWithBody;
import com.github.javaparser.ast.stmt.SynchronizedStmt;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.Lock.MonitorCall;
import io.github.vtdiag.source.ClassSites;
import io.github.vtdiag.source.DeclinedException;
import io.github.vtdiag.source.MatchedSources;
import io.github.vtdiag.source.SourceFile;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The places where the sources take one lock, or call methods that need its monitor. */
final class LockUses {
  final Set<SourceFile.SynchronizedNode> sites = new LinkedHashSet<>();
  final Set<SourceFile.CallNode> calls = new LinkedHashSet<>();
  final Set<SourceFile> files = new LinkedHashSet<>();

  /** The expressions that name the lock, by identity: two nodes of the same text are equal. */
  final Set<Expression> expressions = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * Finds all uses of a lock.
   *
   * @throws DeclinedException if one of them cannot be identified
   */
  static LockUses find(Lock lock, MatchedSources sources) throws DeclinedException {
    LockUses uses = new LockUses();
    uses.findSites(lock, sources);
    uses.findCalls(lock, sources);
    return uses;
  }

  private void findSites(Lock lock, MatchedSources sources) throws DeclinedException {
    if (lock.sites().isEmpty()) {
      throw new DeclinedException("no code is known that takes this lock");
    }
    Set<MonitorId> moving = lock.sites().stream().map(LockSite::id).collect(Collectors.toSet());
    List<MonitorId> ordered =
        moving.stream().sorted(Comparator.comparing(MonitorId::toString)).toList();
    for (MonitorId monitor : ordered) {
      ClassSites match = sources.of(monitor.className());
      SourceFile.SynchronizedNode site = match.source(monitor);
      if (!moving.containsAll(match.monitors(site))) {
        throw new DeclinedException(
            "the synchronized on line %d of %s also takes another lock"
                .formatted(site.firstLine, match.file.path.getFileName()));
      }
      sites.add(site);
      files.add(match.file);
      if (site.node instanceof SynchronizedStmt block) {
        expressions.add(block.getExpression());
      }
    }
  }

  private void findCalls(Lock lock, MatchedSources sources) throws DeclinedException {
    for (MonitorCall call : lock.calls()) {
      SourceFile file = sources.of(call.type().name()).file;
      List<SourceFile.CallNode> found =
          file.calls.stream()
              .filter(candidate -> fits(candidate, call))
              .sorted(Comparator.comparingInt(candidate -> file.start(candidate.node)))
              .toList();
      if (found.stream().map(one -> scope(file, one)).distinct().count() == 1) {
        calls.addAll(found);
      } else if (found.size() == call.ofLine() && areInOrder(found)) {
        // Calls are compiled in the order of the source.
        calls.add(found.get(call.place()));
      } else {
        throw new DeclinedException(
            found.isEmpty()
                ? "there is no call of %s on line %d of %s"
                    .formatted(call.called(), call.line(), file.path.getFileName())
                : "cannot tell apart the calls of %s on line %d of %s; give each a line of its own"
                    .formatted(call.called(), call.line(), file.path.getFileName()));
      }
      files.add(file);
    }
    for (SourceFile.CallNode call : calls) {
      lockExpression(call.node).ifPresent(expressions::add);
    }
  }

  private static boolean fits(SourceFile.CallNode candidate, MonitorCall call) {
    MethodCallExpr node = candidate.node;
    return node.getNameAsString().equals(call.called())
        && node.getArguments().size() == ClassSites.parameters(call.calledDescriptor())
        && node.getBegin().get().line <= call.line()
        && call.line() <= node.getEnd().get().line
        && candidate.context.type().canBe(call.type().name())
        && candidate.context.canBe(call.method(), ClassSites.parameters(call.descriptor()));
  }

  /**
   * Returns whether calls are compiled in the order of the source: compilers reorder the parts of a
   * loop.
   */
  @SuppressWarnings("ReferenceEquality") // Nodes are equal if their text is.
  private static boolean areInOrder(List<SourceFile.CallNode> calls) {
    IdentityHashMap<Node, Node> parts = new IdentityHashMap<>();
    for (SourceFile.CallNode call : calls) {
      Node part = call.node;
      for (Node at = part.getParentNode().orElse(null);
          at != null;
          at = at.getParentNode().orElse(null)) {
        if (at instanceof NodeWithBody<?>) {
          Node other = parts.putIfAbsent(at, part);
          if (other != null && other != part) {
            return false;
          }
        }
        part = at;
      }
    }
    return true;
  }

  private static String scope(SourceFile file, SourceFile.CallNode call) {
    return lockExpression(call.node).map(file::textOf).orElse("");
  }

  /** Returns the object that a call waits on or asks about; empty if it is {@code this}. */
  static Optional<Expression> lockExpression(MethodCallExpr call) {
    return call.getNameAsString().equals("holdsLock")
        ? Optional.of(call.getArgument(0))
        : call.getScope();
  }
}
