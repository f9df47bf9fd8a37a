package io.github.vtdiag.recording;

import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.ChunkData.DecodedStack;

/** Adds events to a table as a chunk that was read does. */
public record EventRows(EventTable table) {
  /**
   * Adds an event that has a row.
   *
   * @param number the number that the event carries
   */
  public void add(
      ThreadEvent event, StackTrace stack, String text, long start, ThreadRef thread, long number) {
    int look = table.look(event, DecodedStack.of(stack), text);
    table.count(look, 1, number);
    table.addRow(start, 0, table.thread(thread), look, number);
  }
}
