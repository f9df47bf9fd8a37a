package io.github.vtdiag.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.pin.ActiveRecording;
import io.github.vtdiag.pin.ChunkEnd;
import io.github.vtdiag.pin.ChunkEnd.Why;
import io.github.vtdiag.recording.RecordingFacts.End;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class EndFactsTest {
  private static long seconds(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }

  /** A recording of two chunks, from the tenth second to the thirtieth. */
  private static EndFacts ends(Why first, Why second) {
    EndFacts ends = new EndFacts();
    ends.addChunk(seconds(10), seconds(20));
    ends.add(new ChunkEnd(first, seconds(20) - 5));
    ends.addChunk(seconds(20), seconds(30));
    ends.add(new ChunkEnd(second, seconds(30) - 5));
    return ends;
  }

  private static EndFacts with(EndFacts ends, String name, long startSeconds) {
    ends.add(new ActiveRecording(name, seconds(startSeconds)));
    return ends;
  }

  private static End end(EndFacts ends) {
    return ends.end(true, false, seconds(10));
  }

  @Test
  void onlyTheLastChunkTellsHowARecordingEnds() {
    assertEquals(End.STOPPED, end(ends(Why.GOES_ON, Why.STOPPED)));
    assertEquals(End.DISK_FULL, end(ends(Why.GOES_ON, Why.DISK_FULL)));
    assertEquals(End.WRITTEN, end(ends(Why.STOPPED, Why.GOES_ON)));
    assertEquals(End.WRITTEN, end(ends(Why.STOPPED, Why.EXIT)));
  }

  @Test
  void aLastChunkThatDoesNotSayHowItEndsProvesNothing() {
    EndFacts killed = ends(Why.GOES_ON, Why.STOPPED);
    killed.addChunk(seconds(30), seconds(40));
    assertEquals(End.WRITTEN, end(killed));
    assertEquals(End.UNFINISHED, killed.end(false, false, seconds(10)));
    assertEquals(End.WRITTEN, end(new EndFacts()));
  }

  @Test
  void whoAttachesAndDetachesHasWhatWasWanted() {
    EndFacts stopped = ends(Why.GOES_ON, Why.STOPPED);
    assertEquals(End.WRITTEN, stopped.end(true, true, seconds(10)));
    assertEquals(End.DISK_FULL, ends(Why.GOES_ON, Why.DISK_FULL).end(true, true, seconds(10)));
  }

  @Test
  void aRecordingOfSomebodyElseIsNotTheAgents() {
    EndFacts other = with(with(ends(Why.GOES_ON, Why.STOPPED), "vtdiag", 1), "other", 10);
    assertEquals(End.WRITTEN, end(other));
    assertEquals(0, other.lostNanos(seconds(10)));
  }

  @Test
  void whatTheAgentRecordedFirstIsLost() {
    assertEquals(seconds(9), with(ends(Why.GOES_ON, Why.EXIT), "vtdiag", 1).lostNanos(seconds(10)));
    assertEquals(0, with(ends(Why.GOES_ON, Why.EXIT), "vtdiag", 10).lostNanos(seconds(10)));
    // Somebody wrote down what there was, or the last part of it.
    assertEquals(0, with(ends(Why.EXIT, Why.GOES_ON), "vtdiag", 1).lostNanos(seconds(10)));
    // Another one that began somewhere between is no reason.
    assertEquals(
        seconds(9),
        with(with(ends(Why.GOES_ON, Why.EXIT), "vtdiag", 1), "x", 5).lostNanos(seconds(10)));
  }
}
