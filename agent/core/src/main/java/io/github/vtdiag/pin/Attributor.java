package io.github.vtdiag.pin;

import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.BlockingOperation;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.model.MonitorSample;
import io.github.vtdiag.model.NativeFrame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Attributes a pin to its causes. A pure function of the episode, the lock maps of its classes, and
 * the monitors that the agent sampled.
 */
public final class Attributor {

  /** The source of lock maps. */
  @FunctionalInterface
  public interface LockMapSource {
    /**
     * Returns the lock maps of every class of that name, those of loaded classes first; empty if
     * none is known.
     */
    List<ClassMonitors> find(ClassRef type);
  }

  /** The package of loaders that hold monitors only while they load, make or search for a class. */
  private static final String JDK_LOADERS = "jdk.internal.loader.";

  private final int jdk;
  private final FrameMonitors monitors;
  private final UnaryOperator<StackTrace> sources;

  /**
   * @param jdk the feature number of the JDK that ran, such as 21; 0 if it is unknown
   */
  public Attributor(int jdk, LockMapSource maps) {
    // More lock maps become known while a program runs.
    this(
        jdk, new FrameMonitors(maps, Optional.empty()), stack -> SourceFiles.of(maps).named(stack));
  }

  private Attributor(int jdk, FrameMonitors monitors, UnaryOperator<StackTrace> sources) {
    this.jdk = jdk;
    this.monitors = monitors;
    this.sources = sources;
  }

  /**
   * Creates an attributor for a recording, whose equal frames are one object with a source file.
   * Its lock maps do not change, so each frame's monitors are looked up only once.
   */
  public static Attributor ofRecording(int jdk, LockMapSource maps) {
    return new Attributor(
        jdk,
        new FrameMonitors(maps, Optional.of(new IdentityHashMap<>())),
        UnaryOperator.identity());
  }

  /** Returns whether a pin with this reason can be caused by held monitors on that JDK. */
  public static boolean looksForMonitors(int jdk, Optional<String> reason) {
    // A recording of an unknown JDK with a reason in the event is one of 24 or later.
    return jdk < JavaRelease.UNPINNED_MONITORS && reason.isEmpty();
  }

  /** Returns whether a frame can hold a monitor that its class's bytes show. */
  public static boolean mayLock(Frame frame) {
    return FrameMonitors.mayLock(frame);
  }

  /**
   * Attributes one episode to its causes.
   *
   * @param samples the monitors sampled during this very pin; often none
   */
  public Attribution attribute(PinEpisode recorded, List<MonitorSample> samples) {
    PinEpisode episode = recorded.withStack(sources.apply(recorded.stack()));
    StackTrace stack = episode.stack();
    List<PinCause> causes = new ArrayList<>();
    Set<String> unread = new HashSet<>();
    Optional<String> reason = episode.pinnedReason();
    Optional<String> awaited = reason.flatMap(PinnedReasons::awaitedClass);

    Optional<PinCause> classWait = ClassWaits.cause(episode, monitors);
    switch (episode.kind()) {
      case MONITOR_ENTER -> causes.add(classWait.orElseGet(() -> monitorEntry(episode)));
      case MONITOR_WAIT -> causes.add(classWait.orElseGet(() -> objectWait(episode)));
      case NATIVE -> causes.add(nativeCode(stack));
      case PINNED ->
          awaited.ifPresent(name -> causes.add(new PinCause.AwaitedInitialization(name)));
    }
    boolean entersMonitor = episode.kind() == PinEpisode.Kind.MONITOR_ENTER && classWait.isEmpty();
    if (looksForMonitors(jdk, reason)) {
      new MonitorSearch(monitors, episode.stack(), entersMonitor, samples, unread).addTo(causes);
    } else {
      VmFrames.addTo(causes, stack);
    }
    removeMonitorsOfLoaders(causes);
    if (causes.isEmpty()) {
      lockedByJvm(episode).ifPresent(causes::add);
    }
    if (causes.isEmpty()) {
      causes.add(
          reason
              .<PinCause>map(PinCause.HiddenVmFrame::new)
              .orElseGet(() -> new PinCause.Unexplained(whyUnexplained(stack, unread))));
    }
    BlockingOperation operation =
        causes.getFirst() instanceof PinCause.AwaitedInitialization
            ? new BlockingOperation(BlockingOperation.Kind.CLASS_INITIALIZATION, "")
            : BlockingOperations.of(episode);
    return new Attribution(causes, operation, unread, stack.truncated());
  }

  /**
   * Removes the monitors inside of class loading. They are not taken once the class is loaded, and
   * until then nothing unpins the thread, with or without them. The same goes for monitors of the
   * JDK's loaders around it, such as the one under which a proxy's class is made.
   */
  private static void removeMonitorsOfLoaders(List<PinCause> causes) {
    int loading = causes.size() - 1;
    while (loading >= 0 && !(causes.get(loading) instanceof PinCause.ClassLoading)) {
      loading--;
    }
    if (loading >= 0) {
      causes.subList(0, loading).removeIf(cause -> cause.isMonitor() || definesClass(cause));
      causes.removeIf(
          cause ->
              cause.isMonitor()
                  && cause.type().filter(type -> type.name().startsWith(JDK_LOADERS)).isPresent());
    }
  }

  /** Returns whether it is the JDK's native method that makes a class, and loads others for it. */
  private static boolean definesClass(PinCause cause) {
    return cause instanceof NativeFrame call
        && call.kind() == NativeFrame.Kind.JDK
        && call.frame().type().name().equals("java.lang.ClassLoader")
        && call.frame().method().startsWith("defineClass");
  }

  /**
   * Returns the monitor of a class loader that is not parallel capable, which the JVM itself takes.
   * From JDK 24 on, only such a wait to enter a monitor pins.
   */
  private Optional<PinCause> lockedByJvm(PinEpisode episode) {
    return jdk >= JavaRelease.UNPINNED_MONITORS
            && !episode.stack().isAbsent()
            && episode
                .blockingOperation()
                .filter(BlockingOperations.MONITOR_ENTRY::equals)
                .isPresent()
        ? Optional.of(episode.stack().frames().getFirst())
            .filter(monitors::mayLoadClass)
            .map(frame -> new PinCause.ClassLoading(0, frame))
        : Optional.empty();
  }

  private PinCause monitorEntry(PinEpisode episode) {
    if (episode.stack().isAbsent()) {
      return new PinCause.Unexplained("the monitor event has no stack");
    }
    Frame frame = episode.stack().frames().getFirst();
    return new PinCause.MonitorEntry(
        frame,
        episode.lockClass().orElse(""),
        monitors.entered(frame),
        frame.monitorEnterBci(),
        callerOfWait(episode.stack()).orElse(frame));
  }

  private static PinCause objectWait(PinEpisode episode) {
    return callerOfWait(episode.stack())
        .<PinCause>map(frame -> new PinCause.ObjectWait(frame, episode.lockClass().orElse("")))
        .orElseGet(() -> new PinCause.Unexplained("the monitor event has no stack"));
  }

  /** Returns the innermost frame that is not one of {@code Object.wait}'s own. */
  private static Optional<Frame> callerOfWait(StackTrace stack) {
    return stack.frames().stream()
        .filter(frame -> !frame.type().name().equals("java.lang.Object"))
        .findFirst();
  }

  private static PinCause nativeCode(StackTrace stack) {
    return NativeCalls.innermost(stack.frames())
        .<PinCause>map(call -> call)
        .orElseGet(
            () ->
                new PinCause.Unexplained(
                    stack.isAbsent()
                        ? "the event has no stack"
                        : "blocked in native code that the stack does not show"));
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
}
