package io.github.vtdiag.locksite;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.tree.MethodInsnNode;

/** The calls that read from and write to a connection, by the JDK's streams and channels. */
final class StreamCalls {
  private static final Set<String> READERS =
      Set.of(
          "java/io/InputStream",
          "java/io/DataInputStream",
          "java/io/BufferedInputStream",
          "java/io/ObjectInputStream",
          "java/io/Reader",
          "java/io/InputStreamReader",
          "java/io/BufferedReader",
          "java/nio/channels/SocketChannel",
          "java/nio/channels/ByteChannel",
          "java/nio/channels/ReadableByteChannel");

  private static final Set<String> WRITERS =
      Set.of(
          "java/io/OutputStream",
          "java/io/DataOutputStream",
          "java/io/BufferedOutputStream",
          "java/io/ObjectOutputStream",
          "java/io/PrintStream",
          "java/io/Writer",
          "java/io/OutputStreamWriter",
          "java/io/BufferedWriter",
          "java/io/PrintWriter",
          "java/nio/channels/SocketChannel",
          "java/nio/channels/ByteChannel",
          "java/nio/channels/WritableByteChannel");

  private StreamCalls() {}

  /**
   * Returns whether the innermost loop around that line writes before it reads there: each time
   * round it asks, and waits for the answer. Who serves reads first, in the loop or before it.
   *
   * @param once whether it is the same where no loop is and the method has written after it read,
   *     if it did: true only of a connection that this program has made
   */
  static boolean writesBefore(List<MethodCode> methods, String method, int line, boolean once) {
    return CodeLoop.around(methods, method, line).stream()
        .min(Comparator.comparingInt(loop -> loop.last() - loop.first()))
        .map(loop -> !readsBefore(loop) && writesBefore(loop, line))
        .orElseGet(
            () ->
                once
                    && methods.stream()
                        .anyMatch(code -> code.name.equals(method) && writesLast(code, line)));
  }

  /** Returns whether of the calls before that of a line the last one writes. */
  private static boolean writesLast(MethodCode code, int line) {
    boolean writes = false;
    for (int i = 0; i < code.size(); i++) {
      if (!(code.instructions.get(i) instanceof MethodInsnNode call)) {
        continue;
      }
      if (WRITERS.contains(call.owner)) {
        writes |= isWrite(call.name);
      } else if (code.line(i) == line && writes) {
        return true;
      } else if (isRead(call)) {
        writes = false;
      }
    }
    return false;
  }

  private static boolean readsBefore(CodeLoop loop) {
    for (int i = 0; i < loop.first(); i++) {
      if (loop.code().instructions.get(i) instanceof MethodInsnNode call && isRead(call)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRead(MethodInsnNode call) {
    return READERS.contains(call.owner) && call.name.startsWith("read");
  }

  private static boolean writesBefore(CodeLoop loop, int line) {
    boolean writes = false;
    for (int i = loop.first(); i <= loop.last(); i++) {
      if (loop.code().instructions.get(i) instanceof MethodInsnNode call) {
        if (isRead(call)) {
          return writes && loop.code().line(i) == line;
        }
        writes |= WRITERS.contains(call.owner) && isWrite(call.name);
      }
    }
    return false;
  }

  private static boolean isWrite(String name) {
    return name.startsWith("write") || name.startsWith("print") || name.equals("append");
  }
}
