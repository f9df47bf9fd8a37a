package io.github.vtdiag.model;

import java.util.List;
import java.util.Optional;

/** The libraries in which threads of applications wait, by the beginnings of their classes. */
public final class KnownLibraries {
  private static final String TABLE = "libraries.tsv";

  private static final List<String> BEGINNINGS =
      ResourceTable.rows(KnownLibraries.class, TABLE)
          .flatMap(line -> List.of(line.split(" ", -1)).stream())
          .toList();

  private KnownLibraries() {}

  /**
   * Returns the frames that are neither the JDK's nor a known library's, the innermost first. If
   * there are none, as in a program that is such a library itself, those that are not the JDK's.
   */
  public static List<Frame> own(List<Frame> frames) {
    List<Frame> written = frames.stream().filter(frame -> frame.type().isWritten()).toList();
    List<Frame> own = written.stream().filter(frame -> !has(frame.type().name())).toList();
    return own.isEmpty() ? written : own;
  }

  /** Returns whether a class of that name is one of a known library. */
  public static boolean has(String type) {
    return BEGINNINGS.stream().anyMatch(type::startsWith);
  }

  /** Returns whether it is a library's method that takes what others send: it asks for nothing. */
  public static boolean receives(Frame frame) {
    return has(frame.type().name()) && MessageMethods.receives(frame.method());
  }

  /** Returns the innermost of these frames. */
  public static Optional<Frame> caller(List<Frame> frames) {
    return own(frames).stream().findFirst();
  }
}
