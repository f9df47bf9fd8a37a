package io.github.vtdiag.testing;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import java.util.Arrays;
import java.util.List;

/** Frames of a stack of which only the methods matter. */
public final class MadeFrames {
  private MadeFrames() {}

  /**
   * Returns the frames of methods such as {@code app.Orders.find}.
   *
   * @param methods the innermost first
   */
  public static List<Frame> of(String... methods) {
    return Arrays.stream(methods).map(MadeFrames::frame).toList();
  }

  private static Frame frame(String method) {
    int dot = method.lastIndexOf('.');
    return new Frame(
        new ClassRef(method.substring(0, dot), ""),
        method.substring(dot + 1),
        "",
        0,
        -1,
        1,
        Frame.Kind.UNKNOWN);
  }
}
