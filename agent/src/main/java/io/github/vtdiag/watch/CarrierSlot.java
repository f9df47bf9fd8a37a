package io.github.vtdiag.watch;

import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.pin.KeptCarrier.Kind;
import java.util.List;

/** The state of one carrier that the watch keeps from sample to sample. */
final class CarrierSlot {
  final Thread carrier;

  /** The index of its count of mounts: {@link Mounts#index}. */
  final int index;

  /** True for a carrier of the JDK's scheduler, for which the watch keeps an account. */
  final boolean ofJdk;

  /** The number of its mounts at the last sample. */
  long mounts = -1;

  /** The continuation on it at the last sample; null for none. */
  Object carries;

  /**
   * True if a mount may have been counted that was not seen yet. It is counted a moment before the
   * carrier has its continuation, and on a busy machine that moment can be long.
   */
  private boolean ahead;

  /** True if it had no thread mounted at the last two samples, and mounted none in between. */
  boolean idle;

  /** The time when its thread was mounted, or was last seen in another wait. */
  long elsewhereNanos;

  /** True if {@link #elsewhereNanos} is when it was mounted. */
  boolean sinceMount;

  /** The last time at which its thread was seen not to have unmounted. */
  long sameNanos;

  /** The time of the next close look, if the same thread is still mounted then. */
  long examineNanos;

  /** The number of times in a row that the thread was found running. */
  int running;

  /**
   * The processor time of the carrier at the last close look; {@link #cpuAtNanos} is when that was.
   */
  long cpuNanos;

  long cpuAtNanos;

  /** The current wait; null for none. */
  Lasting wait;

  CarrierSlot(Thread carrier) {
    this.carrier = carrier;
    this.index = Mounts.index(carrier);
    this.ofJdk = Carriers.isOfJdk(carrier);
  }

  /**
   * Notes what it carries now.
   *
   * @return whether it was mounted without being counted
   */
  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  boolean notes(Object carriesNow, long mountsNow) {
    boolean counted = mountsNow != mounts;
    boolean missed = carriesNow != null && carriesNow != carries && !counted && !ahead;
    ahead = carriesNow == null && (ahead || counted);
    carries = carriesNow;
    mounts = mountsNow;
    return missed;
  }

  /** Returns whether a wait is due to be reported of which only the end is uncertain. */
  boolean isDue(long now) {
    return wait != null
        && (wait.look == Look.BLOCKED || wait.look == Look.WAITING)
        && wait.lengthNanos(now) >= wait.tellNanos;
  }

  /** The state in which a thread waits. */
  enum Look {
    BLOCKED,
    WAITING,
    /** It runs native code, but uses no processor time. */
    IN_NATIVE,
    /** It runs, but uses no processor time: it waits in the JVM itself. */
    IN_VM
  }

  /** A wait without unmounting. */
  static final class Lasting {
    final Look look;
    final long beganNanos;

    /**
     * The number that is the same as long as it is the same wait: {@link CarrierStates#waitNumber}.
     */
    final long waits;

    /** The processor time of the carrier when the wait began. */
    final long cpuNanos;

    /** The time without samples, about which nothing is known. */
    long unseenNanos;

    /** The time when it was last seen. */
    long seenNanos;

    /** The number of times it was found to want no processor; {@link #awake} counts the others. */
    int asleep;

    int awake;

    /** The length at which it is reported next. */
    long tellNanos;

    /** Its number; 0 as long as it was not reported. */
    long number;

    /** True for an event loop that waits for work: {@link EventLoops}. Nothing of it is told. */
    boolean idleLoop;

    /** True for a read of a file, which has ended when its carrier has run. */
    boolean ofFile;

    /** The number of times that its carrier had run when it was found to read. */
    long runs;

    /** The processor time of its carrier when it was found to be idle. */
    long idleCpuNanos;

    Thread thread;
    Kind kind;
    Blocker blocker = Blocker.NOTHING;
    List<StackTraceElement> elements = List.of();

    Lasting(Look look, long beganNanos, long nowNanos, long waits, long cpuNanos) {
      this.look = look;
      this.beganNanos = beganNanos;
      this.seenNanos = nowNanos;
      this.waits = waits;
      this.cpuNanos = cpuNanos;
    }

    /**
     * Returns whether a loop that was idle has run since, and may wait for something else now: to
     * call a channel takes processor time, and to wait takes none at all.
     */
    boolean isLoopAwake(long carrierCpuNanos) {
      return idleLoop && carrierCpuNanos != idleCpuNanos;
    }

    /** Returns how long it has lasted, without the time that was not seen. */
    long lengthNanos(long nowNanos) {
      return Math.max(0, nowNanos - beganNanos - unseenNanos);
    }
  }
}
