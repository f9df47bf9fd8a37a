package io.github.vtdiag.program;

import java.util.Arrays;

/** The targets of a virtual call, by the types that are instantiated so far. */
final class Dispatch {
  final int type;
  final int signature;

  /**
   * The targets without an instantiated type: unseen code creates the objects, or nothing calls.
   */
  final int[] otherwise;

  int live;
  int lambdas;
  int[] targets = {};

  Dispatch(int type, int signature, int resolved) {
    this.type = type;
    this.signature = signature;
    this.otherwise = resolved < 0 ? new int[0] : new int[] {resolved};
  }

  void add(int target) {
    for (int each : targets) {
      if (each == target) {
        return;
      }
    }
    targets = Arrays.copyOf(targets, targets.length + 1);
    targets[targets.length - 1] = target;
  }
}
