package io.github.vtdiag.patch;

import java.util.List;

/**
 * A part of a patch of one file: what stands between two places is replaced by a text. Lines and
 * columns count from 1; the end is the first place that stays. Columns count UTF-16 code units.
 */
public record LineEdit(int startLine, int startColumn, int endLine, int endColumn, String text) {

  /** The edits that make the new file of the old one, from top to bottom. */
  public static List<LineEdit> of(Patch.Change change) {
    return UnifiedDiff.edits(change);
  }
}
