package vtdiag.pin;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import vtdiag.model.Attribution;
import vtdiag.model.ClassMonitors;
import vtdiag.model.ClassMonitors.Evidence;
import vtdiag.model.ClassRef;
import vtdiag.model.Confidence;
import vtdiag.model.Frame;
import vtdiag.model.LockExpression;
import vtdiag.model.LockSite;
import vtdiag.model.MethodMonitors;
import vtdiag.model.MonitorObject;
import vtdiag.model.MonitorRegion;
import vtdiag.model.MonitorSample;
import vtdiag.model.MonitorSample.HolderFrame;
import vtdiag.model.PinCause;
import vtdiag.model.PinEpisode;
import vtdiag.model.StackTrace;

/**
 * Says what kept a blocked virtual thread on its carrier. A pure function of the episode, the lock
 * maps of the classes on its stack, and the monitors the agent sampled.
 */
public final class Attributor {

  /** Where lock maps come from. */
  @FunctionalInterface
  public interface LockMapSource {
    /**
     * The lock maps of every class of that name, those of loaded classes first; empty if none is
     * known.
     */
    List<ClassMonitors> find(ClassRef type);
  }

  /**
   * The monitors that a frame's method holds at its bci, innermost first.
   *
   * @param unread whether there may be more, because no fitting bytes are known
   */
  private record Holds(List<Hold> monitors, boolean unread) {
    static final Holds NOTHING = new Holds(List.of(), false);

    record Hold(MonitorRegion region, Confidence confidence) {}
  }

  private final int jdk;
  private final LockMapSource maps;
  private final Optional<Map<Frame, Holds>> known;

  /**
   * @param jdk the feature number of the JDK that ran, such as 21; 0 if not known
   */
  public Attributor(int jdk, LockMapSource maps) {
    this(jdk, maps, Optional.empty());
  }

  private Attributor(int jdk, LockMapSource maps, Optional<Map<Frame, Holds>> known) {
    this.jdk = jdk;
    this.maps = maps;
    this.known = known;
  }

  /**
   * For a recording, where equal frames are one object and lock maps do not change any more: what a
   * frame holds is looked up once.
   */
  public static Attributor ofRecording(int jdk, LockMapSource maps) {
    return new Attributor(jdk, maps, Optional.of(new IdentityHashMap<>()));
  }

  /** Whether a pin is put down to held monitors: with such a reason, on that JDK. */
  public static boolean looksForMonitors(int jdk, Optional<String> reason) {
    // A recording of an unknown JDK with a reason in the event is one of 24 or later.
    return jdk < Events.UNPINNED_MONITORS && reason.isEmpty();
  }

  /** Whether a frame can hold a monitor that its class's bytes tell of. */
  public static boolean mayLock(Frame frame) {
    return !frame.isNative() && !neverLocks(frame);
  }

  /**
   * Puts one episode down to its causes.
   *
   * @param samples the monitors sampled during this very pin; often none
   */
  public Attribution attribute(PinEpisode episode, List<MonitorSample> samples) {
    StackTrace stack = episode.stack();
    List<PinCause> causes = new ArrayList<>();
    Set<String> unread = new HashSet<>();
    Optional<String> reason = episode.pinnedReason();
    Optional<String> awaited = reason.flatMap(PinnedReasons::awaitedClass);

    switch (episode.kind()) {
      case MONITOR_ENTER -> causes.add(monitorEntry(episode));
      case MONITOR_WAIT -> causes.add(objectWait(episode));
      case PINNED ->
          awaited.ifPresent(name -> causes.add(new PinCause.AwaitedInitialization(name)));
    }
    if (looksForMonitors(jdk, reason)) {
      new MonitorSearch(episode, samples, unread).addTo(causes);
    } else {
      addVmFrames(stack, causes);
    }
    if (causes.isEmpty()) {
      causes.add(
          reason
              .<PinCause>map(PinCause.HiddenVmFrame::new)
              .orElseGet(() -> new PinCause.Unexplained(whyUnexplained(stack, unread))));
    }
    return new Attribution(causes, BlockingOperations.of(episode), unread, stack.truncated());
  }

  private static PinCause monitorEntry(PinEpisode episode) {
    if (episode.stack().isAbsent()) {
      return new PinCause.Unexplained("the monitor event has no stack");
    }
    return new PinCause.MonitorEntry(
        episode.stack().frames().getFirst(), episode.lockClass().orElse(""));
  }

  private static PinCause objectWait(PinEpisode episode) {
    for (Frame frame : episode.stack().frames()) {
      if (!frame.type().name().equals("java.lang.Object")) {
        return new PinCause.ObjectWait(frame, episode.lockClass().orElse(""));
      }
    }
    return new PinCause.Unexplained("the monitor event has no stack");
  }

  private static String whyUnexplained(StackTrace stack, Set<String> unread) {
    if (stack.isAbsent()) {
      return "the event has no stack";
    }
    if (stack.truncated()) {
      return "the stack is cut off before the frame that pins";
    }
    if (!unread.isEmpty()) {
      return "no class bytes for the frames that could hold a monitor";
    }
    return "no frame on the stack holds a monitor or is native";
  }

  /** Adds what pins on every JDK: native frames, and Java that the JVM itself calls. */
  private static void addVmFrames(StackTrace stack, List<PinCause> causes) {
    List<Frame> frames = stack.frames();
    for (int depth = 0; depth < frames.size(); depth++) {
      vmFrame(frames, depth).ifPresent(causes::add);
    }
  }

  private static Optional<PinCause> vmFrame(List<Frame> frames, int depth) {
    Frame frame = frames.get(depth);
    if (frame.isClassInitializer()) {
      return Optional.of(new PinCause.ClassInitializer(depth, frame));
    }
    // The innermost frame is the blocking call itself; Object.wait0 has none above it either.
    if (depth > 0
        && frame.isNative()
        && !frame.type().name().equals("jdk.internal.vm.Continuation")) {
      return Optional.of(new PinCause.NativeFrame(depth, frame));
    }
    if (isLoadClass(frame) && depth + 1 < frames.size()) {
      Frame caller = frames.get(depth + 1);
      // Inside a loader loadClass delegates to loadClass; outside, the JVM is what calls it.
      if (!isLoaderFrame(caller)) {
        return Optional.of(new PinCause.ClassLoading(depth, caller));
      }
    }
    return Optional.empty();
  }

  private static boolean isLoadClass(Frame frame) {
    return frame.method().equals("loadClass")
        && frame.descriptor().equals("(Ljava/lang/String;)Ljava/lang/Class;");
  }

  private static boolean isLoaderFrame(Frame frame) {
    return frame.method().equals("loadClass")
        || frame.method().equals("findClass")
        || frame.type().name().startsWith("java.lang.ClassLoader")
        || frame.type().name().equals("java.lang.Class")
        || frame.type().name().startsWith("jdk.internal.loader.");
  }

  private Holds holds(Frame frame) {
    if (!mayLock(frame)) {
      return Holds.NOTHING;
    }
    List<ClassMonitors> candidates = candidates(frame.type());
    for (ClassMonitors candidate : candidates) {
      Optional<MethodMonitors> method = candidate.method(frame.method(), frame.descriptor());
      boolean loaded = candidate.evidence() == Evidence.LOADED_CLASS;
      if (method.isEmpty() && loaded) {
        // A lock map of the loaded class leaves out the methods that hold nothing.
        return new Holds(synchronizedFlag(frame), false);
      }
      if (method.isPresent() && method.get().fits(frame.bci(), frame.line())) {
        Confidence confidence =
            loaded ? Confidence.LOADED_BYTECODE : Confidence.CLASS_PATH_BYTECODE;
        return new Holds(
            method.get().heldAt(frame.bci()).stream()
                .map(region -> new Holds.Hold(region, confidence))
                .toList(),
            !method.get().exact());
      }
    }
    return guessedByLine(frame, candidates);
  }

  private static Holds guessedByLine(Frame frame, List<ClassMonitors> candidates) {
    List<Holds.Hold> held = new ArrayList<>();
    for (ClassMonitors candidate : candidates) {
      for (MethodMonitors method : candidate.methods()) {
        if (method.name().equals(frame.method())
            && method.descriptor().equals(frame.descriptor())) {
          for (MonitorRegion region : method.regions().reversed()) {
            if (region.kind() == MonitorRegion.Kind.BLOCK && region.coversLine(frame.line())) {
              held.add(new Holds.Hold(region, Confidence.LINE_ONLY));
            }
          }
        }
      }
      if (!held.isEmpty()) {
        break;
      }
    }
    held.addAll(synchronizedFlag(frame));
    return new Holds(held, true);
  }

  private static List<Holds.Hold> synchronizedFlag(Frame frame) {
    if (!frame.isSynchronized()) {
      return List.of();
    }
    boolean isStatic = Modifier.isStatic(frame.modifiers());
    LockExpression lock =
        isStatic
            ? new LockExpression(LockExpression.Kind.CLASS_LITERAL, frame.type().name(), "")
            : LockExpression.THIS;
    MonitorRegion region =
        new MonitorRegion(MonitorRegion.Kind.METHOD, lock, -1, -1, -1, List.of());
    return List.of(new Holds.Hold(region, Confidence.METHOD_FLAG));
  }

  /** The maps of the frame's class; of its own loader if one of them is. */
  private List<ClassMonitors> candidates(ClassRef type) {
    List<ClassMonitors> all = maps.find(type);
    if (all.size() < 2) {
      return all;
    }
    List<ClassMonitors> sameLoader =
        all.stream()
            .filter(map -> map.evidence() == Evidence.LOADED_CLASS)
            .filter(map -> map.type().loader().equals(type.loader()))
            .toList();
    return sameLoader.isEmpty() ? all : sameLoader;
  }

  /**
   * Classes whose bytes nobody gets: lambda proxies and method handle forms, which the JDK spins
   * without locks, and the continuation, which the JVM does not let anyone transform.
   */
  private static boolean neverLocks(Frame frame) {
    String name = frame.type().name();
    return name.contains("$$Lambda")
        || name.startsWith("java.lang.invoke.LambdaForm$")
        || name.equals("jdk.internal.vm.Continuation");
  }

  /** The search for held monitors on one stack of a JDK on which they pin. */
  private final class MonitorSearch {
    private final PinEpisode episode;
    private final List<Frame> frames;
    private final Set<String> unread;
    private final Optional<List<HolderFrame>> sample;

    MonitorSearch(PinEpisode episode, List<MonitorSample> samples, Set<String> unread) {
      this.episode = episode;
      this.frames = episode.stack().frames();
      this.sample =
          samples.stream().map(MonitorSample::frames).filter(this::isOfThisStack).findFirst();
      // Where the JVM named the monitors, bytes only tell what they are called.
      this.unread = sample.isPresent() ? new HashSet<>() : unread;
    }

    void addTo(List<PinCause> causes) {
      int nextSampled = 0;
      for (int depth = 0; depth < frames.size(); depth++) {
        Frame frame = frames.get(depth);
        List<PinCause.HeldMonitor> held = held(depth, frame);
        if (sample.isEmpty()) {
          causes.addAll(held);
        } else if (nextSampled < sample.get().size()
            && isSameFrame(sample.get().get(nextSampled), frame)) {
          causes.addAll(confirmed(depth, frame, held, sample.get().get(nextSampled)));
          nextSampled++;
        }
        // Otherwise the JVM named the monitors of this stack and this frame held none: the
        // compiler removed it (the object does not escape), and what is removed does not pin.
        vmFrame(frames, depth).ifPresent(causes::add);
      }
    }

    /** Whether every sampled frame stands on this stack, in order; else the sample says nothing. */
    private boolean isOfThisStack(List<HolderFrame> sampled) {
      int matched = 0;
      for (Frame frame : frames) {
        if (matched < sampled.size() && isSameFrame(sampled.get(matched), frame)) {
          matched++;
        }
      }
      return matched == sampled.size();
    }

    private static boolean isSameFrame(HolderFrame sampled, Frame frame) {
      return sampled.bci() == frame.bci()
          && sampled.method().equals(frame.method())
          && ClassRef.withoutHiddenSuffix(sampled.className()).equals(frame.type().name());
    }

    private List<PinCause.HeldMonitor> confirmed(
        int depth, Frame frame, List<PinCause.HeldMonitor> held, HolderFrame sampled) {
      if (held.isEmpty()) {
        MonitorRegion region =
            new MonitorRegion(
                frame.isSynchronized() ? MonitorRegion.Kind.METHOD : MonitorRegion.Kind.BLOCK,
                LockExpression.UNKNOWN,
                -1,
                frame.line(),
                frame.line(),
                List.of());
        return List.of(
            monitor(depth, frame, region, Confidence.EXACT_MONITORS, sampled.monitors()));
      }
      List<PinCause.HeldMonitor> result = new ArrayList<>();
      // Objects and regions are both innermost first; where the counts differ (the same object
      // locked twice is one monitor) the objects cannot be told apart and go to every region.
      boolean paired = held.size() == sampled.monitors().size();
      for (int i = 0; i < held.size(); i++) {
        result.add(
            monitor(
                depth,
                frame,
                held.get(i).site().region(),
                Confidence.EXACT_MONITORS,
                paired ? List.of(sampled.monitors().get(i)) : sampled.monitors()));
      }
      return result;
    }

    private List<PinCause.HeldMonitor> held(int depth, Frame frame) {
      if (isEntering(depth, frame)) {
        return List.of();
      }
      Holds holds = lookUp(depth, frame);
      if (holds.unread) {
        unread.add(frame.type().name());
      }
      if (holds.monitors.isEmpty()) {
        return List.of();
      }
      List<PinCause.HeldMonitor> held = new ArrayList<>(holds.monitors.size());
      for (Holds.Hold hold : holds.monitors) {
        held.add(monitor(depth, frame, hold.region, hold.confidence, List.of()));
      }
      return held;
    }

    /**
     * What a frame holds. One that waits at a {@code monitorenter} is looked at there: the
     * interpreter's bci is the next instruction's, where the block is held already.
     */
    private Holds lookUp(int depth, Frame frame) {
      if (depth == 0
          && episode.kind() == PinEpisode.Kind.MONITOR_ENTER
          && frame.bci() != frame.monitorEnterBci()) {
        return holds(
            new Frame(
                frame.type(),
                frame.method(),
                frame.descriptor(),
                frame.modifiers(),
                frame.monitorEnterBci(),
                -1, // that instruction can be on the line before
                frame.kind()));
      }
      if (known.isEmpty()) {
        return holds(frame);
      }
      Holds before = known.get().get(frame);
      if (before != null) {
        return before;
      }
      Holds holds = holds(frame);
      known.get().put(frame, holds);
      return holds;
    }

    /**
     * Whether this frame is a synchronized method that still waits for its own monitor. A frame
     * that waits at a {@code monitorenter} of its body holds the method's monitor already; bci 0
     * cannot be one, because the object must be pushed first.
     */
    private boolean isEntering(int depth, Frame frame) {
      return depth == 0 && episode.kind() == PinEpisode.Kind.MONITOR_ENTER && frame.bci() <= 0;
    }

    private PinCause.HeldMonitor monitor(
        int depth,
        Frame frame,
        MonitorRegion region,
        Confidence confidence,
        List<MonitorObject> objects) {
      LockSite site = new LockSite(frame.type(), frame.method(), frame.descriptor(), region);
      return new PinCause.HeldMonitor(depth, frame, site, confidence, objects);
    }
  }
}
