package io.github.vtdiag.model;

import java.util.List;

/**
 * The instructions of one method during which one {@code synchronized} holds its monitor.
 *
 * @param kind a synchronized method or a block
 * @param lock what is locked
 * @param enterBci the bci of the {@code monitorenter}, or {@link MonitorId#METHOD}
 * @param firstLine the line of the {@code monitorenter} or the method's first line; -1 if unknown
 * @param lastLine the last line on which it is held; -1 if unknown
 * @param ranges the bcis at which it is held, half-open, ascending and disjoint; empty for a
 *     synchronized method, which holds it at every bci
 */
public record MonitorRegion(
    Kind kind, LockExpression lock, int enterBci, int firstLine, int lastLine, List<Range> ranges) {

  /** The two forms of {@code synchronized}. */
  public enum Kind {
    METHOD,
    BLOCK
  }

  /** Bcis {@code from <= bci < to}. */
  public record Range(int from, int to) {}

  public MonitorRegion {
    ranges = List.copyOf(ranges);
  }

  public boolean holdsAt(int bci) {
    return kind == Kind.METHOD
        || ranges.stream().anyMatch(range -> range.from() <= bci && bci < range.to());
  }

  public boolean coversLine(int line) {
    return firstLine >= 0 && firstLine <= line && line <= lastLine;
  }
}
