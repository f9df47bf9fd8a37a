package io.github.vtdiag.dump;

import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.SeenThread.Mount;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.WrittenFrames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds virtual threads in native code that may wait there by polling: they use a little of a
 * processor, like a thread that runs now and then.
 */
final class Polling {
  private Polling() {}

  /**
   * Returns the reason why the answer is not that all is well. Empty if there is none, or other
   * virtual threads moved.
   *
   * @param computing the platform threads that used too much of a processor to be waiting
   */
  static Optional<String> limit(
      List<SeenThread> before, List<SeenThread> after, Set<Long> computing) {
    Map<Long, SeenThread> earlier = new HashMap<>();
    before.forEach(thread -> earlier.put(thread.id(), thread));
    List<SeenThread> polling = new ArrayList<>();
    for (SeenThread thread : after) {
      SeenThread same = earlier.get(thread.id());
      if (!thread.virtual()) {
        continue;
      }
      if (same == null || !thread.stoodStill(same)) {
        return Optional.empty();
      }
      if (thread.mount() == Mount.MOUNTED
          && !thread.frames().isEmpty()
          && thread.frames().getFirst().isNative()
          && !isWait(thread)) {
        if (computing.contains(thread.carrier().orElse(-1))) {
          return Optional.empty();
        }
        polling.add(thread);
      }
    }
    return polling.isEmpty() ? Optional.empty() : Optional.of(sentence(polling));
  }

  /** Returns whether the JDK waits in the innermost frame: then it is known what for. */
  private static boolean isWait(SeenThread thread) {
    Frame frame = thread.frames().getFirst();
    return frame.is("jdk.internal.misc.Unsafe", "park")
        || frame.is("java.lang.Object", "wait0")
        || thread.isInSelector();
  }

  private static String sentence(List<SeenThread> polling) {
    boolean one = polling.size() == 1;
    return Figures.count(polling.size(), "virtual thread")
        + (one ? " is in native code on its carrier" : " are in native code on their carriers")
        + site(polling.getFirst()).map(frame -> (one ? ", in " : ", one in ") + frame).orElse("")
        + (one ? ", and uses" : ", and use")
        + " next to no processor time: what is waited for there cannot be seen.";
  }

  private static Optional<Frame> site(SeenThread thread) {
    return WrittenFrames.outsideJdk(thread.frames()).findFirst();
  }
}
