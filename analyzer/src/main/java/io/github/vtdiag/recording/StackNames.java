package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.Constants;
import io.github.vtdiag.jfr.StackReader;
import io.github.vtdiag.jfr.Values;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.recording.ChunkData.DecodedStack;
import java.util.Arrays;
import java.util.List;

/**
 * Resolves the numbers in stacks. What was resolved in the previous chunk is kept, and holds in the
 * next chunk once its own constants confirm it.
 */
final class StackNames {
  private static final ClassRef NO_CLASS = new ClassRef("", "");
  private static final Method NO_METHOD = new Method(NO_CLASS, "", "", 0);

  /** A stack whose equal frames are one object. */
  @SuppressWarnings("ArrayRecordComponent") // It is not compared.
  record Named(Frame[] frames, boolean truncated) {}

  private record Method(ClassRef type, String name, String descriptor, int modifiers) {
    /** Compares like equals, which the JVM generates slowly at the first call. */
    boolean same(Method other) {
      return modifiers == other.modifiers
          && name.equals(other.name)
          && descriptor.equals(other.descriptor)
          && type.name().equals(other.type.name())
          && type.loader().equals(other.type.loader());
    }
  }

  private final StackReader reader = new StackReader();
  private final DecodedStack absent = new DecodedStack(new Named(new Frame[0], false));
  private Constants constants;

  /**
   * The number of chunks, by which it is known what has been compared with the constants of this
   * one.
   */
  private int chunk;

  private Method[] methods = {};
  private int[] methodsSeen = {};
  private Frame.Kind[] kinds = {};
  private int[] kindsSeen = {};
  private Frame[] frames = {};
  private int[] framesSeen = {};
  private DecodedStack[] stacks = {};
  private int[] stacksSeen = {};

  /** Begins the chunk of these constants. */
  void reset(Constants of) {
    constants = of;
    chunk++;
    if (reader.reset(of)) {
      methods = new Method[256];
      methodsSeen = new int[256];
      kinds = new Frame.Kind[8];
      kindsSeen = new int[8];
      frames = new Frame[256];
      framesSeen = new int[256];
      stacks = new DecodedStack[256];
      stacksSeen = new int[256];
    }
  }

  /**
   * Returns a stack of this chunk.
   *
   * @param wanted its number among the wanted ones
   */
  DecodedStack stack(int wanted) {
    int number = reader.read(wanted);
    if (number == StackReader.ABSENT) {
      return absent;
    }
    if (number >= stacks.length) {
      int length = Math.max(number + 1, stacks.length * 2);
      stacks = Arrays.copyOf(stacks, length);
      stacksSeen = Arrays.copyOf(stacksSeen, length);
    }
    if (stacksSeen[number] != chunk) {
      stacksSeen[number] = chunk;
      compare(reader.frames(number));
    }
    DecodedStack stack = stacks[number];
    if (stack == null) {
      int[] list = reader.frames(number);
      Frame[] named = new Frame[list.length];
      for (int i = 0; i < list.length; i++) {
        named[i] = frame(list[i]);
      }
      stack = new DecodedStack(new Named(named, reader.truncated(number)));
      stacks[number] = stack;
    }
    return stack;
  }

  private void compare(int[] list) {
    if (framesSeen.length < reader.frameCount()) {
      int length = Math.max(reader.frameCount(), frames.length * 2);
      frames = Arrays.copyOf(frames, length);
      framesSeen = Arrays.copyOf(framesSeen, length);
    }
    if (methods.length < reader.methodCount()) {
      int length = Math.max(reader.methodCount(), methods.length * 2);
      methods = Arrays.copyOf(methods, length);
      methodsSeen = Arrays.copyOf(methodsSeen, length);
    }
    if (kinds.length < reader.kindCount()) {
      kinds = Arrays.copyOf(kinds, reader.kindCount());
      kindsSeen = Arrays.copyOf(kindsSeen, reader.kindCount());
    }
    for (int frame : list) {
      if (framesSeen[frame] != chunk) {
        framesSeen[frame] = chunk;
        compareMethod(reader.method(frame));
        compareKind(reader.kind(frame));
      }
    }
  }

  private void compareMethod(int method) {
    if (methodsSeen[method] == chunk) {
      return;
    }
    methodsSeen[method] = chunk;
    Method now =
        constants.read(
            reader.methodType(),
            reader.methodId(method),
            NO_METHOD,
            Method.class,
            StackNames::readMethod);
    if (methods[method] == null || !methods[method].same(now)) {
      forgetIf(methods[method] != null);
      methods[method] = now;
    }
  }

  private void compareKind(int kind) {
    if (kind == StackReader.NO_KIND || kindsSeen[kind] == chunk) {
      return;
    }
    kindsSeen[kind] = chunk;
    Frame.Kind now = Events.frameKind(reader.kindText(kind));
    if (kinds[kind] != now) {
      forgetIf(kinds[kind] != null);
      kinds[kind] = now;
    }
  }

  /** Discards what was made of names that have changed. */
  private void forgetIf(boolean changed) {
    if (changed) {
      Arrays.fill(frames, null);
      Arrays.fill(stacks, null);
    }
  }

  private Frame frame(int number) {
    Frame frame = frames[number];
    if (frame == null) {
      Method method = methods[reader.method(number)];
      int kind = reader.kind(number);
      frame =
          new Frame(
              method.type,
              method.name,
              method.descriptor,
              method.modifiers,
              reader.bci(number),
              reader.line(number),
              kind == StackReader.NO_KIND ? Frame.Kind.UNKNOWN : kinds[kind]);
      frames[number] = frame;
    }
    return frame;
  }

  private static Method readMethod(Values values) {
    return new Method(
        values.constant("type", NO_CLASS, ClassRef.class, StackNames::readClass),
        values.text("name"),
        values.text("descriptor"),
        (int) values.number("modifiers"));
  }

  private static ClassRef readClass(Values values) {
    return new ClassRef(
        Constants.className(values.text("name")),
        values.constant("classLoader", "", String.class, StackNames::readLoader));
  }

  private static String readLoader(Values values) {
    return Events.loaderName(values.text("name"), values.text("type"));
  }

  /** Returns the stack in its public form. */
  static StackTrace trace(Named stack) {
    return stack.frames.length == 0 && !stack.truncated
        ? StackTrace.ABSENT
        : new StackTrace(List.of(stack.frames), stack.truncated);
  }
}
