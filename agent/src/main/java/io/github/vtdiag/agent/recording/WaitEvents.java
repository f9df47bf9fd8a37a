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
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The events about threads that wait without a carrier. */
final class WaitEvents {
  private WaitEvents() {}

  @Name(Events.WAIT_LOOK)
  @Label("vtdiag Wait Look")
  @Description("A look at what the virtual threads wait for that have left their carriers")
  @Category("vtdiag")
  @StackTrace(false)
  static final class WaitLooked extends Event {
    long look;

    @Description("Virtual threads")
    long alive;

    @Description("Those of them that were looked at closely, chosen by lot")
    int looked;

    @Description("Those of these that waited without a carrier")
    int waiting;

    @Description("Whether it is known how long those wait that do: mounts are noted")
    boolean followed;
  }

  @Name(Events.WAIT_CROWD)
  @Label("vtdiag Wait Crowd")
  @Description("Of the threads that a look saw, those that waited at one place")
  @Category("vtdiag")
  @StackTrace(false)
  static final class WaitCrowded extends Event {
    long look;
    int stack;
    String state;
    String lockClass;

    @Description("Of what they are parked for, if that is one object, else 0")
    int lockIdentity;

    @Description("How many objects they are parked for")
    int locks;

    int threads;

    @Description("The stack of one thread that has what they wait for, or 0")
    int ownerStack;

    @Description("Of one semaphore, one more than the permits that nobody had, else 0")
    int free;
  }

  @Name(LongWaitFields.EVENT)
  @Label("vtdiag Long Wait")
  @Description("Virtual threads at one place that have not run for long")
  @Category("vtdiag")
  @StackTrace(false)
  static final class LongWaited extends Event {
    long look;
    int stack;
    String state;
    String lockClass;

    @Description("Of what they are parked for, if that is one object, else 0")
    int lockIdentity;

    int threads;

    @Description("Those of them that had waited at the same place before, and had gone on")
    int returned;

    @Timespan
    @Description("How long the one has waited that has waited longest")
    long longest;

    @Description("Whether waits time out again and again, and for how long nobody was woken")
    boolean repeated;

    @Description("Who woke those that had waited for the same thing before")
    String wakers;

    @Description("What they wait for, where the stack alone does not say it")
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
  }

  @Name(SeenPool.EVENT)
  @Label("vtdiag Wait Pool")
  @Description("What a pool that threads waited for said of itself at a look")
  @Category("vtdiag")
  @StackTrace(false)
  static final class WaitPooled extends Event {
    long look;
    String pool;
    String name;

    @Description("How many objects it may have")
    long bound;

    @Description("How many of them were lent out")
    long inUse;

    @Description("Threads that waited for one, or -1")
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
    for (LongWait wait : longWaits) {
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
      waited.detail = wait.detail();
      waited.commit();
    }
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

  static void commit(WaitStack stack) {
    WaitStacked event = new WaitStacked();
    event.number = stack.number();
    event.frames = StackText.write(stack.stack().frames());
    event.truncated = stack.stack().truncated();
    event.commit();
  }
}
