package io.github.vtdiag.hang;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.waits.Awaited;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One thread at one moment.
 *
 * @param id the Java thread id
 * @param name its name, empty for most virtual threads
 * @param state its state; empty in the dumps of Java 21 to 24
 * @param mount whether a virtual thread has a carrier
 * @param carrier the id of that carrier; for a carrier that waits itself, with no virtual thread,
 *     its own id
 * @param frames its stack, innermost first; in dumps and {@code getStackTrace}, bcis are -1 and
 *     descriptors are empty
 * @param waitsFor what it waits for
 * @param held the monitors and classes that it is seen to hold; other locks are known by the
 *     threads that wait for them ({@link ThreadWait.Park})
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

  /** The states of a virtual thread: mounted on a carrier or not. */
  public enum Mount {
    MOUNTED,
    UNMOUNTED,
    /** The dump does not say, or the thread needs no carrier. */
    NOT_KNOWN
  }

  public SeenThread {
    frames = List.copyOf(frames);
    held = held.stream().filter(lock -> !isLetGo(lock, waitsFor)).toList();
  }

  /**
   * Returns whether it is the monitor that the thread released to wait for a notification. Dumps
   * and snapshots list it as owned (JDK-8361926).
   */
  private static boolean isLetGo(HeldLock held, ThreadWait waitsFor) {
    return held.kind() == HeldLock.Kind.MONITOR
        && waitsFor instanceof ThreadWait.ObjectWait wait
        && wait.lock().isSame(held.lock());
  }

  /** Returns the same thread with what was found out later. */
  public SeenThread with(ThreadWait wait, List<HeldLock> locks) {
    return new SeenThread(id, name, virtual, state, mount, carrier, frames, wait, locks);
  }

  /** Returns whether it runs, and has not unmounted since the previous snapshot. */
  public boolean stays() {
    return waitsFor instanceof ThreadWait.Nothing nothing && nothing.stays();
  }

  /** Returns whether it has not unmounted, and native code was on top of its stack. */
  public boolean staysInNativeCode() {
    return stays()
        && state.filter(Thread.State.RUNNABLE::equals).isPresent()
        && !frames.isEmpty()
        && frames.getFirst().isNative();
  }

  /** Returns whether it has not unmounted, and waited when it was seen. */
  public boolean waitsAgain() {
    return stays() && state.isPresent() && state.get() != Thread.State.RUNNABLE;
  }

  /**
   * Returns whether it has not moved: same stack, same wait, same carrier. A thread that runs, or
   * ran before it waited, only has to be on the same carrier.
   */
  public boolean stoodStill(SeenThread before) {
    boolean same = id == before.id && mount == before.mount && carrier.equals(before.carrier);
    if (stays() || (before.stays() && !(waitsFor instanceof ThreadWait.Nothing))) {
      return same;
    }
    return same
        && state.equals(before.state)
        && waitsFor.equals(before.waitsFor)
        && frames.equals(before.frames);
  }

  /** Returns whether it is a carrier without a virtual thread that waits, but not for work. */
  public boolean isBlockedCarrier() {
    return !virtual && carrier.isPresent() && carrier.getAsLong() == id;
  }

  /** Returns the same thread as a carrier that waits itself. */
  public SeenThread asBlockedCarrier() {
    return new SeenThread(
        id, name, virtual, state, mount, OptionalLong.of(id), frames, waitsFor, held);
  }

  /** Returns whether it keeps its carrier in a native call of a selector, where it is idle. */
  public boolean isInSelector() {
    return mount == Mount.MOUNTED
        && waitsFor instanceof ThreadWait.NativeCode
        && WaitWords.awaited(this).is(Awaited.Trait.SELECTOR);
  }

  /** Returns whether it is parked until the JDK's poller tells that a socket is ready. */
  public boolean readsSocket() {
    return waitsFor instanceof ThreadWait.Park && SocketPolling.polls(this);
  }

  /** Returns whether it waits for the answer to a call that another thread receives. */
  public boolean awaitsCall() {
    return waitsFor instanceof ThreadWait.Park && WaitWords.awaited(this).is(Awaited.Trait.CALL);
  }

  /** Returns whether it is a runnable virtual thread without a carrier. */
  public boolean needsCarrier() {
    return virtual
        && mount == Mount.UNMOUNTED
        && state.filter(Thread.State.RUNNABLE::equals).isPresent();
  }
}
