package io.github.vtdiag.findings;

import io.github.vtdiag.model.Frame;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Caches of libraries that are created by each thread, and what to do about them. */
public final class KnownCaches {
  private static final String TABLE = "thread-local-caches.tsv";
  private static final String HEADER = "# vtdiag thread-local caches 1";
  private static final String ANY = "*";

  /** The columns of the table: those of {@link Cache}, and where that was seen. */
  private static final int COLUMNS = 5;

  /** A cache: one line of the table. */
  public record Cache(String name, String type, String method, String toDo) {
    private boolean isMadeIn(String maker) {
      return method.equals(ANY) || method.equals(maker);
    }
  }

  private final Map<String, List<Cache>> byType;

  private KnownCaches(List<Cache> caches) {
    byType = caches.stream().collect(Collectors.groupingBy(Cache::type));
  }

  /** Reads the table that comes with vtdiag. */
  public static KnownCaches load() {
    try (InputStream in = KnownCaches.class.getResourceAsStream(TABLE);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return parse(lines.lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static KnownCaches parse(List<String> lines) {
    if (!lines.getFirst().equals(HEADER)) {
      throw new IllegalStateException(TABLE + " is no list of thread-local caches");
    }
    List<Cache> caches = new ArrayList<>();
    for (String line : lines) {
      if (!line.startsWith("#") && !line.isBlank()) {
        String[] columns = line.split("\t", -1);
        if (columns.length != COLUMNS) {
          throw new IllegalStateException(TABLE + " has a line with other columns: " + line);
        }
        caches.add(new Cache(columns[0], columns[1], columns[2], columns[3]));
      }
    }
    return new KnownCaches(caches);
  }

  /** Returns the cache that a method creates something for. */
  public Optional<Cache> of(Frame frame) {
    for (Cache cache : byType.getOrDefault(frame.type().name(), List.of())) {
      if (cache.isMadeIn(frame.method())) {
        return Optional.of(cache);
      }
    }
    return Optional.empty();
  }
}
