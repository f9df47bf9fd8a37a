package io.github.vtdiag.fleet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Sha256;
import java.io.Closeable;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A lake as files: Parquet files by table, service and date, and for each batch of them a small
 * file that names them. That file is written last and atomically, so a batch is complete or absent,
 * even if the process that writes it dies.
 */
public final class LakeFiles {
  /** The version of the contents of the files. A change of what a column means raises it. */
  static final int FORMAT = 2;

  static final String MARK = "vtdiag-lake.json";
  private static final String VERSION = "vtdiagLake";
  private static final String BATCHES = "batches";
  private static final String SCRATCH = ".scratch";
  private static final String PARQUET = ".parquet";
  private static final String JSON = ".json";

  /** The most batches before all are merged into one. */
  private static final int MOST_BATCHES = 16;

  /** The length to which a folder's name cuts a service's name that has other characters. */
  private static final int FOLDER = 40;

  private static final int FOLDER_HASH = 12;

  /**
   * Files that were written together.
   *
   * @param recordings the number of recordings in them
   * @param files relative to the lake, with slashes
   * @param replaces the batches whose rows are in this one now
   */
  public record Batch(String id, long recordings, List<String> files, List<String> replaces) {
    /** Returns those of its files that have rows of a table. */
    public List<String> files(Table table) {
      return files.stream().filter(file -> file.startsWith(table.view() + "/")).toList();
    }
  }

  /**
   * Batches that become one. A file that is alone in its folder stays as it is, so that old days
   * are not written again and again.
   */
  public record Merge(List<Batch> batches) {
    public Merge {
      batches = List.copyOf(batches);
    }

    /** Returns those files of a table that are several in a folder. */
    public List<String> scattered(Table table) {
      return files(table).filter(folder -> folder.size() > 1).flatMap(List::stream).toList();
    }

    private List<String> alone() {
      return Arrays.stream(Table.values())
          .flatMap(this::files)
          .filter(folder -> folder.size() == 1)
          .flatMap(List::stream)
          .toList();
    }

    private Stream<List<String>> files(Table table) {
      return batches.stream()
          .flatMap(batch -> batch.files(table).stream())
          .collect(
              Collectors.groupingBy(
                  file -> file.substring(0, file.lastIndexOf('/')),
                  TreeMap::new,
                  Collectors.toList()))
          .values()
          .stream();
    }
  }

  private final LakeStore store;

  public LakeFiles(LakeStore store) {
    this.store = store;
  }

  /** Returns the place of the lake, as messages name it. */
  public String name() {
    return store.name();
  }

  /** Returns the folder in which a batch is written before it counts. */
  public String scratch(String batch) {
    return SCRATCH + "/" + batch;
  }

  /**
   * Returns a service's name as that of a folder; the column {@code service_name} has the full
   * name.
   */
  static String folder(String service) {
    if (service.isEmpty()) {
      return "unknown";
    }
    if (service.matches("[A-Za-z0-9_][A-Za-z0-9._-]{0,79}")) {
      return service;
    }
    String letters = service.replaceAll("[^A-Za-z0-9_-]", "_");
    return letters.substring(0, Math.min(FOLDER, letters.length()))
        + "-"
        + Sha256.of(service).substring(0, FOLDER_HASH);
  }

  /** Refuses a folder that is not a lake of this version. */
  public void check() throws DataException {
    try {
      if (!store.isFolder("") || !store.exists(MARK)) {
        throw new DataException(
            name()
                + ": is no lake (there is no "
                + MARK
                + " in it); make one: vtdiag fleet add DIR --lake "
                + name());
      }
    } catch (IOException e) {
      throw cannot("be read", e);
    }
    Object version = json(MARK).get(VERSION);
    if (!Long.valueOf(FORMAT).equals(version)) {
      throw new DataException(
          name()
              + ": is a lake of version "
              + version
              + ", and this vtdiag has version "
              + FORMAT
              + "; use the vtdiag that made it, or add the recordings to a new one");
    }
  }

  /** Makes the folder a lake, unless it is one. */
  public void create() throws DataException {
    try {
      if (store.exists(MARK)) {
        check();
        return;
      }
      if (store.exists("") && !store.isFolder("")) {
        throw new DataException(name() + ": is a file; name a folder for the lake");
      }
      store.makeFolder("");
      if (store.list("").stream().anyMatch(file -> !file.equals("lock"))) {
        throw new DataException(
            name() + ": is no lake, and not empty; name an empty folder or a new one");
      }
      store.makeFolder(BATCHES);
      store.write(MARK, "{\"%s\": %d}%n".formatted(VERSION, FORMAT));
    } catch (IOException e) {
      throw cannot("be made", e);
    }
  }

  /** Keeps others from writing until the lock is closed. */
  public Closeable lock() throws DataException {
    try {
      return store.lock();
    } catch (IOException e) {
      throw cannot("be written", e);
    }
  }

  /** Returns the batches that count, the oldest first. */
  public List<Batch> batches() throws DataException {
    Map<String, Batch> all = new TreeMap<>();
    try {
      for (String file : store.list(BATCHES)) {
        if (file.endsWith(JSON)) {
          Batch batch = batch(file);
          all.put(batch.id(), batch);
        }
      }
    } catch (IOException e) {
      throw cannot("be read", e);
    }
    Set<String> replaced = new HashSet<>();
    all.values().forEach(batch -> replaced.addAll(batch.replaces()));
    return all.values().stream().filter(batch -> !replaced.contains(batch.id())).toList();
  }

  /**
   * Returns the merge of all batches, if there are so many that a query takes long: it opens each
   * file of each.
   */
  public Optional<Merge> neededMerge() throws DataException {
    List<Batch> all = batches();
    return all.size() > MOST_BATCHES ? Optional.of(new Merge(all)) : Optional.empty();
  }

  /** Returns the name of the next batch, which comes after those that are there. */
  public String nextBatch() throws DataException {
    try {
      long last =
          store.list(BATCHES).stream()
              .map(mark -> mark.split("-", 2)[0])
              .filter(number -> number.matches("\\d{1,9}"))
              .mapToLong(Long::parseLong)
              .max()
              .orElse(0);
      return "%09d-%s".formatted(last + 1, UUID.randomUUID());
    } catch (IOException e) {
      throw cannot("be read", e);
    }
  }

  private Batch batch(String file) throws DataException {
    Map<String, Object> members = json(BATCHES + "/" + file);
    return new Batch(
        file.substring(0, file.length() - JSON.length()),
        members.get("recordings") instanceof Long count ? count : 0,
        texts(members, "files"),
        texts(members, "replaces"));
  }

  @SuppressWarnings("unchecked")
  private static List<String> texts(Map<String, Object> members, String name) {
    return members.get(name) instanceof List<?> list ? (List<String>) list : List.of();
  }

  /**
   * Commits a batch: moves the files from its {@link #scratch} to where they belong, then the batch
   * counts.
   */
  public void commit(String id, long recordings) throws DataException {
    commit(id, recordings, List.of(), List.of());
  }

  private void commit(String id, long recordings, List<String> kept, List<String> replaces)
      throws DataException {
    String scratch = scratch(id);
    try {
      List<String> files = new ArrayList<>(kept);
      for (String file : store.walk(scratch).stream().sorted().toList()) {
        if (file.endsWith(PARQUET)) {
          String target = file.substring(scratch.length() + 1);
          store.move(file, target);
          files.add(target);
        }
      }
      store.write(BATCHES + "/" + id + JSON, text(recordings, files, replaces));
      store.delete(scratch);
    } catch (IOException e) {
      throw cannot("be written", e);
    }
  }

  /** Commits the batch that a merge wrote, and deletes those that it has the rows of. */
  public void commit(String id, Merge merge) throws DataException {
    commit(
        id,
        recordings(merge.batches()),
        merge.alone(),
        merge.batches().stream().map(Batch::id).toList());
    sweep();
  }

  /**
   * Deletes files that belong to no batch that counts: of a process that died, or of a replaced
   * batch.
   */
  public void sweep() throws DataException {
    try {
      Set<String> known = new HashSet<>();
      for (Batch batch : batches()) {
        known.addAll(batch.files());
        known.add(BATCHES + "/" + batch.id() + JSON);
      }
      List<String> found = new ArrayList<>(store.walk(BATCHES));
      for (Table table : Table.values()) {
        store.walk(table.view()).stream().filter(f -> f.endsWith(PARQUET)).forEach(found::add);
      }
      for (String file : found) {
        if (!known.contains(file)) {
          store.delete(file);
        }
      }
      store.delete(SCRATCH);
    } catch (IOException e) {
      throw cannot("be cleaned", e);
    }
  }

  /** Ends writing: deletes incomplete files, such as where there was no space for the rest. */
  public void release(Closeable lock) {
    try {
      store.delete(SCRATCH);
    } catch (IOException e) {
      // The next add does it.
    }
    try {
      lock.close();
    } catch (IOException e) {
      // The process ends soon, and its locks with it.
    }
  }

  /** Returns the number of files of its tables, and of recordings. */
  public String size() throws DataException {
    check();
    List<Batch> batches = batches();
    return Figures.count(recordings(batches), "recording")
        + " in "
        + Figures.count(batches.stream().mapToLong(batch -> batch.files().size()).sum(), "file");
  }

  private static long recordings(List<Batch> batches) {
    return batches.stream().mapToLong(Batch::recordings).sum();
  }

  private static String text(long recordings, List<String> files, List<String> replaces)
      throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeNumberField("recordings", recordings);
      Map<String, List<String>> members = new LinkedHashMap<>();
      members.put("replaces", replaces);
      members.put("files", files);
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

  /** Returns the members of an object: texts, whole numbers, and lists of texts. */
  private Map<String, Object> json(String path) throws DataException {
    String file = name() + "/" + path;
    Map<String, Object> members = new LinkedHashMap<>();
    try (JsonParser json = new JsonFactory().createParser(store.read(path))) {
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
        } else if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
          members.put(name, json.getLongValue());
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
        name() + ": the lake cannot " + what + ": " + (e.getMessage() == null ? e : reason(e)), e);
  }

  private static String reason(IOException e) {
    return e.getClass().getSimpleName().replace("Exception", "").isEmpty()
        ? e.getMessage()
        : e.getMessage() + " (" + e.getClass().getSimpleName() + ")";
  }
}
