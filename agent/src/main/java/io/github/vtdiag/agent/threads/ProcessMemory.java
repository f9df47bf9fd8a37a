package io.github.vtdiag.agent.threads;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The memory of this process, read as a file: at an unmapped address, Linux returns an error, where
 * a pointer would crash the JVM. Nothing is ever written. Only one thread may use it at a time.
 */
final class ProcessMemory implements Closeable {
  private static final String FILE = "/proc/self/mem";
  private static final int MOST_TEXT = 100;

  private static final int PAGE = 4_096;

  /** Not a channel: an interrupt of the reading thread would close it. */
  private final RandomAccessFile file;

  /** The pages that were read, by address; null if each read is to see the current contents. */
  private final Map<Long, ByteBuffer> pages;

  private ProcessMemory(RandomAccessFile file, Map<Long, ByteBuffer> pages) {
    this.file = file;
    this.pages = pages;
  }

  static boolean isThere() {
    return Files.isReadable(Path.of(FILE));
  }

  static ProcessMemory open() throws IOException {
    return new ProcessMemory(new RandomAccessFile(FILE, "r"), null);
  }

  /**
   * Returns the same memory, read by the page and each page once: for contents that never change.
   * It is closed with this one.
   */
  ProcessMemory paged() {
    return new ProcessMemory(file, new HashMap<>());
  }

  private ByteBuffer bytes(long address, int count) throws IOException {
    if (address <= 0) {
      throw new IOException("no address");
    }
    if (pages != null && address % PAGE + count <= PAGE) {
      ByteBuffer page = page(address - address % PAGE);
      return page.slice((int) (address % PAGE), count).order(ByteOrder.nativeOrder());
    }
    return read(address, count);
  }

  private ByteBuffer page(long address) throws IOException {
    ByteBuffer page = pages.get(address);
    if (page == null) {
      page = read(address, PAGE);
      pages.put(address, page);
    }
    return page;
  }

  private ByteBuffer read(long address, int count) throws IOException {
    byte[] bytes = new byte[count];
    file.seek(address);
    file.readFully(bytes);
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
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

  /** Returns a C string, or its beginning if it is longer than any name in the JVM. */
  String textAt(long address) throws IOException {
    ByteBuffer bytes = textBytes(address);
    int length = 0;
    while (length < bytes.limit() && bytes.get(length) != 0) {
      length++;
    }
    return StandardCharsets.UTF_8.decode(bytes.limit(length)).toString();
  }

  /** Returns as many bytes as there are, up to the longest name: memory may end behind it. */
  private ByteBuffer textBytes(long address) throws IOException {
    if (pages != null && address % PAGE + MOST_TEXT <= PAGE) {
      return bytes(address, MOST_TEXT);
    }
    byte[] bytes = new byte[MOST_TEXT];
    file.seek(address);
    return ByteBuffer.wrap(bytes, 0, Math.max(0, file.read(bytes)));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
