package io.github.vtdiag.recording;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.recording.ChunkData.DecodedStack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Numbers the stacks of a recording. Equal frames become one object, and equal stacks one number,
 * whichever thread decoded them.
 */
final class Stacks {
  private final IdentityHashMap<Frame, Integer> decoded = new IdentityHashMap<>();
  private final List<Frame> frames = new ArrayList<>();
  private int[] frameTable = new int[1024];

  private final List<StackTrace> stacks = new ArrayList<>();
  private final List<int[]> frameNumbers = new ArrayList<>();
  private int[] stackTable = new int[1024];

  StackTrace trace(int number) {
    return stacks.get(number);
  }

  /** Returns the number of a stack, a new one if there is none yet. */
  int number(DecodedStack stack) {
    if (stack.number == DecodedStack.UNKNOWN) {
      stack.number = number(stack.named);
    }
    return stack.number;
  }

  private int number(StackNames.Named named) {
    int[] numbers = new int[named.frames().length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = number(named.frames()[i]);
    }
    int slot = slot(numbers, named.truncated());
    if (stackTable[slot] > 0) {
      return stackTable[slot] - 1;
    }
    Frame[] shared = new Frame[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      shared[i] = frames.get(numbers[i]);
    }
    stacks.add(StackNames.trace(new StackNames.Named(shared, named.truncated())));
    frameNumbers.add(numbers);
    stackTable[slot] = stacks.size();
    if (stacks.size() * 2 > stackTable.length) {
      stackTable = new int[stackTable.length * 2];
      for (int i = 0; i < stacks.size(); i++) {
        stackTable[slot(frameNumbers.get(i), stacks.get(i).truncated())] = i + 1;
      }
    }
    return stacks.size() - 1;
  }

  private int slot(int[] numbers, boolean truncated) {
    int mask = stackTable.length - 1;
    int slot = spread(Arrays.hashCode(numbers)) & mask;
    while (stackTable[slot] > 0) {
      int stack = stackTable[slot] - 1;
      if (stacks.get(stack).truncated() == truncated
          && Arrays.equals(frameNumbers.get(stack), numbers)) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int number(Frame frame) {
    Integer known = decoded.get(frame);
    if (known != null) {
      return known;
    }
    int slot = slot(frame);
    int number = frameTable[slot] - 1;
    if (number < 0) {
      number = frames.size();
      frames.add(frame);
      frameTable[slot] = frames.size();
      if (frames.size() * 2 > frameTable.length) {
        frameTable = new int[frameTable.length * 2];
        for (int i = 0; i < frames.size(); i++) {
          frameTable[slot(frames.get(i))] = i + 1;
        }
      }
    }
    decoded.put(frame, number);
    return number;
  }

  // Not with the record's methods: the JVM generates them at the first call, which delays each
  // short command.
  private int slot(Frame frame) {
    int mask = frameTable.length - 1;
    int hash = frame.type().name().hashCode() * 31 + frame.method().hashCode();
    int slot = spread((hash * 31 + frame.bci()) * 31 + frame.line()) & mask;
    while (frameTable[slot] > 0 && !equal(frames.get(frameTable[slot] - 1), frame)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private static boolean equal(Frame a, Frame b) {
    return a.bci() == b.bci()
        && a.line() == b.line()
        && a.kind() == b.kind()
        && a.modifiers() == b.modifiers()
        && a.method().equals(b.method())
        && a.descriptor().equals(b.descriptor())
        && a.type().name().equals(b.type().name())
        && a.type().loader().equals(b.type().loader());
  }

  private static int spread(int hash) {
    int spread = hash * 0x9E3779B9;
    return spread ^ (spread >>> 15);
  }
}
