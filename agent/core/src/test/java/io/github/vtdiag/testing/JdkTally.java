package io.github.vtdiag.testing;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Says after each class of tests that started programs how many did on which JDK, so that a green
 * run which left one JDK out is seen. A JDK asked for by a class's set-up counts for each of its
 * tests. Tests may run in parallel: JUnit calls this on the thread that runs the test.
 */
public final class JdkTally implements TestExecutionListener {
  private final Map<String, Node> running = new ConcurrentHashMap<>();
  private final Consumer<String> out;

  /** For the service loader. */
  public JdkTally() {
    this(System.out::println);
  }

  JdkTally(Consumer<String> out) {
    this.out = out;
  }

  /** A test, or what contains it, and the node whose thread it runs on. */
  private record Node(Node parent, Jdks.Asked asked, Jdks.Asked interrupted, Counts counts) {
    Set<Jdk> askedHereAndAround() {
      Set<Jdk> jdks = EnumSet.noneOf(Jdk.class);
      for (Node node = this; node != null; node = node.parent) {
        jdks.addAll(node.asked.jdks());
      }
      return jdks;
    }
  }

  /** The tests of a class that is not within another one. */
  private static final class Counts {
    private final Map<Jdk, Integer> tests = new EnumMap<>(Jdk.class);
    private int testsWithoutFork;

    synchronized void add(Set<Jdk> jdks) {
      jdks.forEach(jdk -> tests.merge(jdk, 1, Integer::sum));
      if (jdks.isEmpty()) {
        testsWithoutFork++;
      }
    }

    synchronized String line(String name) {
      return tests.isEmpty()
          ? ""
          : "%s ran on Java 21: %d, on Java 25: %d, in the test JVM (%d): %d"
              .formatted(
                  name,
                  tests.getOrDefault(Jdk.JAVA_21, 0),
                  tests.getOrDefault(Jdk.JAVA_25, 0),
                  Runtime.version().feature(),
                  testsWithoutFork);
    }
  }

  @Override
  public void executionStarted(TestIdentifier id) {
    Node parent = id.getParentId().map(running::get).orElse(null);
    Jdks.Asked asked = new Jdks.Asked();
    Counts counts = parent == null || isEngine(parent) ? new Counts() : parent.counts;
    running.put(id.getUniqueId(), new Node(parent, asked, Jdks.noteIn(asked), counts));
  }

  @Override
  public void executionFinished(TestIdentifier id, TestExecutionResult result) {
    Node node = running.remove(id.getUniqueId());
    Jdks.noteIn(node.interrupted);
    if (id.isTest()) {
      node.counts.add(node.askedHereAndAround());
    }
    if (node.parent != null && isEngine(node.parent)) {
      String line = node.counts.line(id.getDisplayName());
      if (!line.isEmpty()) {
        out.accept(line);
      }
    }
  }

  private static boolean isEngine(Node node) {
    return node.parent == null;
  }
}
