package io.github.vtdiag.hang;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.model.WrittenFrames;
import io.github.vtdiag.waits.Stall;
import java.util.List;
import java.util.Optional;

/** The places in the code that make up a hang, regardless of the threads there. */
public final class HangPlaces {
  private static final int MOST = 32;

  private HangPlaces() {}

  /**
   * Returns each place once, in an order that does not depend on the threads; none if it is no
   * hang.
   */
  public static List<HangPlace> of(Diagnosis diagnosis) {
    return diagnosis.details().stream()
        .flatMap(DiagnosisDetail::places)
        .filter(place -> !place.method().isEmpty())
        .distinct()
        .sorted()
        .limit(MOST)
        .toList();
  }

  /**
   * Returns the known objects that the threads of a hang hold or wait for, such as {@code
   * com.example.Foo@1b2c3d}.
   */
  public static List<String> objects(Diagnosis diagnosis) {
    return diagnosis.details().stream()
        .flatMap(DiagnosisDetail::locks)
        .flatMap(lock -> lock.object().stream())
        .distinct()
        .limit(MOST)
        .toList();
  }

  static HangPlace of(WaitEdge edge) {
    return of(edge.waiter(), Optional.of(edge.lock()), edge.heldIn());
  }

  /** Leaves out the thread that it waits for: the owner of a lock at that moment is accidental. */
  static HangPlace of(CarriersKept.Kept kept) {
    SeenThread thread = kept.thread();
    Optional<LockRef> lock =
        kept.chain().stream().findFirst().map(WaitEdge::lock).or(() -> thread.waitsFor().object());
    return of(thread, lock, keeper(thread));
  }

  static HangPlace of(Stall stall) {
    Optional<Frame> caller =
        stall.callers().stream()
            .filter(frame -> !frame.type().equals(stall.site().get().type()))
            .findFirst();
    return new HangPlace(stall.method(), method(caller), stall.subject(), "");
  }

  static HangPlace of(SeenThread thread, Optional<LockRef> lock, Optional<Frame> holder) {
    List<Frame> frames = WrittenFrames.outsideJdk(thread.frames()).toList();
    // The place where it computes at that moment is accidental.
    Optional<Frame> at =
        frames.isEmpty()
            ? thread.frames().stream().findFirst()
            : Optional.of(thread.stays() ? frames.getLast() : frames.getFirst());
    Optional<Frame> caller =
        thread.stays()
            ? Optional.empty()
            : frames.stream()
                .filter(frame -> !frame.type().name().equals(frames.getFirst().type().name()))
                .findFirst();
    return new HangPlace(
        method(at), method(caller), lock.map(LockRef::place).orElse(""), method(holder));
  }

  /** Returns the frame that pins the thread, as far as that is seen. */
  private static Optional<Frame> keeper(SeenThread thread) {
    return thread.held().stream()
        .filter(held -> held.kind() == HeldLock.Kind.MONITOR)
        .filter(held -> held.depth() >= 0 && held.depth() < thread.frames().size())
        .findFirst()
        .map(held -> thread.frames().get(held.depth()))
        .or(() -> PinningFrames.of(thread));
  }

  private static String method(Optional<Frame> frame) {
    return frame.map(Frame::qualifiedMethod).orElse("");
  }
}
