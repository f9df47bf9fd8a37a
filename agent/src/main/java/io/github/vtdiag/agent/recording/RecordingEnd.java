package io.github.vtdiag.agent.recording;

import io.github.vtdiag.pin.ChunkEnd.Why;
import jdk.jfr.Recording;

/**
 * Records with the end of each chunk why it ends. A recording that is stopped looks like one that
 * is written while it goes on: JFR gives no notice. But it requests the last events on the thread
 * that stops the recording, whose stack shows the reason.
 */
final class RecordingEnd {
  /** The class of JFR's shutdown hook. */
  private static final String EXIT_HOOK = "jdk.jfr.internal.ShutdownHook";

  private volatile Why known = Why.GOES_ON;

  /** Sets why the recording is about to end. */
  void is(Why why) {
    known = why;
  }

  /** Called by JFR when a chunk ends. */
  void commit() {
    AgentEvents.End event = new AgentEvents.End();
    event.why = (known == Why.GOES_ON ? ofThisThread() : known).name();
    event.commit();
  }

  private static Why ofThisThread() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .map(RecordingEnd::of)
                    .filter(end -> end != Why.GOES_ON)
                    .findFirst()
                    .orElse(Why.GOES_ON));
  }

  private static Why of(StackWalker.StackFrame frame) {
    String type = frame.getClassName();
    if (type.equals(EXIT_HOOK)) {
      return Why.EXIT;
    }
    boolean stops = frame.getMethodName().equals("stop") || frame.getMethodName().equals("close");
    return stops && type.equals(Recording.class.getName()) ? Why.STOPPED : Why.GOES_ON;
  }
}
