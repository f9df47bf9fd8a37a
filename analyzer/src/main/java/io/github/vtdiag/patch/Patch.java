package io.github.vtdiag.patch;

import io.github.vtdiag.safety.Lock;
import java.nio.file.Path;
import java.util.List;

/**
 * The planned change of the sources.
 *
 * @param files the files that change, ordered by path
 * @param moved the locks that are ReentrantLocks afterwards
 * @param fields the fields that hold these, as {@code Type.field} with binary names
 * @param declined the locks that stay monitors
 * @param comments those in what changes that speak of monitors, and annotations that may: they are
 *     left as they are
 */
public record Patch(
    List<Change> files,
    List<Lock> moved,
    List<LockField> fields,
    List<Unpatched> declined,
    List<Comment> comments) {

  /** A file before and after. */
  public record Change(Path path, FileBytes before, FileBytes after) {}

  /** The bytes of a file. */
  @SuppressWarnings("ArrayRecordComponent") // Written and compared as a whole, by its reader.
  public record FileBytes(byte[] bytes) {}

  /** A field that holds a ReentrantLock; names as in the class file, with dots. */
  public record LockField(String owner, String name) {}

  /** Where a comment or annotation may no longer be right; the line is that before the patch. */
  public record Comment(Path path, int line) {}

  /** What stands in the way of a patch; the names are part of the JSON. */
  public enum Obstacle {
    /** The sources are missing, unreadable, or do not match the classes. */
    SOURCES,
    /** The code has a form that is not rewritten. */
    FORM
  }

  /** A lock that stays a monitor, and why: one sentence. */
  public record Unpatched(Lock lock, Obstacle obstacle, String reason) {}

  public Patch {
    files = List.copyOf(files);
    moved = List.copyOf(moved);
    fields = List.copyOf(fields);
    declined = List.copyOf(declined);
    comments = List.copyOf(comments);
  }
}
