package io.github.vtdiag.pin;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.Attributor.LockMapSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Adds the source files of the classes on stacks, which JFR does not record. Stacks and frames that
 * were one object stay one.
 */
public final class SourceFiles {
  private final Function<ClassRef, String> source;
  private final Map<ClassRef, String> files = new HashMap<>();
  private final IdentityHashMap<Frame, Frame> frames = new IdentityHashMap<>();
  private final IdentityHashMap<StackTrace, StackTrace> stacks = new IdentityHashMap<>();

  /**
   * @param source the source file of a class; empty if it is unknown, or named as the class
   */
  public SourceFiles(Function<ClassRef, String> source) {
    this.source = source;
  }

  /** Returns the source files that lock maps give. */
  static SourceFiles of(LockMapSource maps) {
    return new SourceFiles(type -> of(maps.find(type)));
  }

  /**
   * Returns the source file in the first of these lock maps, which is used for everything else,
   * too.
   */
  public static String of(List<ClassMonitors> maps) {
    return maps.isEmpty() ? "" : maps.getFirst().type().source();
  }

  /** Returns the same stack with the source files; the stack itself if there are none to add. */
  public StackTrace named(StackTrace stack) {
    return stacks.computeIfAbsent(stack, this::read);
  }

  private StackTrace read(StackTrace stack) {
    List<Frame> named = new ArrayList<>(stack.frames().size());
    boolean changed = false;
    for (Frame frame : stack.frames()) {
      Frame with = frames.computeIfAbsent(frame, this::read);
      named.add(with);
      changed |= !with.type().source().equals(frame.type().source());
    }
    return changed ? new StackTrace(named, stack.truncated()) : stack;
  }

  private Frame read(Frame frame) {
    ClassRef type = frame.type();
    if (!type.source().isEmpty() || !type.isWritten()) {
      return frame; // The files of the JDK are named as its classes.
    }
    String file = files.get(type);
    if (file == null) {
      file = source.apply(type);
      files.put(type, file);
    }
    return file.isEmpty() ? frame : frame.withSource(file);
  }
}
