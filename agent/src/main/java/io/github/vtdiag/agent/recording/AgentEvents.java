package io.github.vtdiag.agent.recording;

import io.github.vtdiag.account.CarrierSample;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.KeptCarrier;
import io.github.vtdiag.pin.StackText;
import io.github.vtdiag.pin.WorkDone;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The events that the agent adds to the recording, because offline analysis cannot know them. */
public final class AgentEvents {
  private AgentEvents() {}

  @Name(Events.AGENT)
  @Label("vtdiag Agent")
  @Description("The agent that recorded, and the scheduler it found")
  @Category("vtdiag")
  @Period("beginChunk")
  @StackTrace(false)
  static final class Agent extends Event {
    String version;
    String options;
    int stackDepth;

    @Description("Whether the agent came while the program ran")
    boolean attached;

    @Description("Whether a virtual thread had begun before the recording ran")
    boolean late;

    int processors;
    int parallelism;
    int maxPoolSize;
  }

  @Name(Events.END)
  @Label("vtdiag End")
  @Description("Why a chunk ends; in the last one, why the recording does")
  @Category("vtdiag")
  @Period("endChunk")
  @StackTrace(false)
  static final class End extends Event {
    String why;
  }

  @Name(Events.LOCK_MAP)
  @Label("vtdiag Lock Map")
  @Description("Where a class seen in a pin holds monitors; every chunk has all that are known")
  @Category("vtdiag")
  @Period("endChunk")
  @StackTrace(false)
  static final class LockMap extends Event {
    String className;
    String classLoader;

    @Description("The source file; empty if it is named as the class, or not known")
    String sourceFile;

    String location;

    @Description("What the jar was that it was loaded from: a hash of its directory; else empty")
    String jarHash;

    @Description("The jar's group:artifact:version, as far as it tells them; else empty")
    String coordinates;

    @Description("Who changed the bytecode that its loader gives; empty if nobody is known to have")
    String changedBy;

    int part;
    int parts;
    String map;
  }

  @Name(Events.WAITING)
  @Label("vtdiag Waiting Threads")
  @Description("Virtual threads that could run and have no carrier")
  @Category("vtdiag")
  @Period("1 s")
  @StackTrace(false)
  static final class Waiting extends Event {
    long threads;
  }

  @Name(Events.CARRIER_KEPT)
  @Label("vtdiag Carrier Kept")
  @Description("A virtual thread that waits, in Java or native code, and has not left its carrier")
  @Category("vtdiag")
  @StackTrace(false)
  static final class CarrierKept extends Event {
    @Description("Events with the same number tell of the same wait")
    long wait;

    long threadId;
    String threadName;
    long carrierId;
    String carrierName;

    @Timespan
    @Description("How long it had waited, without the time in which the watch could not look")
    long kept;

    @Timespan
    @Description("How long ago it began")
    long age;

    public boolean ended;
    String waitsFor;
    String lockClass;
    int lockIdentity;

    @Description("The thread that owned what it waited for, or -1")
    long ownerId;

    String ownerName;
    boolean ownerVirtual;
    String stack;
    boolean truncated;
  }

  @Name(Events.WATCH)
  @Label("vtdiag Watch")
  @Description("What the watch over the carriers saw")
  @Category("vtdiag")
  @Period("1 s")
  @StackTrace(false)
  public static final class Watch extends Event {
    @Timespan
    @Description("A wait of this length is a pin in progress")
    long threshold;

    @Timespan
    @Description("A wait of this length in native code is recorded")
    long nativeThreshold;

    @Timespan long period;
    int looks;

    @Timespan
    @Description("The longest time between two looks")
    long longestGap;

    int carriers;

    @Description("Carriers that were kept by a thread which waited for the threshold or longer")
    int kept;

    @Description("Carriers that carried nothing at the last two looks and mounted nothing between")
    int idle;

    @Description("Virtual threads that could run and had no carrier")
    long queued;

    @Description("Whether each mount is counted")
    boolean exact;

    @Description("Whether the program was about to end: the watch saw nothing after that")
    boolean atExit;

    @Description("Carriers of other schedulers than the JDK's; the rest leaves them out")
    int otherCarriers;

    @Description("Those of them that were kept by a thread for the threshold or longer")
    int otherKept;

    @Description("What some of them are called")
    String otherNames;

    @Timespan
    @Description("The time that the rest is about: since the event before")
    long span;

    @Timespan
    @Description("That time of all carriers, and at least of those that the scheduler aims at")
    long carrierTime;

    @Timespan
    @Description("The part of it in which carriers carried nothing")
    long idleTime;

    @Timespan
    @Description("The part of it in which threads ran on them, and not in native code")
    long javaTime;

    @Timespan
    @Description("The part of it in which threads were in native code on them")
    long nativeTime;

    @Timespan
    @Description("The part of it in which threads waited on them")
    long waitingTime;

    @Timespan
    @Description("The part of it in which carriers waited themselves, with no thread on them")
    long blockedTime;

    @Timespan
    @Description("The part of it of which nothing is known, because a look came too late")
    long unseenTime;

    @Timespan
    @Description("What the carriers had of the processors; -1 if this JVM does not tell")
    long processorTime;

    @Description("At how many carriers the watch looked")
    long carrierLooks;

    @Timespan
    @Description("How long virtual threads waited for a carrier, all together")
    long queuedTime;

    @Description("The most virtual threads that waited for a carrier at one look")
    long mostQueued;

    @Timespan
    @Description("How long any waited")
    long someQueued;

    @Timespan
    @Description("How long any waited while no carrier was idle")
    long rushTime;

    @Timespan
    @Description("The time of carriers in that whose threads ran, and not in native code")
    long rushJava;

    @Timespan
    @Description("The time of carriers in that whose threads were in native code")
    long rushNative;

    @Timespan
    @Description("The time of carriers in that whose threads waited")
    long rushWaiting;

    @Timespan
    @Description("The time of carriers in that which waited themselves")
    long rushBlocked;
  }

  @Name(Events.HANG)
  @Label("vtdiag Hang")
  @Description("Threads that wait for each other, or carriers that nobody gives back")
  @Category("vtdiag")
  @StackTrace(false)
  public static final class Hang extends Event {
    @Description("Events with the same number tell of the same hang")
    public long hang;

    public String kind;

    @Description("Whether it cannot end by itself")
    public boolean deadlock;

    public boolean ended;
    public String text;

    @Description("Where its threads stand, without what changes from run to run")
    public String places;
  }

  @Name(Events.MONITOR_SAMPLE)
  @Label("vtdiag Monitor Sample")
  @Description("The monitors that a pinned virtual thread really held")
  @Category("vtdiag")
  @StackTrace(false)
  public static final class MonitorSample extends Event {
    public String frames;
  }

  @Name(WorkDone.EVENT)
  @Label("vtdiag Work")
  @Description("What the program got done since the event before that says the same")
  @Category("vtdiag")
  @Period("1 s")
  @StackTrace(false)
  static final class Work extends Event {
    @Description("The method that returned; empty for threads that were created")
    String method;

    long count;
  }

  /** Commits what the watch saw of a wait. */
  public static void commit(KeptCarrier kept) {
    CarrierKept event = new CarrierKept();
    event.wait = kept.number();
    event.threadId = kept.thread().id();
    event.threadName = kept.thread().name();
    event.carrierId = kept.carrier().id();
    event.carrierName = kept.carrier().name();
    event.kept = kept.nanos();
    event.age = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - kept.startNanos();
    event.ended = kept.ended();
    event.waitsFor = kept.kind().name();
    event.lockClass = kept.lockClass();
    event.lockIdentity = kept.lockIdentity();
    event.ownerId = kept.owner().id();
    event.ownerName = kept.owner().name();
    event.ownerVirtual = kept.owner().virtual();
    event.stack = StackText.write(kept.stack().frames());
    event.truncated = kept.stack().truncated();
    event.commit();
  }

  /** Commits what the watch saw since the last call. */
  public static void commit(Events.WatchLook seen) {
    Watch event = new Watch();
    event.threshold = seen.thresholdNanos();
    event.nativeThreshold = seen.nativeNanos();
    event.period = seen.periodNanos();
    event.looks = (int) seen.looks();
    event.longestGap = seen.longestGapNanos();
    event.carriers = seen.carriers();
    event.kept = seen.kept();
    event.idle = seen.idle();
    event.queued = seen.queued();
    event.exact = seen.exact();
    event.atExit = seen.atExit();
    event.otherCarriers = seen.others().count();
    event.otherKept = seen.others().kept();
    event.otherNames = seen.others().names();
    CarrierSample looked = seen.looked();
    event.span = looked.spanNanos();
    event.carrierTime = looked.capacity();
    event.idleTime = looked.idle();
    event.javaTime = looked.java();
    event.nativeTime = looked.inNative();
    event.waitingTime = looked.waiting();
    event.blockedTime = looked.blocked();
    event.unseenTime = looked.unseen();
    event.processorTime = looked.processor();
    event.carrierLooks = looked.looks();
    event.queuedTime = looked.queued();
    event.mostQueued = looked.mostQueued();
    event.someQueued = looked.someQueued();
    event.rushTime = looked.rush().nanos();
    event.rushJava = looked.rush().java();
    event.rushNative = looked.rush().inNative();
    event.rushWaiting = looked.rush().waiting();
    event.rushBlocked = looked.rush().blocked();
    event.commit();
  }
}
