package io.github.vtdiag.compare;

import io.github.vtdiag.compare.Plan.Source.Counted.Method;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The calls that the agent counts in one run, read while they are written. */
final class CountedCalls {
  /**
   * The number of calls at one point in time.
   *
   * @param nanos since the agent's start
   * @param counts of each method, since then
   */
  record Line(long nanos, Map<Method, Long> counts) {
    Line {
      counts = Map.copyOf(counts);
    }

    boolean hasCalls() {
      return counts.values().stream().anyMatch(count -> count > 0);
    }
  }

  private final Path path;
  private final List<Method> methods;
  private final List<Line> lines = new ArrayList<>();
  private long read;

  /**
   * @param methods in the order in which a line has their counts
   */
  CountedCalls(Path path, List<Method> methods) {
    this.path = path;
    this.methods = methods;
  }

  /** Returns all complete lines so far. */
  List<Line> lines() throws DataException {
    byte[] more;
    try (SeekableByteChannel channel = Files.newByteChannel(path).position(read);
        InputStream in = Channels.newInputStream(channel)) {
      more = in.readAllBytes();
    } catch (NoSuchFileException e) {
      // The agent has not started yet.
      return List.of();
    } catch (IOException e) {
      throw new DataException("cannot read the agent's counts: " + e.getMessage(), e);
    }
    int from = 0;
    for (int i = 0; i < more.length; i++) {
      if (more[i] == '\n') {
        lines.add(line(new String(more, from, i - from, StandardCharsets.US_ASCII)));
        from = i + 1;
      }
    }
    read += from;
    return lines;
  }

  private Line line(String text) throws DataException {
    try {
      List<Long> numbers = Arrays.stream(text.strip().split(" ")).map(Long::valueOf).toList();
      if (numbers.size() == methods.size() + 1) {
        Map<Method, Long> counts = new HashMap<>();
        methods.forEach(method -> counts.put(method, numbers.get(counts.size() + 1)));
        return new Line(numbers.getFirst(), counts);
      }
    } catch (NumberFormatException e) {
      // Reported below, like a line of another length.
    }
    throw new DataException("cannot make sense of the agent's counts: " + Printable.quoted(text));
  }

  /** Returns the line closest to a time; there must be at least one line. */
  static Line nearest(List<Line> lines, long nanos) {
    return lines.stream()
        .min(Comparator.comparingLong(line -> Math.abs(line.nanos() - nanos)))
        .orElseThrow();
  }
}
