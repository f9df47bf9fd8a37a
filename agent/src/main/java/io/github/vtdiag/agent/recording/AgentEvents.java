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
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The events that the agent adds to the recording, because offline analysis cannot know them. */
public final class AgentEvents {
  private AgentEvents() {}

  /** Registers the events that do not come with a task of their own when the recording starts. */
  static void register() {
    FlightRecorder.register(CarrierKept.class);
    FlightRecorder.register(MonitorSample.class);
    FlightRecorder.register(Hang.class);
    FlightRecorder.register(Watch.class);
  }

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

    @Description("True if the agent was attached to a running program")
    boolean attached;

    @Description("True if a virtual thread had started before the recording did")
    boolean late;

    int processors;
    int parallelism;
    int maxPoolSize;
  }

  @Name(Events.END)
  @Label("vtdiag End")
  @Description("The reason for the end of a chunk; in the last one, of the recording")
  @Category("vtdiag")
  @Period("endChunk")
  @StackTrace(false)
  static final class End extends Event {
    String why;
  }

  @Name(Events.LOCK_MAP)
  @Label("vtdiag Lock Map")
  @Description("The places in which a class of a pin holds monitors; each chunk has all of them")
  @Category("vtdiag")
  @Period("endChunk")
  @StackTrace(false)
  static final class LockMap extends Event {
    String className;
    String classLoader;

    @Description("The source file; empty if it is unknown or has the name of the class")
    String sourceFile;

    String location;

    @Description("The hash of the directory of the class's jar; empty if there is no jar")
    String jarHash;

    @Description("The jar's group:artifact:version, as far as the jar has them; else empty")
    String coordinates;

    @Description("The agent that changed the class's bytecode; empty if none is known")
    String changedBy;

    int part;
    int parts;
    String map;
  }

  @Name(Events.WAITING)
  @Label("vtdiag Waiting Threads")
  @Description("The number of queued virtual threads: runnable, without a carrier")
  @Category("vtdiag")
  @Period("1 s")
  @StackTrace(false)
  static final class Waiting extends Event {
    long threads;
  }

  @Name(Events.CARRIER_KEPT)
  @Label("vtdiag Carrier Kept")
  @Description("A virtual thread that waits, in Java or native code, without unmounting")
  @Category("vtdiag")
  @Period("beginChunk")
  @StackTrace(false)
  public static final class CarrierKept extends Event {
    @Description("The number of the wait, the same in all of its events")
    long wait;

    long threadId;
    String threadName;
    long carrierId;
    String carrierName;

    @Timespan
    @Description("The length of the wait so far, without the time without samples")
    long kept;

    @Timespan
    @Description("The time since the wait began")
    long age;

    public boolean ended;
    String waitsFor;
    String lockClass;
    int lockIdentity;

    @Description("The owner of the lock that it waited for, or -1")
    long ownerId;

    String ownerName;
    boolean ownerVirtual;
    String stack;
    boolean truncated;
  }

  @Name(Events.WATCH)
  @Label("vtdiag Watch")
  @Description("The samples of the carriers since the previous event")
  @Category("vtdiag")
  @Period("1 s")
  @StackTrace(false)
  public static final class Watch extends Event {
    @Timespan
    @Description("The length from which a wait is a pin in progress")
    long threshold;

    @Timespan
    @Description("The length from which a wait in native code is recorded")
    long nativeThreshold;

    @Timespan long period;
    int looks;

    @Timespan
    @Description("The longest time between two samples")
    long longestGap;

    int carriers;

    @Description("Carriers with a thread that had waited for the threshold or longer")
    int kept;

    @Description("Carriers without a thread at the last two samples and in between")
    int idle;

    @Description("The number of queued virtual threads: runnable, without a carrier")
    long queued;

    @Description("True if each mount is counted")
    boolean exact;

    @Description("True if the program was about to end: there are no samples after that")
    boolean atExit;

    @Description("Carriers of other schedulers than the JDK's; other fields leave them out")
    int otherCarriers;

    @Description("The other schedulers' carriers with a thread that had waited that long")
    int otherKept;

    @Description("The names of some of the other schedulers' carriers")
    String otherNames;

    @Timespan
    @Description("The time since the previous event, which the following fields are about")
    long span;

    @Timespan
    @Description("The time of all carriers, at least of as many as the parallelism")
    long carrierTime;

    @Timespan
    @Description("The carrier time without a mounted thread")
    long idleTime;

    @Timespan
    @Description("The carrier time of threads that ran Java code")
    long javaTime;

    @Timespan
    @Description("The carrier time of threads in native code")
    long nativeTime;

    @Timespan
    @Description("The carrier time of threads that waited without unmounting")
    long waitingTime;

    @Timespan
    @Description("The carrier time in which carriers were blocked, without a mounted thread")
    long blockedTime;

    @Timespan
    @Description("The carrier time that is unknown, because a sample was too late")
    long unseenTime;

    @Timespan
    @Description("The processor time of the carriers; -1 if the JVM does not have it")
    long processorTime;

    @Description("The number of samples of carriers")
    long carrierLooks;

    @Timespan
    @Description("The time that all virtual threads together were queued")
    long queuedTime;

    @Description("The most virtual threads that were queued at one sample")
    long mostQueued;

    @Timespan
    @Description("The time in which any virtual thread was queued")
    long someQueued;

    @Timespan
    @Description("The time of saturation: threads were queued and no carrier was idle")
    long rushTime;

    @Timespan
    @Description("The carrier time of threads that ran Java code during saturation")
    long rushJava;

    @Timespan
    @Description("The carrier time of threads in native code during saturation")
    long rushNative;

    @Timespan
    @Description("The carrier time of threads that waited during saturation")
    long rushWaiting;

    @Timespan
    @Description("The time of blocked carriers without a thread during saturation")
    long rushBlocked;
  }

  @Name(Events.HANG)
  @Label("vtdiag Hang")
  @Description("Threads that wait for each other, or carriers that no thread gives back")
  @Category("vtdiag")
  @StackTrace(false)
  public static final class Hang extends Event {
    @Description("The number of the hang, the same in all of its events")
    public long hang;

    public String kind;

    @Description("True if the hang cannot end by itself")
    public boolean deadlock;

    public boolean ended;
    public String text;

    @Description("The places in which its threads wait, the same in each run")
    public String places;

    @Description("The objects that its threads hold or wait for, such as java.util.Vector@1b2c3d")
    public String locks;
  }

  @Name(Events.MONITOR_SAMPLE)
  @Label("vtdiag Monitor Sample")
  @Description("The monitors that a pinned virtual thread held, as the JVM reported them")
  @Category("vtdiag")
  @StackTrace(false)
  public static final class MonitorSample extends Event {
    public String frames;
  }

  @Name(WorkDone.EVENT)
  @Label("vtdiag Work")
  @Description("The work that the program did since the previous event of this method")
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
