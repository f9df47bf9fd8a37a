package io.github.vtdiag.agent.waits;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Asks a question once for each stack, of so many stacks; of further ones the answer is no. */
final class OncePerStack {
  /** The number of stacks that are analyzed. */
  private static final int STACKS = 500;

  private final Predicate<List<StackTraceElement>> question;
  private final Map<List<StackTraceElement>, Boolean> answers = new HashMap<>();

  OncePerStack(Predicate<List<StackTraceElement>> question) {
    this.question = question;
  }

  boolean test(List<StackTraceElement> stack) {
    return answers.size() < STACKS && answers.computeIfAbsent(stack, question::test);
  }
}
