package io.github.vtdiag.watch;

import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.pin.KeptCarrier.Kind;
import java.util.List;

/** What the watch remembers of one carrier from look to look. */
final class CarrierSlot {
  final Thread carrier;

  /** Which count is its: {@link Mounts#index}. */
  final int index;

  /** Whether it is of the JDK's scheduler, whose account the watch keeps. */
  final boolean ofJdk;

  /** How often it had mounted at the last look. */
  long mounts = -1;

  /** What it carried at the last look; null for nothing. */
  Object carries;

  /**
   * Whether a mount may have been counted that was not seen yet: it is counted a moment before the
   * carrier has what it carries, and on a busy machine that moment can be long.
   */
  private boolean ahead;

  /** Whether it carried nothing at the last two looks, and mounted nothing between. */
  boolean idle;

  /** When the thread that it carries came, or was last seen in another wait. */
  long elsewhereNanos;

  /** When it was last seen that the thread had not left. */
  long sameNanos;

  /** When to look at it more closely again, if it still carries the same thread. */
  long examineNanos;

  /** How often in a row the thread was found running. */
  int running;

  /** The processor time of the carrier at the last close look, and when that was. */
  long cpuNanos;

  long cpuAtNanos;

  /** The wait that lasts; null for none. */
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
  @SuppressWarnings("ReferenceEquality") // Whether it is the very same one.
  boolean notes(Object carriesNow, long mountsNow) {
    boolean counted = mountsNow != mounts;
    boolean missed = carriesNow != null && carriesNow != carries && !counted && !ahead;
    ahead = carriesNow == null && (ahead || counted);
    carries = carriesNow;
    mounts = mountsNow;
    return missed;
  }

  /** Whether it is time to tell of a wait of which only its end is uncertain. */
  boolean isDue(long now) {
    return wait != null
        && (wait.look == Look.BLOCKED || wait.look == Look.WAITING)
        && wait.lengthNanos(now) >= wait.tellNanos;
  }

  /** How a thread looks while it waits. */
  enum Look {
    BLOCKED,
    WAITING,
    /** It runs native code, but uses no processor. */
    IN_NATIVE,
    /** It runs, but uses no processor: it waits in the JVM itself. */
    IN_VM
  }

  /** A wait without leaving the carrier. */
  static final class Lasting {
    final Look look;
    final long beganNanos;

    /** Unchanged, it is the same wait: {@link CarrierStates#waitNumber}. */
    final long waits;

    /** The processor time of the carrier when the wait began. */
    final long cpuNanos;

    /** The time in which the watch could not look, so that nothing is known of it. */
    long unseenNanos;

    /** When it was last seen. */
    long seenNanos;

    /** How often it was found to want no processor, or to want one. */
    int asleep;

    int awake;

    /** At which length it is told next. */
    long tellNanos;

    /** Its number; 0 as long as it was not told. */
    long number;

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

    /** How long it has lasted, as far as it was seen. */
    long lengthNanos(long nowNanos) {
      return Math.max(0, nowNanos - beganNanos - unseenNanos);
    }
  }
}
