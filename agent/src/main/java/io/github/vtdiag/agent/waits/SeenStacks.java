package io.github.vtdiag.agent.waits;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The stacks of which something was seen, up to so many. */
final class SeenStacks {
  private static final int MOST = 500;

  private final Set<List<StackTraceElement>> seen = new HashSet<>();

  void add(List<StackTraceElement> stack) {
    if (seen.size() < MOST) {
      seen.add(stack);
    }
  }

  boolean has(List<StackTraceElement> stack) {
    return seen.contains(stack);
  }
}
