package io.github.vtdiag.hang;

import io.github.vtdiag.model.Frame;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One thread at one moment.
 *
 * @param id the Java thread id
 * @param name its name, empty for most virtual threads
 * @param state its state; empty in the dumps of Java 21 to 24
 * @param mount of a virtual thread, whether it has a carrier
 * @param carrier the id of that carrier; of a carrier that stands still with no virtual thread on
 *     it, its own
 * @param frames its stack, innermost first; dumps and {@code getStackTrace} know no bci, which is
 *     -1 then, and no descriptor, which is empty
 * @param waitsFor what it waits for
 * @param held the monitors and classes it holds, as far as can be seen; other locks are known by
 *     who waits for them ({@link ThreadWait.Park})
 */
public record SeenThread(
    long id,
    String name,
    boolean virtual,
    Optional<Thread.State> state,
    Mount mount,
    OptionalLong carrier,
    List<Frame> frames,
    ThreadWait waitsFor,
    List<HeldLock> held) {

  /** Whether a virtual thread has a carrier. */
  public enum Mount {
    MOUNTED,
    UNMOUNTED,
    /** The dump does not tell, or the thread is none that needs a carrier. */
    NOT_KNOWN
  }

  public SeenThread {
    frames = List.copyOf(frames);
    held = held.stream().filter(lock -> !isLetGo(lock, waitsFor)).toList();
  }

  /**
   * Whether it is the monitor that the thread has let go of to wait for a notification; dumps and
   * snapshots list it among those it owns (JDK-8361926).
   */
  private static boolean isLetGo(HeldLock held, ThreadWait waitsFor) {
    return held.kind() == HeldLock.Kind.MONITOR
        && waitsFor instanceof ThreadWait.ObjectWait wait
        && wait.lock().isSame(held.lock());
  }

  /** The same thread, with what has been found out of it since. */
  public SeenThread with(ThreadWait wait, List<HeldLock> locks) {
    return new SeenThread(id, name, virtual, state, mount, carrier, frames, wait, locks);
  }

  /** Whether it runs, and has not left its carrier since the look before. */
  public boolean stays() {
    return waitsFor instanceof ThreadWait.Nothing nothing && nothing.stays();
  }

  /** Whether it is where it was: same stack, same wait, same carrier; who runs has no place. */
  public boolean stoodStill(SeenThread before) {
    boolean same = id == before.id && mount == before.mount && carrier.equals(before.carrier);
    if (stays()) {
      return same;
    }
    return same
        && state.equals(before.state)
        && waitsFor.equals(before.waitsFor)
        && frames.equals(before.frames);
  }

  /** Whether it is a carrier that waits itself, with no virtual thread on it, and not for work. */
  public boolean isBlockedCarrier() {
    return !virtual && carrier.isPresent() && carrier.getAsLong() == id;
  }

  /** The same thread as a carrier that waits itself. */
  public SeenThread asBlockedCarrier() {
    return new SeenThread(
        id, name, virtual, state, mount, OptionalLong.of(id), frames, waitsFor, held);
  }

  /** Whether it is a virtual thread that could run, had it a carrier. */
  public boolean needsCarrier() {
    return virtual
        && mount == Mount.UNMOUNTED
        && state.filter(Thread.State.RUNNABLE::equals).isPresent();
  }
}
