package vtdiag.testing;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Says after each class of tests that started programs how many did on which JDK, so that a green
 * run which left one JDK out is seen. A JDK asked for by a class's set-up counts for each of its
 * tests. In one JVM tests run one after the other; in parallel the counts would be wrong.
 */
public final class JdkTally implements TestExecutionListener {
  private final Map<String, Set<Jdk>> askedByNode = new HashMap<>();
  private final Map<Jdk, Integer> tests = new EnumMap<>(Jdk.class);
  private final Consumer<String> out;
  private String currentNode = "";
  private int testsWithoutFork;

  /** For the service loader. */
  public JdkTally() {
    this(System.out::println);
  }

  JdkTally(Consumer<String> out) {
    this.out = out;
  }

  @Override
  public void executionStarted(TestIdentifier node) {
    settle();
    currentNode = node.getUniqueId();
  }

  @Override
  public void executionFinished(TestIdentifier node, TestExecutionResult result) {
    settle();
    if (node.isTest()) {
      count(node);
    }
    askedByNode.remove(node.getUniqueId());
    currentNode = node.getParentId().orElse("");
  }

  /** Where several JVMs share the tests, each is handed a plan for each class. */
  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    if (!tests.isEmpty()) {
      out.accept(
          "ran on Java 21: %d, on Java 25: %d, in the test JVM (%d): %d"
              .formatted(
                  tests.getOrDefault(Jdk.JAVA_21, 0),
                  tests.getOrDefault(Jdk.JAVA_25, 0),
                  Runtime.version().feature(),
                  testsWithoutFork));
    }
    tests.clear();
    testsWithoutFork = 0;
  }

  /** Puts what was asked for since the last change of node down to the node that ran. */
  private void settle() {
    askedByNode
        .computeIfAbsent(currentNode, node -> EnumSet.noneOf(Jdk.class))
        .addAll(Jdks.takeAskedFor());
  }

  private void count(TestIdentifier test) {
    Set<Jdk> asked = EnumSet.noneOf(Jdk.class);
    // A unique id begins with those of the nodes around it.
    askedByNode.forEach(
        (node, jdks) -> {
          if (!node.isEmpty() && test.getUniqueId().startsWith(node)) {
            asked.addAll(jdks);
          }
        });
    asked.forEach(jdk -> tests.merge(jdk, 1, Integer::sum));
    if (asked.isEmpty()) {
      testsWithoutFork++;
    }
  }
}
