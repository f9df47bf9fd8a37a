package io.github.vtdiag.patch;

import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.source.Obstacle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The planned change of the sources.
 *
 * @param files the files that change, ordered by path
 * @param moved the locks that are ReentrantLocks afterwards
 * @param fields the fields that hold these, as {@code Type.field} with binary names
 * @param declined the locks that stay monitors
 * @param places the files that change for each moved lock
 * @param comments comments in changed code that speak of monitors, and annotations that may: they
 *     are left as they are
 */
public record Patch(
    List<Change> files,
    List<Lock> moved,
    List<LockField> fields,
    List<Unpatched> declined,
    Map<Lock, Set<Path>> places,
    List<Comment> comments) {

  /** A file before and after. */
  public record Change(Path path, FileBytes before, FileBytes after) {}

  /** The bytes of a file. */
  @SuppressWarnings("ArrayRecordComponent") // Written and compared as a whole, by its reader.
  public record FileBytes(byte[] bytes) {}

  /** A field that holds a ReentrantLock; names as in the class file, with dots. */
  public record LockField(String owner, String name) {}

  /**
   * The place of a comment or annotation that may be outdated; the line is that before the patch.
   */
  public record Comment(Path path, int line) {}

  /** A lock that stays a monitor, with the reason in one sentence. */
  public record Unpatched(Lock lock, Obstacle obstacle, String reason) {}

  /** Returns the same patch with more locks that stay. */
  Patch without(List<Unpatched> more) {
    List<Unpatched> all = new ArrayList<>(declined);
    all.addAll(more);
    return new Patch(files, moved, fields, all, places, comments);
  }

  public Patch {
    files = List.copyOf(files);
    moved = List.copyOf(moved);
    fields = List.copyOf(fields);
    declined = List.copyOf(declined);
    places = Map.copyOf(places);
    comments = List.copyOf(comments);
  }
}
