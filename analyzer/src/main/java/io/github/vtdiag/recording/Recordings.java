package io.github.vtdiag.recording;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.vtdiag.jfr.ChunkSource;
import io.github.vtdiag.jfr.ChunkWalker;
import io.github.vtdiag.model.DataException;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Reads the recordings of a command, each chunk once. */
public final class Recordings {
  private static final int HEAD = 512;
  private static final int UNPACK = 1 << 16;

  private final TimeRange asked;
  private TimeRange range;
  private final Consumer<String> notes;
  private final LongConsumer progress;
  private final EventSelection selection;
  private final SeenChunks seen = new SeenChunks();
  private final int maxChunkSize;
  private final boolean withThreads;

  /**
   * Creates a reader, without reading anything.
   *
   * @param range the wanted pins
   * @param notes receives what is left out although nothing is wrong with it
   * @param progress receives the number of bytes read, each time that some are
   */
  public Recordings(TimeRange range, Consumer<String> notes, LongConsumer progress) {
    this(range, notes, progress, EventSelection.ALL);
  }

  /**
   * Creates a reader for a caller that does not need each event.
   *
   * @param selection the events besides pins that get rows
   */
  public Recordings(
      TimeRange range, Consumer<String> notes, LongConsumer progress, EventSelection selection) {
    this(range, notes, progress, selection, ChunkSource.MAX_SIZE, true);
  }

  private Recordings(
      TimeRange range,
      Consumer<String> notes,
      LongConsumer progress,
      EventSelection selection,
      int maxChunkSize,
      boolean withThreads) {
    this.asked = range;
    this.range = range;
    this.notes = notes;
    this.progress = progress;
    this.selection = selection;
    this.maxChunkSize = maxChunkSize;
    this.withThreads = withThreads;
  }

  /**
   * Reads a file that is one recording.
   *
   * @throws DataException if nothing can be read, or the file holds several
   */
  public static RecordingData read(Path file) throws DataException {
    List<RecordingData> all =
        new Recordings(TimeRange.ALL, note -> {}, count -> {})
            .read(new Input(file.toString(), List.of(file)));
    if (all.size() > 1) {
      throw new DataException(file + ": holds several recordings");
    }
    return all.getFirst();
  }

  /**
   * Reads one recording from a stream, packed or not, on the calling thread alone. No more than a
   * chunk of it is in memory.
   *
   * @param maxChunkSize the size from which only the beginning of a chunk is read
   * @throws DataException if nothing can be read, or the stream holds several
   */
  public static RecordingData read(
      InputStream stream, String name, EventSelection selection, int maxChunkSize)
      throws DataException {
    Recordings recordings =
        new Recordings(TimeRange.ALL, note -> {}, count -> {}, selection, maxChunkSize, false);
    List<RecordingReader> readers = new ArrayList<>();
    recordings.addFile(name, stream, readers);
    if (readers.size() > 1) {
      throw new DataException(name + ": holds several recordings; add them one by one");
    }
    return readers
        .getFirst()
        .finish()
        .orElseThrow(() -> new DataException(name + ": nothing can be read"));
  }

  /**
   * Reads the recordings of an input. One that is cut off or damaged yields what can be read, and
   * has the rest in {@link RecordingFacts#problems}.
   *
   * @return none if the inputs before hold all that is in it
   * @throws DataException if nothing can be read
   */
  public List<RecordingData> read(Input input) throws DataException {
    List<RecordingReader> readers = new ArrayList<>();
    range = asked.in(input);
    if (input.files().isEmpty()) {
      addFile(input.source(), System.in, readers);
    } else if (input.files().size() == 1) {
      Path file = input.files().getFirst();
      open(file, stream -> addFile(input.source(), stream, readers));
    } else {
      RecordingReader reader = reader(input.source(), true);
      for (Path file : input.files()) {
        open(file, stream -> addChunks(file, stream, reader));
      }
      readers.add(reader);
    }
    List<RecordingData> all = new ArrayList<>();
    for (RecordingReader reader : readers) {
      reader
          .finish()
          .ifPresentOrElse(
              all::add,
              () -> notes.accept("skipping " + reader.source() + ": all of it was read before"));
    }
    return all;
  }

  /** An action on an open file. */
  private interface Use {
    void with(InputStream stream) throws IOException, DataException;
  }

  private void open(Path file, Use use) throws DataException {
    if (Files.isDirectory(file)) {
      throw new DataException(file + ": is a directory, not a recording (.jfr)");
    }
    if (Files.notExists(file)) {
      throw new DataException(file + ": no such file");
    }
    if (!Files.isReadable(file)) {
      throw new DataException(file + ": no permission to read it");
    }
    try (FileInputStream stream = new FileInputStream(file.toFile())) {
      use.with(stream);
    } catch (IOException e) {
      throw new DataException(file + ": cannot be read: " + ChunkWalker.reason(e), e);
    }
  }

  private RecordingReader reader(String source, boolean inOrder) {
    return new RecordingReader(source, range, inOrder, seen, maxChunkSize, selection, withThreads);
  }

  /**
   * Adds a chunk file of a repository; it is empty if the JVM died before it wrote anything into
   * it.
   */
  private void addChunks(Path file, InputStream stream, RecordingReader reader)
      throws IOException, DataException {
    PushbackInputStream content = unpacked(counted(stream));
    if (kind(content) == FileKind.EMPTY) {
      notes.accept("skipping " + file + ": it is empty");
    } else {
      reader.add(content);
    }
  }

  private void addFile(String source, InputStream stream, List<RecordingReader> readers)
      throws DataException {
    try {
      PushbackInputStream content = counted(stream);
      FileKind kind = kind(content);
      switch (kind) {
        case RECORDING -> addRecording(source, content, readers);
        case GZIP -> {
          PushbackInputStream unpacked = unpacked(content);
          FileKind packed = kind(unpacked);
          if (packed != FileKind.RECORDING) {
            throw new DataException(source + ": holds no recording but " + packed.text());
          }
          addRecording(source, unpacked, readers);
        }
        case ZIP -> addArchive(source, content, readers);
        case EMPTY ->
            throw new DataException(
                source
                    + ": is empty: JFR fills it when the JVM exits by itself. The data of a JVM"
                    + " that was killed is in JFR's repository: name that folder instead, which is"
                    + " <date>_<pid> in the temporary directory (java.io.tmpdir), or where"
                    + " -XX:FlightRecorderOptions=repository= said");
        default ->
            throw new DataException(source + ": is no recording; it looks like " + kind.text());
      }
    } catch (IOException e) {
      throw new DataException(source + ": cannot be read: " + ChunkWalker.reason(e), e);
    }
  }

  private void addRecording(String source, InputStream content, List<RecordingReader> readers)
      throws DataException {
    RecordingReader reader = reader(source, true);
    readers.add(reader);
    reader.add(content);
  }

  /**
   * Adds the recordings of a zip archive: each file is one, and so are all chunk files of one
   * folder.
   */
  private void addArchive(String source, InputStream content, List<RecordingReader> readers)
      throws IOException, DataException {
    Map<String, RecordingReader> found = new LinkedHashMap<>();
    Archive zip = new Archive(content);
    String damage = "";
    try {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        addEntry(source, entry, zip, found);
      }
      if (!zip.atItsEnd()) {
        damage = "it is cut off";
      }
    } catch (IOException e) {
      if (found.isEmpty()) {
        throw e;
      }
      damage = ChunkWalker.reason(e);
    }
    if (found.isEmpty()) {
      throw new DataException(source + ": is a zip archive that holds no recording");
    }
    if (!damage.isEmpty()) {
      String problem = "the zip archive cannot be read to its end: " + damage;
      found.values().forEach(reader -> reader.problem(problem));
    }
    readers.addAll(found.values());
  }

  private void addEntry(
      String source, ZipEntry entry, InputStream content, Map<String, RecordingReader> found)
      throws IOException, DataException {
    String name = entry.getName();
    PushbackInputStream recording = unpacked(new PushbackInputStream(content, HEAD));
    if (kind(recording) == FileKind.RECORDING) {
      int slash = name.lastIndexOf('/');
      boolean chunk = Input.isChunkFile(name.substring(slash + 1));
      String path = chunk ? name.substring(0, slash + 1) : name;
      // Archives hold the files of a folder in any order.
      found
          .computeIfAbsent(path, p -> reader(p.isEmpty() ? source : source + "!" + p, !chunk))
          .add(recording);
    } else if (!entry.isDirectory()) {
      notes.accept("skipping " + source + "!" + name + ": it is no recording");
    }
  }

  /** Returns {@code content}, unpacked if it is packed by gzip. */
  private static PushbackInputStream unpacked(PushbackInputStream content) throws IOException {
    return kind(content) == FileKind.GZIP
        ? new PushbackInputStream(new GZIPInputStream(content, UNPACK), HEAD)
        : content;
  }

  /** Returns the kind of what comes next in {@code content}, whose position does not change. */
  private static FileKind kind(PushbackInputStream content) throws IOException {
    byte[] head = content.readNBytes(HEAD);
    content.unread(head);
    return FileKind.of(head);
  }

  private PushbackInputStream counted(InputStream stream) {
    return new Content(
        new FilterInputStream(stream) {
          @Override
          public int read() throws IOException {
            int value = super.read();
            progress.accept(value < 0 ? 0 : 1);
            return value;
          }

          @Override
          public int read(byte[] bytes, int from, int length) throws IOException {
            int count = super.read(bytes, from, length);
            progress.accept(Math.max(0, count));
            return count;
          }
        });
  }

  /**
   * The bytes of a file. Gzip goes on to the next member only if some are available, which a pipe
   * denies while its writer is slower.
   */
  private static final class Content extends PushbackInputStream {
    Content(InputStream in) {
      super(in, HEAD);
    }

    @Override
    public int available() throws IOException {
      int next = read();
      if (next < 0) {
        return 0;
      }
      unread(next);
      return Math.max(1, super.available());
    }
  }

  /** A zip archive that can check whether it is complete. */
  private static final class Archive extends ZipInputStream {
    private static final byte[] END = {'P', 'K', 5, 6};

    Archive(InputStream in) {
      // The names in it hardly matter, so they may be in any encoding.
      super(in, ISO_8859_1);
    }

    /** Returns whether the end of an archive follows the last entry. */
    boolean atItsEnd() throws IOException {
      int matched = 0;
      for (int b = in.read(); b >= 0; b = in.read()) {
        matched = b == END[matched] ? matched + 1 : b == END[0] ? 1 : 0;
        if (matched == END.length) {
          return true;
        }
      }
      return false;
    }
  }
}
