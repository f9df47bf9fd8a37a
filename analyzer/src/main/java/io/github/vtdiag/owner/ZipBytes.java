package io.github.vtdiag.owner;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;

/**
 * A zip file, or one stored inside another, read in place. {@link java.util.zip.ZipFile} can only
 * open files, and a Spring Boot jar keeps its libraries as entries; copying each to disk or memory
 * to read one class would be a waste.
 */
public final class ZipBytes implements Closeable {
  private static final int LOCAL_HEADER = 0x04034b50;
  private static final int CENTRAL_HEADER = 0x02014b50;
  private static final int END = 0x06054b50;
  private static final int END_64_LOCATOR = 0x07064b50;
  private static final int END_64 = 0x06064b50;
  private static final int END_SIZE = 22;

  /**
   * The first year of a true date: nothing for Java is older. Maven and Gradle write 1980 if they
   * write no true time.
   */
  private static final int FIRST_JAVA = 1995;

  /** The date that Bazel writes into every entry. */
  private static final LocalDate BAZELS_DAY = LocalDate.of(2010, 1, 1);

  private static final int MAX_COMMENT = 0xFFFF;
  private static final long IN_ZIP64 = 0xFFFFFFFFL;

  /** The most bytes before an entry's data: a header, a name, and what tools add. */
  private static final int MAX_HEADER = 1 << 10;

  /** The most bytes that are read in one go. */
  private static final long MAX_RUN = 16 << 20;

  /** Bytes at a position, from a file or from memory. */
  private interface Source {
    void read(long position, ByteBuffer into) throws IOException;
  }

  /**
   * One entry.
   *
   * @param date when it was written, as DOS packs a day
   */
  private record Entry(int method, int date, long compressedSize, long size, long headerOffset) {}

  private final Source source;
  private final long size;
  private final Closeable onClose;
  private final Map<String, Entry> entries;

  private ZipBytes(Source source, long size, Closeable onClose) throws IOException {
    this.source = source;
    this.size = size;
    this.onClose = onClose;
    this.entries = readDirectory();
  }

  private ZipBytes(Source source, long size, Map<String, Entry> entries) {
    this.source = source;
    this.size = size;
    this.onClose = () -> {};
    this.entries = entries;
  }

  public static ZipBytes open(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      Source source =
          (position, into) -> {
            long at = position;
            while (into.hasRemaining()) {
              int count = channel.read(into, at);
              if (count < 0) {
                throw new EOFException();
              }
              at += count;
            }
          };
      return new ZipBytes(source, channel.size(), channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Opens the zip that is an entry of this one: in place if it is stored, else in memory. */
  public ZipBytes openNested(String name) throws IOException {
    Entry entry = entries.get(name);
    if (entry.method() == ZipEntry.STORED) {
      long start = dataOffset(entry);
      return new ZipBytes(
          (position, into) -> source.read(start + position, into), entry.size(), () -> {});
    }
    byte[] bytes = read(name);
    return new ZipBytes(
        (position, into) -> {
          if (position < 0 || position + into.remaining() > bytes.length) {
            throw new EOFException();
          }
          into.put(bytes, (int) position, into.remaining());
        },
        bytes.length,
        () -> {});
  }

  public Set<String> names() {
    return entries.keySet();
  }

  public boolean has(String name) {
    return entries.containsKey(name);
  }

  /** Returns the length of an entry that {@link #has} said is there, according to the zip. */
  public long size(String name) {
    return entries.get(name).size();
  }

  /**
   * Returns the day on which an entry that {@link #has} said is there was written. Empty if the zip
   * has none, or the fixed day of a reproducible build.
   */
  public Optional<LocalDate> written(String name) {
    int date = entries.get(name).date();
    try {
      return Optional.of(LocalDate.of(1980 + (date >> 9), date >> 5 & 15, date & 31))
          .filter(day -> day.getYear() >= FIRST_JAVA && !day.equals(BAZELS_DAY));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Returns the bytes of an entry that {@link #has} said is there. */
  public byte[] read(String name) throws IOException {
    Entry entry = entries.get(name);
    byte[] bytes = new byte[length(entry.size())];
    Inflater inflater = new Inflater(true);
    try {
      read(name, entry, inflater, bytes);
      return bytes;
    } finally {
      inflater.end();
    }
  }

  /** Reads an entry into a buffer that is long enough for it. */
  private void read(String name, Entry entry, Inflater inflater, byte[] into) throws IOException {
    byte[] compressed = bytes(dataOffset(entry), length(entry.compressedSize()));
    if (entry.method() == ZipEntry.STORED) {
      if (entry.size() != entry.compressedSize()) {
        throw new ZipException("the data of " + name + " is damaged");
      }
      System.arraycopy(compressed, 0, into, 0, compressed.length);
      return;
    }
    if (entry.method() != ZipEntry.DEFLATED) {
      throw new ZipException("compression method " + entry.method() + " of " + name);
    }
    try {
      inflater.reset();
      inflater.setInput(compressed);
      int at = 0;
      while (at < entry.size()) {
        int count = inflater.inflate(into, at, (int) entry.size() - at);
        if (count == 0) {
          throw new ZipException("the data of " + name + " ends early");
        }
        at += count;
      }
    } catch (DataFormatException e) {
      throw new ZipException("the data of " + name + " is damaged");
    }
  }

  /** The receiver of what {@link #readEach} reads. */
  public interface Sink {
    /** Takes an entry. It is in the first {@code length} of the bytes, until this returns. */
    void read(String name, byte[] bytes, int length);

    void failed(String name, IOException why);
  }

  /** Reads entries that are close to each other, in one go and without a copy of each. */
  public void readEach(List<String> names, Sink sink) {
    long from = Long.MAX_VALUE;
    long to = 0;
    long wanted = 0;
    for (String name : names) {
      Entry entry = entries.get(name);
      from = Math.min(from, entry.headerOffset());
      to = Math.max(to, entry.headerOffset() + entry.compressedSize() + MAX_HEADER);
      wanted += entry.compressedSize() + MAX_HEADER;
    }
    ZipBytes near = this;
    try {
      to = Math.min(to, size);
      if (from < to && to - from <= Math.min(4 * wanted, MAX_RUN)) {
        byte[] run = bytes(from, (int) (to - from));
        long start = from;
        near =
            new ZipBytes(
                (position, into) -> into.put(run, (int) (position - start), into.remaining()),
                size,
                entries);
      }
    } catch (IOException e) {
      // The entries are then read one by one, to find out which cannot be read.
    }
    Inflater inflater = new Inflater(true);
    byte[] buffer = new byte[1 << 16];
    try {
      for (String name : names) {
        try {
          Entry entry = entries.get(name);
          buffer = buffer.length < entry.size() ? new byte[length(entry.size())] : buffer;
          near.read(name, entry, inflater, buffer);
          sink.read(name, buffer, (int) entry.size());
        } catch (IOException | IndexOutOfBoundsException e) {
          sink.failed(name, e instanceof IOException known ? known : new EOFException());
        }
      }
    } finally {
      inflater.end();
    }
  }

  @Override
  public void close() throws IOException {
    onClose.close();
  }

  private Map<String, Entry> readDirectory() throws IOException {
    long end = findEnd();
    ByteBuffer header = buffer(end, END_SIZE);
    long directorySize = Integer.toUnsignedLong(header.getInt(12));
    long directoryOffset = Integer.toUnsignedLong(header.getInt(16));
    long directoryEnd = end;
    if (end >= 20 && buffer(end - 20, 4).getInt(0) == END_64_LOCATOR) {
      long end64 = buffer(end - 12, 8).getLong(0);
      ByteBuffer header64 = buffer(end64, 56);
      if (header64.getInt(0) != END_64) {
        throw new ZipException("no zip64 end record");
      }
      directorySize = header64.getLong(40);
      directoryOffset = header64.getLong(48);
      directoryEnd = end64;
    }
    // Executable jars have a shell script before the zip, which shifts every offset.
    long start = directoryEnd - directorySize;
    long shift = start - directoryOffset;
    if (start < 0 || shift < 0) {
      throw new ZipException("the central directory is damaged");
    }
    ByteBuffer directory =
        ByteBuffer.wrap(bytes(start, length(directorySize))).order(ByteOrder.LITTLE_ENDIAN);
    Map<String, Entry> found = new LinkedHashMap<>();
    try {
      while (directory.remaining() >= 46) {
        readEntry(directory, shift, found);
      }
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new ZipException("the central directory is damaged");
    }
    return found;
  }

  private static void readEntry(ByteBuffer directory, long shift, Map<String, Entry> found)
      throws ZipException {
    int at = directory.position();
    if (directory.getInt(at) != CENTRAL_HEADER) {
      throw new ZipException("the central directory is damaged");
    }
    int method = Short.toUnsignedInt(directory.getShort(at + 10));
    int date = Short.toUnsignedInt(directory.getShort(at + 14));
    long compressedSize = Integer.toUnsignedLong(directory.getInt(at + 20));
    long size = Integer.toUnsignedLong(directory.getInt(at + 24));
    int nameLength = Short.toUnsignedInt(directory.getShort(at + 28));
    int extraLength = Short.toUnsignedInt(directory.getShort(at + 30));
    int commentLength = Short.toUnsignedInt(directory.getShort(at + 32));
    long offset = Integer.toUnsignedLong(directory.getInt(at + 42));
    byte[] name = new byte[nameLength];
    directory.get(at + 46, name);
    int extra = at + 46 + nameLength;
    int extraEnd = extra + extraLength;
    while (extra + 4 <= extraEnd) {
      int field = extra + 4;
      if (directory.getShort(extra) == 1) {
        if (size == IN_ZIP64) {
          size = directory.getLong(field);
          field += 8;
        }
        if (compressedSize == IN_ZIP64) {
          compressedSize = directory.getLong(field);
          field += 8;
        }
        if (offset == IN_ZIP64) {
          offset = directory.getLong(field);
        }
      }
      extra += 4 + Short.toUnsignedInt(directory.getShort(extra + 2));
    }
    directory.position(extraEnd + commentLength);
    found.putIfAbsent(
        new String(name, StandardCharsets.UTF_8),
        new Entry(method, date, compressedSize, size, offset + shift));
  }

  private long findEnd() throws IOException {
    int tailLength = (int) Math.min(size, END_SIZE + MAX_COMMENT);
    ByteBuffer tail = buffer(size - tailLength, tailLength);
    for (int at = tailLength - END_SIZE; at >= 0; at--) {
      if (tail.getInt(at) == END
          && at + END_SIZE + Short.toUnsignedInt(tail.getShort(at + 20)) == tailLength) {
        return size - tailLength + at;
      }
    }
    throw new ZipException("no zip file, or one that was cut off");
  }

  private long dataOffset(Entry entry) throws IOException {
    ByteBuffer header = buffer(entry.headerOffset(), 30);
    if (header.getInt(0) != LOCAL_HEADER) {
      throw new ZipException("an entry's header is damaged");
    }
    return entry.headerOffset()
        + 30
        + Short.toUnsignedInt(header.getShort(26))
        + Short.toUnsignedInt(header.getShort(28));
  }

  private ByteBuffer buffer(long position, int length) throws IOException {
    return ByteBuffer.wrap(bytes(position, length)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private byte[] bytes(long position, int length) throws IOException {
    if (position < 0 || position > size - length) {
      throw new ZipException("a position outside the file");
    }
    byte[] bytes = new byte[length];
    source.read(position, ByteBuffer.wrap(bytes));
    return bytes;
  }

  private static int length(long length) throws ZipException {
    if (length < 0 || length > Integer.MAX_VALUE - 8) {
      throw new ZipException("a length out of range");
    }
    return (int) length;
  }
}
