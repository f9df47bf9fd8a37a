package io.github.vtdiag.fleet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.WholeFile;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A lake as a folder: Parquet files by table, service and date, and for each batch of them a small
 * file that names them. That comes last and at once, so a batch is there as a whole or not at all,
 * whenever the process that writes it dies.
 */
final class LakeFiles {
  /** The version of what is in the files. A change of what a column means raises it. */
  static final int FORMAT = 1;

  static final String MARK = "vtdiag-lake.json";
  private static final String VERSION = "vtdiagLake";
  private static final String BATCHES = "batches";
  private static final String SCRATCH = ".scratch";
  private static final String PARQUET = ".parquet";

  /**
   * Files that were written together.
   *
   * @param recordings the keys of what is in them
   * @param files relative to the lake, with slashes
   * @param replaces the batches whose rows are in this one now
   */
  record Batch(String id, List<String> recordings, List<String> files, List<String> replaces) {}

  private final Path folder;

  LakeFiles(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  Path folder() {
    return folder;
  }

  /** Where a batch is written before it counts. */
  Path scratch(String batch) {
    return folder.resolve(SCRATCH).resolve(batch);
  }

  /** Refuses what is no lake of this version. */
  void check() throws DataException {
    Path mark = folder.resolve(MARK);
    if (!Files.isDirectory(folder) || !Files.exists(mark)) {
      throw new DataException(
          folder
              + ": is no lake (there is no "
              + MARK
              + " in it); make one: vtdiag fleet add DIR --lake "
              + folder);
    }
    Object version = json(mark).get(VERSION);
    if (!Integer.toString(FORMAT).equals(version)) {
      throw new DataException(
          folder
              + ": is a lake of version "
              + version
              + ", and this vtdiag has version "
              + FORMAT
              + "; use the vtdiag that made it, or add the recordings to a new one");
    }
  }

  /** Makes the folder a lake, unless it is one. */
  void create() throws DataException {
    Path mark = folder.resolve(MARK);
    try {
      if (Files.exists(mark)) {
        check();
        return;
      }
      if (Files.exists(folder) && !Files.isDirectory(folder)) {
        throw new DataException(folder + ": is a file; name a folder for the lake");
      }
      Files.createDirectories(folder);
      try (Stream<Path> files = Files.list(folder)) {
        if (files.anyMatch(file -> !file.getFileName().toString().equals("lock"))) {
          throw new DataException(
              folder + ": is no lake, and not empty; name an empty folder or a new one");
        }
      }
      Files.createDirectories(folder.resolve(BATCHES));
      write(mark, "{\"%s\": %d}%n".formatted(VERSION, FORMAT));
    } catch (IOException e) {
      throw cannot("be made", e);
    }
  }

  /** Keeps others from writing until it is closed. */
  FileChannel lock() throws DataException {
    try {
      FileChannel channel =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = null;
      try {
        lock = channel.tryLock();
      } catch (OverlappingFileLockException e) {
        // Another thread of this JVM has it.
      }
      if (lock == null) {
        channel.close();
        throw new DataException(
            folder + ": is in use by another 'vtdiag fleet add'; wait until that is done");
      }
      return channel;
    } catch (IOException e) {
      throw cannot("be written", e);
    }
  }

  static void unlock(FileChannel lock) {
    try {
      lock.close();
    } catch (IOException e) {
      // The process ends soon, and its locks with it.
    }
  }

  /** The batches that count, the oldest first. */
  List<Batch> batches() throws DataException {
    Map<String, Batch> all = new TreeMap<>();
    Path batches = folder.resolve(BATCHES);
    try (Stream<Path> files = Files.list(batches)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".json")).toList()) {
        Batch batch = batch(file);
        all.put(batch.id(), batch);
      }
    } catch (IOException e) {
      throw cannot("be read", e);
    }
    Set<String> replaced = new HashSet<>();
    all.values().forEach(batch -> replaced.addAll(batch.replaces()));
    return all.values().stream().filter(batch -> !replaced.contains(batch.id())).toList();
  }

  /** What a batch is called that comes after those that are there. */
  String nextBatch() throws DataException {
    try (Stream<Path> marks = Files.list(folder.resolve(BATCHES))) {
      long last =
          marks
              .map(mark -> mark.getFileName().toString().split("-", 2)[0])
              .filter(number -> number.matches("\\d{1,9}"))
              .mapToLong(Long::parseLong)
              .max()
              .orElse(0);
      return "%09d-%s".formatted(last + 1, UUID.randomUUID());
    } catch (IOException e) {
      throw cannot("be read", e);
    }
  }

  private Batch batch(Path file) throws DataException {
    Map<String, Object> members = json(file);
    String name = file.getFileName().toString();
    return new Batch(
        name.substring(0, name.length() - ".json".length()),
        texts(members, "recordings"),
        texts(members, "files"),
        texts(members, "replaces"));
  }

  @SuppressWarnings("unchecked")
  private static List<String> texts(Map<String, Object> members, String name) {
    return members.get(name) instanceof List<?> list ? (List<String>) list : List.of();
  }

  /**
   * The file of a table in a batch, with its folder, is where it belongs: then the batch counts.
   */
  void commit(String id, List<String> recordings, List<String> replaces) throws DataException {
    Path scratch = scratch(id);
    try {
      List<String> files = new ArrayList<>();
      List<Path> written;
      try (Stream<Path> all = Files.walk(scratch)) {
        written = all.filter(file -> file.toString().endsWith(PARQUET)).sorted().toList();
      }
      for (Path file : written) {
        Path relative = scratch.relativize(file);
        Path target = folder.resolve(relative);
        Files.createDirectories(target.getParent());
        Files.move(file, target);
        files.add(relative.toString().replace('\\', '/'));
      }
      write(folder.resolve(BATCHES).resolve(id + ".json"), text(recordings, files, replaces));
      clean(scratch);
    } catch (IOException e) {
      throw cannot("be written", e);
    }
  }

  /** Deletes what belongs to no batch that counts: of a process that died, or that was replaced. */
  void sweep() throws DataException {
    try {
      Set<String> known = new HashSet<>();
      Set<String> ids = new HashSet<>();
      for (Batch batch : batches()) {
        known.addAll(batch.files());
        ids.add(batch.id());
      }
      try (Stream<Path> marks = Files.list(folder.resolve(BATCHES))) {
        for (Path mark : marks.toList()) {
          String name = mark.getFileName().toString();
          if (!name.endsWith(".json") || !ids.contains(name.substring(0, name.length() - 5))) {
            Files.deleteIfExists(mark);
          }
        }
      }
      for (Table table : Table.values()) {
        Path files = folder.resolve(table.view());
        if (Files.isDirectory(files)) {
          try (Stream<Path> all = Files.walk(files)) {
            for (Path file : all.filter(f -> f.toString().endsWith(PARQUET)).toList()) {
              if (!known.contains(folder.relativize(file).toString().replace('\\', '/'))) {
                Files.deleteIfExists(file);
              }
            }
          }
        }
      }
      clean(folder.resolve(SCRATCH));
    } catch (IOException e) {
      throw cannot("be cleaned", e);
    }
  }

  /** Deletes what is written half, such as where there was no space for the rest. */
  void cleanScratch() {
    try {
      clean(folder.resolve(SCRATCH));
    } catch (IOException e) {
      // The next add does it.
    }
  }

  /** Deletes a folder, if it is there. */
  static void clean(Path scratch) throws IOException {
    if (!Files.isDirectory(scratch)) {
      return;
    }
    Files.walkFileTree(
        scratch,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException e)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static String text(List<String> recordings, List<String> files, List<String> replaces)
      throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      Map<String, List<String>> members = new LinkedHashMap<>();
      members.put("replaces", replaces);
      members.put("files", files);
      members.put("recordings", recordings);
      for (Map.Entry<String, List<String>> member : members.entrySet()) {
        json.writeArrayFieldStart(member.getKey());
        for (String each : member.getValue()) {
          json.writeString(each);
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    }
    return text.toString();
  }

  private static void write(Path file, String text) throws IOException {
    WholeFile.write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The members of an object: texts, and lists of texts. */
  private Map<String, Object> json(Path file) throws DataException {
    Map<String, Object> members = new LinkedHashMap<>();
    try (JsonParser json = new JsonFactory().createParser(Files.readString(file))) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new DataException(file + ": is damaged; restore it, or make the lake again");
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        if (json.nextToken() == JsonToken.START_ARRAY) {
          List<String> texts = new ArrayList<>();
          while (json.nextToken() == JsonToken.VALUE_STRING) {
            texts.add(json.getText());
          }
          members.put(name, texts);
        } else {
          members.put(name, json.getText());
        }
      }
      return members;
    } catch (IOException e) {
      throw new DataException(file + ": is damaged; restore it, or make the lake again", e);
    }
  }

  DataException cannot(String what, IOException e) {
    return new DataException(
        folder + ": the lake cannot " + what + ": " + (e.getMessage() == null ? e : reason(e)), e);
  }

  private static String reason(IOException e) {
    return e.getClass().getSimpleName().replace("Exception", "").isEmpty()
        ? e.getMessage()
        : e.getMessage() + " (" + e.getClass().getSimpleName() + ")";
  }
}
