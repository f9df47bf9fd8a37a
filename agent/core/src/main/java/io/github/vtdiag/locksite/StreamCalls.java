package io.github.vtdiag.locksite;

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

  static boolean isRead(MethodInsnNode call) {
    return READERS.contains(call.owner) && call.name.startsWith("read");
  }

  static boolean isWrite(MethodInsnNode call) {
    return WRITERS.contains(call.owner)
        && (call.name.startsWith("write")
            || call.name.startsWith("print")
            || call.name.equals("append"));
  }
}
