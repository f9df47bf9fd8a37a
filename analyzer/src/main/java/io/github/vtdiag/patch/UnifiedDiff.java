package io.github.vtdiag.patch;

import io.github.vtdiag.source.SourceText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes changes as a unified diff, in the bytes of each file's own encoding.
 *
 * <p>It has no {@code diff --git} line: with one, {@code git apply} takes paths from the top of the
 * repository; without, from the current folder, as {@code patch -p1} does.
 */
public final class UnifiedDiff {
  private static final int CONTEXT = 3;

  /** Lines {@code from..to} of the old file that become {@code newFrom..newTo} of the new one. */
  private record Difference(int from, int to, int newFrom, int newTo) {}

  private UnifiedDiff() {}

  /**
   * Writes a diff.
   *
   * @param header lines above it, which tools skip when they apply it
   * @param changes the changed files
   * @param base the folder in which the diff will be applied
   */
  public static byte[] of(List<String> header, List<Patch.Change> changes, Path base) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Patch.Change change : changes) {
      write(change, name(change.path(), base), out);
    }
    if (out.size() == 0) {
      return new byte[0];
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    header.forEach(line -> whole.writeBytes(("# " + line + "\n").getBytes(StandardCharsets.UTF_8)));
    whole.writeBytes(out.toByteArray());
    return whole.toByteArray();
  }

  /**
   * Returns the line of a file, from 1, for a line of the changed file. For a new line, it is the
   * one that it replaces or precedes.
   */
  static int lineBefore(Patch.Change change, int line) {
    List<String> before = textLines(change.before().bytes());
    List<String> after = textLines(change.after().bytes());
    int index = line - 1;
    int shift = 0;
    for (Difference difference : differences(before, after)) {
      if (index < difference.newFrom()) {
        break;
      }
      if (index < difference.newTo()) {
        int within = difference.from() + index - difference.newFrom();
        int last = Math.max(difference.from(), difference.to() - 1);
        return Math.clamp(within, difference.from(), last) + 1;
      }
      shift = difference.to() - difference.newTo();
    }
    return Math.max(1, line + shift);
  }

  /** Returns the same change as edits of a text. */
  static List<LineEdit> edits(Patch.Change change) {
    // A diff has lines of bytes, these are lines of text: editors count characters.
    List<String> before = textLines(change.before().bytes());
    List<String> after = textLines(change.after().bytes());
    return differences(before, after).stream()
        .map(
            difference ->
                edit(
                    before,
                    difference,
                    String.join("", after.subList(difference.newFrom(), difference.newTo()))))
        .toList();
  }

  private static LineEdit edit(List<String> before, Difference difference, String text) {
    int last = before.size();
    boolean open = last > 0 && !before.get(last - 1).endsWith("\n");
    int end = open ? before.get(last - 1).length() + 1 : 1;
    // After a last line without an ending there is no further line to begin at.
    boolean fromEnd = open && difference.from() == last;
    boolean toEnd = open && difference.to() == last;
    return new LineEdit(
        fromEnd ? last : difference.from() + 1,
        fromEnd ? end : 1,
        toEnd ? last : difference.to() + 1,
        toEnd ? end : 1,
        text);
  }

  private static List<String> textLines(byte[] bytes) {
    return lines(SourceText.of(bytes).text);
  }

  private static String name(Path path, Path base) {
    Path from = base.toAbsolutePath().normalize();
    return from.relativize(path.toAbsolutePath().normalize()).toString().replace('\\', '/');
  }

  private static void write(Patch.Change change, String name, ByteArrayOutputStream out) {
    List<String> before = lines(change.before().bytes());
    List<String> after = lines(change.after().bytes());
    List<Difference> differences = differences(before, after);
    if (differences.isEmpty()) {
      return;
    }
    // Git ends a name that has blanks with a tab.
    String end = name.contains(" ") ? "\t\n" : "\n";
    out.writeBytes(
        ("--- a/" + name + end + "+++ b/" + name + end).getBytes(StandardCharsets.UTF_8));
    int next = 0;
    while (next < differences.size()) {
      int last = next;
      while (last + 1 < differences.size()
          && differences.get(last + 1).from() - differences.get(last).to() <= 2 * CONTEXT) {
        last++;
      }
      writeHunk(before, after, differences.subList(next, last + 1), out);
      next = last + 1;
    }
  }

  private static void writeHunk(
      List<String> before,
      List<String> after,
      List<Difference> differences,
      ByteArrayOutputStream out) {
    Difference first = differences.getFirst();
    Difference last = differences.getLast();
    int from = Math.max(0, first.from() - CONTEXT);
    int to = Math.min(before.size(), last.to() + CONTEXT);
    int newFrom = first.newFrom() - (first.from() - from);
    int newTo = last.newTo() + (to - last.to());
    String head = "@@ -" + range(from, to) + " +" + range(newFrom, newTo) + " @@\n";
    out.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
    int at = from;
    for (Difference difference : differences) {
      write(' ', before.subList(at, difference.from()), out);
      write('-', before.subList(difference.from(), difference.to()), out);
      write('+', after.subList(difference.newFrom(), difference.newTo()), out);
      at = difference.to();
    }
    write(' ', before.subList(at, to), out);
  }

  private static String range(int from, int to) {
    int count = to - from;
    int start = count == 0 ? from : from + 1;
    return count == 1 ? Integer.toString(start) : start + "," + count;
  }

  private static void write(char mark, List<String> lines, ByteArrayOutputStream out) {
    for (String line : lines) {
      out.write(mark);
      out.writeBytes(line.getBytes(StandardCharsets.ISO_8859_1));
      if (!line.endsWith("\n")) {
        out.writeBytes("\n\\ No newline at end of file\n".getBytes(StandardCharsets.US_ASCII));
      }
    }
  }

  /** Splits into lines with their ends; a character is a byte, whatever the encoding is. */
  private static List<String> lines(byte[] bytes) {
    return lines(new String(bytes, StandardCharsets.ISO_8859_1));
  }

  private static List<String> lines(String text) {
    List<String> lines = new ArrayList<>();
    int start = 0;
    while (start < text.length()) {
      int end = text.indexOf('\n', start);
      end = end < 0 ? text.length() : end + 1;
      lines.add(text.substring(start, end));
      start = end;
    }
    return lines;
  }

  private static List<Difference> differences(List<String> before, List<String> after) {
    int start = 0;
    while (start < before.size()
        && start < after.size()
        && before.get(start).equals(after.get(start))) {
      start++;
    }
    int end = before.size();
    int newEnd = after.size();
    while (end > start && newEnd > start && before.get(end - 1).equals(after.get(newEnd - 1))) {
      end--;
      newEnd--;
    }
    return start == end && start == newEnd
        ? List.of()
        : middle(before.subList(start, end), after.subList(start, newEnd), start);
  }

  /** Finds the shortest edit script, by Myers's greedy algorithm, on lines as numbers. */
  private static List<Difference> middle(List<String> before, List<String> after, int shift) {
    Map<String, Integer> numbers = new HashMap<>();
    int[] a = before.stream().mapToInt(line -> number(numbers, line)).toArray();
    int[] b = after.stream().mapToInt(line -> number(numbers, line)).toArray();
    int max = a.length + b.length;
    int[] furthest = new int[2 * max + 2];
    List<int[]> trace = new ArrayList<>();
    boolean done = false;
    for (int d = 0; d <= max && !done; d++) {
      trace.add(Arrays.copyOfRange(furthest, max - d, max + d + 2));
      for (int k = -d; k <= d && !done; k += 2) {
        boolean down = k == -d || (k != d && furthest[max + k - 1] < furthest[max + k + 1]);
        int x = down ? furthest[max + k + 1] : furthest[max + k - 1] + 1;
        int y = x - k;
        while (x < a.length && y < b.length && a[x] == b[y]) {
          x++;
          y++;
        }
        furthest[max + k] = x;
        done = x >= a.length && y >= b.length;
      }
    }
    return backtrack(trace, a.length, b.length, shift);
  }

  private static int number(Map<String, Integer> numbers, String line) {
    Integer next = numbers.size();
    Integer known = numbers.putIfAbsent(line, next);
    return known == null ? next : known;
  }

  private static List<Difference> backtrack(
      List<int[]> trace, int lengthA, int lengthB, int shift) {
    boolean[] removed = new boolean[lengthA];
    boolean[] added = new boolean[lengthB];
    int x = lengthA;
    int y = lengthB;
    for (int d = trace.size() - 1; d > 0; d--) {
      // Entry i of the trace of step d is that of diagonal i - d.
      int[] furthest = trace.get(d);
      int k = x - y;
      boolean down = k == -d || (k != d && furthest[k - 1 + d] < furthest[k + 1 + d]);
      int previousK = down ? k + 1 : k - 1;
      int previousX = furthest[previousK + d];
      int previousY = previousX - previousK;
      if (down) {
        added[previousY] = true;
      } else {
        removed[previousX] = true;
      }
      x = previousX;
      y = previousY;
    }
    List<Difference> differences = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < lengthA || j < lengthB) {
      if ((i < lengthA && removed[i]) || (j < lengthB && added[j])) {
        int from = i;
        int newFrom = j;
        while (i < lengthA && removed[i]) {
          i++;
        }
        while (j < lengthB && added[j]) {
          j++;
        }
        differences.add(new Difference(from + shift, i + shift, newFrom + shift, j + shift));
      } else {
        i++;
        j++;
      }
    }
    return differences;
  }
}
