package io.github.vtdiag.dump;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads stacks from their text. Most threads of a program stand in few places, so equal frames and
 * equal stacks are stored once: a dump of a million threads has a few dozen.
 */
final class StackLines {
  private final Map<String, Frame> frames = new HashMap<>();
  private final Map<List<Frame>, List<Frame>> stacks = new HashMap<>();

  /** Returns the frames of these lines, innermost first. */
  List<Frame> stack(List<String> lines) {
    List<Frame> stack = new ArrayList<>(lines.size());
    for (String line : lines) {
      Frame frame = frames.get(line);
      if (frame == null) {
        frame = frame(line);
        frames.put(line, frame);
      }
      stack.add(frame);
    }
    return stacks.computeIfAbsent(List.copyOf(stack), same -> same);
  }

  /**
   * Reads {@code loader/module@version/com.example.Foo.bar(Foo.java:12)}, as {@link
   * StackTraceElement} writes it, and {@code com.example.Foo.bar(module@version/Foo.java:12)}, as
   * the JVM does. Either knows neither a descriptor nor a bci.
   */
  static Frame frame(String line) {
    int open = line.lastIndexOf('(');
    int close = line.lastIndexOf(')');
    String method = open < 0 ? line : line.substring(0, open);
    String place = open < 0 || close < open ? "" : line.substring(open + 1, close);
    int dot = method.lastIndexOf('.');
    String type = ClassRef.withoutHiddenSuffix(dot < 0 ? "" : method.substring(0, dot));
    int slash = type.lastIndexOf('/');
    boolean isNative = place.endsWith("Native Method");
    return new Frame(
        new ClassRef(type.substring(slash + 1), loader(type, slash)).withSource(file(place)),
        method.substring(dot + 1),
        "",
        0,
        -1,
        isNative ? -1 : line(place),
        isNative ? Frame.Kind.NATIVE : Frame.Kind.UNKNOWN);
  }

  /** Returns the loader, as far as it is the JDK's or not: dumps do not name a class's loader. */
  private static String loader(String type, int slash) {
    String module = slash < 0 ? "" : type.substring(0, slash);
    return module.startsWith("java.") || module.startsWith("jdk.") ? "" : "app";
  }

  /**
   * Returns the source file; empty where the dump names none, as of native methods and generated
   * classes.
   */
  private static String file(String place) {
    int from = place.lastIndexOf('/') + 1;
    int colon = place.lastIndexOf(':');
    return colon < from ? "" : place.substring(from, colon);
  }

  private static int line(String place) {
    int colon = place.lastIndexOf(':');
    try {
      return colon < 0 ? -1 : Integer.parseInt(place.substring(colon + 1));
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
