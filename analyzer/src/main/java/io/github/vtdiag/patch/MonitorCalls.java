package io.github.vtdiag.patch;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.IntegerLiteralExpr;
import com.github.javaparser.ast.expr.LambdaExpr;
import com.github.javaparser.ast.expr.LongLiteralExpr;
import com.github.javaparser.ast.expr.MethodCallExpr;
import com.github.javaparser.ast.expr.NameExpr;
import com.github.javaparser.ast.stmt.ExpressionStmt;
import com.github.javaparser.ast.stmt.SwitchEntry;
import io.github.vtdiag.source.DeclinedException;
import io.github.vtdiag.source.SourceFile;
import io.github.vtdiag.source.Variables;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Rewrites the calls that need a monitor: wait, notify, notifyAll and holdsLock. */
final class MonitorCalls {
  private final String lock;
  private final String condition;
  private final LockReferences references;
  private final TypeNames types;
  private final List<SourceRewrite> rewrites;
  private final FieldNames names;

  /**
   * Creates the rewriter for the calls of one lock.
   *
   * @param lock the name of its field
   * @param condition the name of its condition's field; null if no call needs it
   * @param rewrites takes the rewrites
   * @param names gives local variables their names
   */
  MonitorCalls(
      String lock,
      String condition,
      LockReferences references,
      TypeNames types,
      List<SourceRewrite> rewrites,
      FieldNames names) {
    this.names = names;
    this.lock = lock;
    this.condition = condition;
    this.references = references;
    this.types = types;
    this.rewrites = rewrites;
  }

  void rewrite(SourceFile.CallNode call) throws DeclinedException {
    MethodCallExpr node = call.node;
    String called = node.getNameAsString();
    String target =
        references.reference(
            called.equals("holdsLock") ? lock : condition,
            LockUses.lockExpression(node).orElse(null),
            call.context);
    switch (called) {
      case "holdsLock" -> replace(call, node, target + ".isHeldByCurrentThread()");
      case "notify" -> replace(call, node, target + ".signal()");
      case "notifyAll" -> replace(call, node, target + ".signalAll()");
      case "wait" -> rewriteWait(call, target);
      default -> throw new IllegalStateException(called);
    }
  }

  private void replace(SourceFile.CallNode call, Node node, String... lines) {
    rewrites.add(new SourceRewrite.Replace(call.context.type().file, node, List.of(lines)));
  }

  /**
   * Rewrites a wait. {@code wait(0)} waits forever, {@code await(0)} not at all; only {@code wait}
   * validates.
   */
  private void rewriteWait(SourceFile.CallNode call, String target) throws DeclinedException {
    MethodCallExpr node = call.node;
    if (node.getArguments().isEmpty()) {
      replace(call, node, target + ".await()");
      return;
    }
    if (!(node.getParentNode().orElse(null) instanceof ExpressionStmt statement)
        || statement.getParentNode().orElse(null) instanceof LambdaExpr) {
      throw LockReferences.declined(node, call.context, "is not a statement of its own");
    }
    Optional<Long> millis = literal(node.getArgument(0));
    if (node.getArguments().size() == 2
        && (millis.isEmpty()
            || literal(node.getArgument(1)).filter(MonitorCalls::isNanos).isEmpty())) {
      rewriteNanos(call, statement, target);
    } else if (millis.isPresent()) {
      replace(call, node, await(call, target, millis.get()));
    } else {
      rewriteComputed(call, statement, target);
    }
  }

  private String await(SourceFile.CallNode call, String target, long millis)
      throws DeclinedException {
    MethodCallExpr node = call.node;
    SourceFile file = call.context.type().file;
    String written = file.textOf(node.getArgument(0));
    long time = millis;
    if (node.getArguments().size() == 2) {
      long nanos = literal(node.getArgument(1)).orElseThrow();
      // Object.wait rounds them the same way.
      time += nanos > 0 ? 1 : 0;
      written = Long.toString(time);
    }
    return time == 0
        ? target + ".await()"
        : target + ".await(" + written + ", " + timeUnit(file) + ")";
  }

  private void rewriteComputed(SourceFile.CallNode call, ExpressionStmt statement, String target)
      throws DeclinedException {
    MethodCallExpr node = call.node;
    Expression timeout = node.getArgument(0);
    SourceFile file = call.context.type().file;
    if (timeout instanceof NameExpr variable && Variables.isStable(variable, node)) {
      Set<Signs.Sign> signs = Signs.of(variable, statement);
      String time = file.textOf(timeout);
      if (signs.equals(Set.of(Signs.Sign.POSITIVE))) {
        replace(call, statement, timed(file, target, time));
      } else {
        List<String> lines = bySign(file, target, time, signs);
        if (isRuleOfSwitch(statement)) {
          lines = inBlock(List.of(), lines);
        }
        replace(call, statement, lines.toArray(String[]::new));
      }
      return;
    }
    refuseComments(call);
    String millis = names.ofVariable(file, "millis", "timeoutMillis");
    List<String> lines =
        inBlock(
            List.of("long " + millis + " = " + oneLine(file, timeout) + ";"),
            bySign(file, target, millis, EnumSet.allOf(Signs.Sign.class)));
    replace(call, statement, lines.toArray(String[]::new));
  }

  private String timed(SourceFile file, String target, String time) throws DeclinedException {
    return target + ".await(" + time + ", " + timeUnit(file) + ");";
  }

  /** Returns the statements for each sign that the time can have. */
  private List<String> bySign(SourceFile file, String target, String time, Set<Signs.Sign> signs)
      throws DeclinedException {
    List<String> lines =
        new ArrayList<>(List.of("if (" + time + " > 0) {", "\t" + timed(file, target, time)));
    if (signs.contains(Signs.Sign.NEGATIVE)) {
      lines.addAll(
          List.of(
              "} else if (" + time + " == 0) {",
              "\t" + target + ".await();",
              "} else {",
              "\tthrow new IllegalArgumentException(\"timeout value is negative\");",
              "}"));
    } else {
      lines.addAll(List.of("} else {", "\t" + target + ".await();", "}"));
    }
    return lines;
  }

  private static List<String> inBlock(List<String> first, List<String> lines) {
    List<String> all = new ArrayList<>(List.of("{"));
    first.forEach(line -> all.add("\t" + line));
    lines.forEach(line -> all.add("\t" + line));
    all.add("}");
    return all;
  }

  /** Returns whether an arrow is in front of a statement: no {@code if} may stand there. */
  private static boolean isRuleOfSwitch(ExpressionStmt statement) {
    return statement.getParentNode().orElse(null) instanceof SwitchEntry entry
        && entry.getType() != SwitchEntry.Type.STATEMENT_GROUP;
  }

  private static void refuseComments(SourceFile.CallNode call) throws DeclinedException {
    if (call.context.type().file.textOf(call.node).matches("(?s).*/[/*].*")) {
      throw LockReferences.declined(call.node, call.context, "has a comment in its timeout");
    }
  }

  /**
   * Rewrites a wait with nanoseconds to wait as long as {@code Object.wait}, which rounds up to
   * milliseconds.
   */
  private void rewriteNanos(SourceFile.CallNode call, ExpressionStmt statement, String target)
      throws DeclinedException {
    SourceFile file = call.context.type().file;
    refuseComments(call);
    String millis = names.ofVariable(file, "millis", "timeoutMillis");
    String nanos = names.ofVariable(file, "nanos", "timeoutNanos");
    MethodCallExpr node = call.node;
    replace(
        call,
        statement,
        "{",
        "\tlong " + millis + " = " + oneLine(file, node.getArgument(0)) + ";",
        "\tint " + nanos + " = " + oneLine(file, node.getArgument(1)) + ";",
        "\tif (" + millis + " < 0) {",
        "\t\tthrow new IllegalArgumentException(\"timeoutMillis value is negative\");",
        "\t}",
        "\tif (" + nanos + " < 0 || " + nanos + " > 999999) {",
        "\t\tthrow new IllegalArgumentException(\"nanosecond timeout value out of range\");",
        "\t}",
        "\tif (" + millis + " == 0 && " + nanos + " == 0) {",
        "\t\t" + target + ".await();",
        "\t} else {",
        "\t\t"
            + target
            + ".await("
            + nanos
            + " > 0 && "
            + millis
            + " < Long.MAX_VALUE ? "
            + millis
            + " + 1 : "
            + millis
            + ", "
            + timeUnit(file)
            + ");",
        "\t}",
        "}");
  }

  private static String oneLine(SourceFile file, Expression expression) {
    return file.textOf(expression).replaceAll("\\s*\\R\\s*", " ");
  }

  private static boolean isNanos(long nanos) {
    return nanos <= 999_999;
  }

  private static Optional<Long> literal(Expression expression) {
    return switch (expression) {
      case IntegerLiteralExpr number -> Optional.of(number.asNumber().longValue());
      case LongLiteralExpr number -> Optional.of(number.asNumber().longValue());
      default -> Optional.empty();
    };
  }

  private String timeUnit(SourceFile file) throws DeclinedException {
    return types.in(file, TypeNames.TIME_UNIT) + ".MILLISECONDS";
  }
}
