package io.github.vtdiag.patch;

import java.util.List;

/**
 * A part of a patch of one file: a text that replaces the one between two places. Lines and columns
 * count from 1; the end is the first place that stays. Columns count UTF-16 code units.
 */
public record LineEdit(int startLine, int startColumn, int endLine, int endColumn, String text) {

  /** Returns the edits that turn the old file into the new one, from top to bottom. */
  public static List<LineEdit> of(Patch.Change change) {
    return UnifiedDiff.edits(change);
  }
}
