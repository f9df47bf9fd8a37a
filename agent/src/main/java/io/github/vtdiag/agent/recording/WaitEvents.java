package io.github.vtdiag.agent.recording;

import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.LongWaitFields;
import io.github.vtdiag.pin.SeenPool;
import io.github.vtdiag.pin.StackText;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.pin.WaitStack;
import io.github.vtdiag.waits.LongWait;
import java.util.List;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The events about threads that wait without a carrier. */
final class WaitEvents {
  private WaitEvents() {}

  /** Registers all of them. */
  static void register() {
    FlightRecorder.register(WaitLooked.class);
    FlightRecorder.register(WaitCrowded.class);
    FlightRecorder.register(LongWaited.class);
    FlightRecorder.register(WaitStacked.class);
    FlightRecorder.register(WaitPooled.class);
  }

  @Name(Events.WAIT_LOOK)
  @Label("vtdiag Wait Look")
  @Description("A sample of what unmounted virtual threads wait for")
  @Category("vtdiag")
  @StackTrace(false)
  static final class WaitLooked extends Event {
    long look;

    @Description("The number of virtual threads")
    long alive;

    @Description("The number of threads in the sample, chosen at random")
    int looked;

    @Description("The threads in the sample that waited without a carrier")
    int waiting;

    @Description("True if the lengths of waits are known, because mounts are recorded")
    boolean followed;

    @Description("True if a new virtual thread has run in the last seconds, which may have ended")
    boolean came;
  }

  @Name(Events.WAIT_CROWD)
  @Label("vtdiag Wait Crowd")
  @Description("The threads of a sample that waited at one place")
  @Category("vtdiag")
  @StackTrace(false)
  static final class WaitCrowded extends Event {
    long look;
    int stack;
    String state;
    String lockClass;

    @Description("The identity hash of the object that they are parked for, if it is one; else 0")
    int lockIdentity;

    @Description("The number of objects that they are parked for")
    int locks;

    int threads;

    @Description("The stack of a thread that holds what they wait for, or 0")
    int ownerStack;

    @Description("The free permits of a semaphore plus 1; 0 if it is no single semaphore")
    int free;
  }

  @Name(LongWaitFields.EVENT)
  @Label("vtdiag Long Wait")
  @Description("Virtual threads that have waited long at one place")
  @Category("vtdiag")
  @StackTrace(false)
  static final class LongWaited extends Event {
    long look;
    int stack;
    String state;
    String lockClass;

    @Description("The identity hash of the object that they are parked for, if it is one; else 0")
    int lockIdentity;

    int threads;

    @Description("The threads that had waited at the same place before and had gone on")
    int returned;

    @Timespan
    @Description("The longest wait")
    long longest;

    @Description(
        "True if waits time out again and again; then longest is the time without a wake-up")
    boolean repeated;

    @Description("The threads that woke those which had waited for the same thing before")
    String wakers;

    @Description("What they wait for, if the stack alone does not show it")
    String detail;
  }

  @Name(Events.WAIT_STACK)
  @Label("vtdiag Wait Stack")
  @Description("A stack by its number; every chunk has all that are known")
  @Category("vtdiag")
  @Period("endChunk")
  @StackTrace(false)
  static final class WaitStacked extends Event {
    int number;
    String frames;
    boolean truncated;

    @Description("True if the code puts back what it takes from this queue, which is a pool then")
    boolean lent;
  }

  @Name(SeenPool.EVENT)
  @Label("vtdiag Wait Pool")
  @Description("The state of a pool that threads waited for, at a sample")
  @Category("vtdiag")
  @StackTrace(false)
  static final class WaitPooled extends Event {
    long look;
    String pool;
    String name;

    @Description("The most objects that the pool may have")
    long bound;

    @Description("The number of objects in use")
    long inUse;

    @Description("The number of threads that waited for an object, or -1")
    long waiting;
  }

  /** Commits a sample of waiting threads. */
  static void commit(
      WaitLook look, List<WaitCrowd> crowds, List<LongWait> longWaits, List<SeenPool> pools) {
    WaitLooked event = new WaitLooked();
    event.look = look.number();
    event.alive = look.alive();
    event.looked = look.looked();
    event.waiting = look.waiting();
    event.followed = look.followed();
    event.came = look.came();
    event.commit();
    for (WaitCrowd crowd : crowds) {
      WaitCrowded crowded = new WaitCrowded();
      crowded.look = crowd.look();
      crowded.stack = crowd.stack();
      crowded.state = crowd.state().name();
      crowded.lockClass = crowd.lockClass();
      crowded.lockIdentity = crowd.lockIdentity();
      crowded.locks = crowd.locks();
      crowded.threads = crowd.threads();
      crowded.ownerStack = crowd.ownerStack();
      crowded.free = crowd.free();
      crowded.commit();
    }
    longWaits.forEach(WaitEvents::commit);
    for (SeenPool pool : pools) {
      WaitPooled pooled = new WaitPooled();
      pooled.look = pool.look();
      pooled.pool = pool.pool();
      pooled.name = pool.name();
      pooled.bound = pool.bound();
      pooled.inUse = pool.inUse();
      pooled.waiting = pool.waiting();
      pooled.commit();
    }
  }

  static void commit(LongWait wait) {
    LongWaited waited = new LongWaited();
    waited.look = wait.look();
    waited.stack = wait.stack();
    waited.state = wait.state().name();
    waited.lockClass = wait.lockClass();
    waited.lockIdentity = wait.lockIdentity();
    waited.threads = wait.threads();
    waited.returned = wait.returned();
    waited.longest = wait.longestNanos();
    waited.repeated = wait.repeated();
    waited.wakers = wait.wakers().name();
    waited.detail = wait.detail().clause();
    waited.commit();
  }

  static void commit(WaitStack stack) {
    WaitStacked event = new WaitStacked();
    event.number = stack.number();
    event.frames = StackText.write(stack.stack().frames());
    event.truncated = stack.stack().truncated();
    event.lent = stack.lent();
    event.commit();
  }
}
