package io.github.vtdiag.jfr;

import java.util.ArrayList;
import java.util.List;

/**
 * The parts that could not be read; each kind of damage is one sentence, however often it occurred.
 */
public final class Problems {
  private final List<String> sentences = new ArrayList<>();
  private long damagedEvents;
  private long damagedConstants;
  private long missingConstants;
  private long unreadBytes;

  public void add(String sentence) {
    if (!sentences.contains(sentence)) {
      sentences.add(sentence);
    }
  }

  public void damagedEvent() {
    damagedEvents++;
  }

  void damagedConstants() {
    damagedConstants++;
  }

  void missingConstant() {
    missingConstants++;
  }

  void unread(long bytes) {
    unreadBytes += bytes;
  }

  /** Adds the problems of another part. */
  public void addAll(Problems other) {
    other.sentences.forEach(this::add);
    damagedEvents += other.damagedEvents;
    damagedConstants += other.damagedConstants;
    missingConstants += other.missingConstants;
    unreadBytes += other.unreadBytes;
  }

  public List<String> sentences() {
    List<String> all = new ArrayList<>(sentences);
    count(all, "bytes that belong to no chunk and were left out: ", unreadBytes);
    count(all, "damaged events that were left out: ", damagedEvents);
    count(all, "damaged constants, so that names or stacks may be missing: ", damagedConstants);
    count(all, "missing constants, so that names, stacks or threads are: ", missingConstants);
    return all;
  }

  private static void count(List<String> all, String what, long count) {
    if (count > 0) {
      all.add(what + count);
    }
  }
}
