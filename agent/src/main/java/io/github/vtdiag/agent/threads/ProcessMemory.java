package io.github.vtdiag.agent.threads;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The memory of this process, read as a file: at an address that is not mapped, Linux answers with
 * an error, where a pointer would end the JVM. Nothing is ever written.
 */
final class ProcessMemory implements Closeable {
  private static final Path FILE = Path.of("/proc/self/mem");
  private static final int MOST_TEXT = 100;

  private final FileChannel file;

  private ProcessMemory(FileChannel file) {
    this.file = file;
  }

  static boolean isThere() {
    return Files.isReadable(FILE);
  }

  static ProcessMemory open() throws IOException {
    return new ProcessMemory(FileChannel.open(FILE, StandardOpenOption.READ));
  }

  private ByteBuffer bytes(long address, int count) throws IOException {
    if (address <= 0) {
      throw new IOException("no address");
    }
    ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.nativeOrder());
    while (bytes.hasRemaining()) {
      if (file.read(bytes, address + bytes.position()) <= 0) {
        throw new IOException("not mapped");
      }
    }
    return bytes.flip();
  }

  long longAt(long address) throws IOException {
    return bytes(address, Long.BYTES).getLong();
  }

  int intAt(long address) throws IOException {
    return bytes(address, Integer.BYTES).getInt();
  }

  int unsignedShortAt(long address) throws IOException {
    return Short.toUnsignedInt(bytes(address, Short.BYTES).getShort());
  }

  String textAt(long address, int length) throws IOException {
    return StandardCharsets.UTF_8.decode(bytes(address, length)).toString();
  }

  /** A text of C's; of a longer one than any name in the JVM, its beginning. */
  String textAt(long address) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MOST_TEXT);
    file.read(bytes, address);
    int length = 0;
    while (length < bytes.position() && bytes.get(length) != 0) {
      length++;
    }
    return StandardCharsets.UTF_8.decode(bytes.flip().limit(length)).toString();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
