package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Finding.Wait;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.pin.WaitStack;
import io.github.vtdiag.pin.WaitTally;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.SeenWaits;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownPools;
import io.github.vtdiag.waits.KnownWaits;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Groups the waiting threads in the agent's samples by what they wait for and where. */
public final class Waits {
  /** The most stalled places with hardly a thread that become findings. */
  private static final int MOST_STALLED = 3;

  private final SeenWaits seen;
  private final Function<ClassRef, Owner> owners;
  private final Map<Thread.State, Map<Integer, Place>> places = new EnumMap<>(Thread.State.class);

  /** The thing that a stack waits for, and its place in the application. */
  private record Place(Awaited awaited, Optional<Frame> site) {}

  private record Key(Awaited.Kind kind, String subject, String site) {}

  private Waits(SeenWaits seen, Function<ClassRef, Owner> owners) {
    this.seen = seen;
    this.owners = owners;
  }

  /** Returns whether a recording has enough samples to say what its threads waited for. */
  public static boolean areKnown(RecordingData data) {
    return data.waits().looks().size() >= WaitTally.FEWEST_LOOKS;
  }

  /**
   * Returns the waits of a recording's virtual threads, in the order in which they were seen. Also
   * empty without samples: see {@link #areKnown}.
   */
  static List<Wait> find(DetectorInput in) {
    return find(in.data(), in.owners(), in.pins());
  }

  static List<Wait> find(RecordingData data, Function<ClassRef, Owner> owners, List<Pin> pins) {
    return areKnown(data)
        ? new Waits(data.waits(), owners)
            .find(data.facts().durationNanos(), Stalls.stacks(data), HangStacks.of(data), pins)
        : List.of();
  }

  /** Returns a gap if the waits are unknown. */
  public static Optional<Gap> gap(RecordingData data) {
    if (areKnown(data)) {
      return Optional.empty();
    }
    return Optional.of(
        new Gap(
            Gap.Kind.WAITS_UNSEEN,
            data.facts().source(),
            "what unmounted virtual threads wait for (JFR has no event for it, and "
                + (data.facts().agent().isEmpty()
                    ? "no agent took samples)"
                    : "the agent took too few samples)")));
  }

  /**
   * @param stalled the stacks on which threads were stalled when the recording ended
   * @param hangs the stacks of threads in a hang
   */
  private List<Wait> find(
      long durationNanos, Set<Integer> stalled, HangStacks hangs, List<Pin> pins) {
    Map<Key, Crowd> crowds = new LinkedHashMap<>();
    IdentityHashMap<Place, Crowd> byPlace = new IdentityHashMap<>();
    List<WaitSample> samples = new ArrayList<>();
    for (WaitLook look : seen.looks()) {
      long idleThreads = 0;
      for (WaitCrowd crowd : seen.crowds().getOrDefault(look.number(), List.of())) {
        if (!seen.stacks().containsKey(crowd.stack())) {
          continue;
        }
        Place place = placeOf(crowd);
        if (place.awaited.kind() == Awaited.Kind.IDLE) {
          idleThreads += crowd.threads();
        } else {
          byPlace
              .computeIfAbsent(
                  place, p -> crowds.computeIfAbsent(key(p), key -> new Crowd(p.awaited, p.site)))
              .add(look, crowd, place.awaited, stalled.contains(crowd.stack()), hangs);
        }
      }
      samples.add(new WaitSample(look, idleThreads));
    }
    WaitSamples looks = WaitSamples.of(samples, durationNanos);
    PoolUsers users = new PoolUsers(seen, pins, durationNanos, this::lockOf, this::ofApplication);
    List<Wait> all = findings(crowds.values().stream(), /* few= */ false, looks, users).toList();
    // A stall is a verdict, and a verdict needs an entry that says what to do.
    return all.stream().anyMatch(wait -> WaitText.isStalled(wait.seen()))
        ? all
        : Stream.concat(
                all.stream(),
                findings(
                        crowds.values().stream().filter(Crowd::isStalled),
                        /* few= */ true,
                        looks,
                        users)
                    .limit(MOST_STALLED))
            .toList();
  }

  private Stream<Wait> findings(
      Stream<Crowd> crowds, boolean few, WaitSamples looks, PoolUsers users) {
    return crowds.flatMap(
        crowd ->
            crowd.finding(few, looks, seen.pools(), users, this::owner, this::holder).stream());
  }

  /**
   * Returns the stacks on which virtual threads waited for something, without idle threads. Each
   * has the time of all its threads together; a sample stands for the time to the next one.
   */
  public static Map<StackTrace, Double> stacks(
      RecordingData data, Function<ClassRef, Owner> owners) {
    if (!areKnown(data)) {
      return Map.of();
    }
    // By number, because the hash of a stack is computed from all of its frames.
    Map<Integer, Double> nanos = new LinkedHashMap<>();
    Waits waits = new Waits(data.waits(), owners);
    List<WaitLook> looks = data.waits().looks();
    double each = (double) data.facts().durationNanos() / looks.size();
    for (WaitLook look : looks) {
      for (WaitCrowd crowd : waits.seen.crowds().getOrDefault(look.number(), List.of())) {
        if (waits.seen.stacks().containsKey(crowd.stack())
            && waits.placeOf(crowd).awaited.kind() != Awaited.Kind.IDLE) {
          nanos.merge(crowd.stack(), crowd.threads() * WaitTally.scale(look) * each, Double::sum);
        }
      }
    }
    Map<StackTrace, Double> byStack = new LinkedHashMap<>();
    nanos.forEach(
        (stack, time) -> byStack.merge(waits.seen.stacks().get(stack), time, Double::sum));
    return byStack;
  }

  private static Key key(Place place) {
    return new Key(
        place.awaited.kind(),
        place.awaited.subject(),
        place.site.or(place.awaited::inside).map(Frame::qualifiedMethod).orElse(""));
  }

  /** Returns the method in which threads wait for a lock, as the finding on it names it. */
  private Optional<Frame> lockOf(WaitCrowd crowd) {
    Place place = placeOf(crowd);
    return WaitKind.of(place.awaited.kind())
        .filter(kind -> kind.bottleneck() == Bottleneck.LOCK)
        .flatMap(kind -> place.awaited.inside().or(() -> place.site));
  }

  /** Returns the application's method in which threads wait for something that is known. */
  private Optional<Holder> ofApplication(WaitCrowd crowd) {
    Place place = placeOf(crowd);
    return place
        .site
        .filter(site -> place.awaited.kind() != Awaited.Kind.UNKNOWN)
        .map(site -> new Holder(site, place.awaited));
  }

  private Owner owner(Frame frame) {
    return owners.apply(frame.type());
  }

  /** Returns the holder of what others wait for, and what it does. */
  private Optional<Holder> holder(int stackNumber) {
    StackTrace stack = seen.stacks().get(stackNumber);
    if (stack == null) {
      return Optional.empty();
    }
    // The holder may be running, but its stack is recognized as a wait only if it waits.
    Awaited awaited = KnownWaits.of(stack, Thread.State.WAITING);
    return likelySite(stack).map(frame -> new Holder(frame, awaited));
  }

  private Place placeOf(WaitCrowd crowd) {
    return places
        .computeIfAbsent(crowd.state(), state -> new HashMap<>())
        .computeIfAbsent(
            crowd.stack(), number -> place(seen.stack(number).orElseThrow(), crowd.state()));
  }

  private Place place(WaitStack waiting, Thread.State state) {
    StackTrace stack = waiting.stack();
    Awaited awaited = waiting.awaited(state);
    Optional<Frame> site = likelySite(stack);
    return new Place(
        awaited.kind() == Awaited.Kind.DATA
            ? ofNetwork(stack, awaited, site(stack))
            : ofJdk(stack, awaited, site).orElseGet(() -> ofLibrary(stack, awaited)),
        site);
  }

  /**
   * Decides whether a thread that reads from a socket waits for an answer or for a request. A
   * library that the application calls waits for an answer; one on its own serves, and is idle.
   */
  private Awaited ofNetwork(StackTrace stack, Awaited awaited, Optional<Frame> site) {
    boolean unknown =
        stack.frames().stream()
            .anyMatch(
                frame ->
                    canBeOfApplication(frame.type()) && owner(frame) instanceof Owner.UnknownJar);
    if (site.isEmpty() && unknown) {
      return awaited;
    }
    if (site.isEmpty()) {
      return awaited.as(Awaited.Kind.IDLE, awaited.inside());
    }
    Optional<Frame> caller =
        stack.frames().stream().filter(frame -> canBeOfApplication(frame.type())).findFirst();
    boolean byLibrary = caller.isPresent() && !caller.equals(site);
    return byLibrary
        ? awaited.as(Awaited.Kind.ANSWER, caller)
        : awaited.as(Awaited.Kind.DATA, awaited.inside());
  }

  /**
   * Names the JDK's method that takes a lock or a monitor: that of a PrintStream, say. Empty if the
   * application is unknown, or takes the lock itself.
   */
  private static Optional<Awaited> ofJdk(StackTrace stack, Awaited awaited, Optional<Frame> site) {
    if (site.isEmpty() || awaited.kind() == Awaited.Kind.MONITOR) {
      return site.map(frame -> awaited);
    }
    return awaited
        .inside()
        .filter(lock -> awaited.kind() == Awaited.Kind.LOCK)
        .flatMap(
            lock ->
                from(stack.frames(), lock)
                    .filter(frame -> !isLock(frame.type().name()))
                    .findFirst()
                    .filter(frame -> frame.type().isJdk()))
        .map(frame -> awaited.as(awaited.kind(), Optional.of(frame)));
  }

  private static boolean isLock(String type) {
    return type.startsWith("java.util.concurrent.locks.")
        || type.equals("jdk.internal.misc.InternalLock");
  }

  /**
   * Names the method outside the JDK that waits in it: the JDK's own method would say nothing of
   * the place. What is waited for may be that of a library between it and the application.
   */
  private Awaited ofLibrary(StackTrace stack, Awaited awaited) {
    return awaited.inside().filter(inside -> inside.type().isJdk()).isEmpty()
        ? awaited
        : awaited.as(awaited.kind(), Places.outsideJdk(stack.frames()).or(() -> awaited.inside()));
  }

  /** Returns the nearest frame that is certainly the application's. */
  private Optional<Frame> site(StackTrace stack) {
    return stack.frames().stream()
        .filter(frame -> canBeOfApplication(frame.type()))
        .filter(frame -> owner(frame) instanceof Owner.Application)
        .findFirst();
  }

  /**
   * Returns the same frame or, if the owner of the code is unknown, the one that called the pool or
   * the JDK.
   */
  private Optional<Frame> likelySite(StackTrace stack) {
    return site(stack)
        .or(
            () ->
                KnownPools.askedBy(stack.frames())
                    .map(KnownPools.Asked::asked)
                    .or(() -> stack.frames().stream().findFirst())
                    .stream()
                    .flatMap(from -> from(stack.frames(), from))
                    .filter(frame -> canBeOfApplication(frame.type()))
                    .filter(frame -> owner(frame) instanceof Owner.UnknownJar)
                    .findFirst());
  }

  private static Stream<Frame> from(List<Frame> frames, Frame first) {
    return frames.stream().dropWhile(frame -> !frame.equals(first));
  }

  private static boolean canBeOfApplication(ClassRef type) {
    return type.isWritten();
  }

  /**
   * The samples of a recording.
   *
   * @param meanAlive the average number of threads
   * @param meanBusy the average number of threads that were not idle
   */
  record WaitSamples(List<WaitLook> all, double meanAlive, double meanBusy, long durationNanos) {
    static WaitSamples of(List<WaitSample> samples, long durationNanos) {
      List<WaitLook> all = samples.stream().map(WaitSample::look).toList();
      return new WaitSamples(
          all,
          all.stream().mapToLong(WaitLook::alive).average().orElse(0),
          samples.stream().mapToDouble(WaitSample::busy).average().orElse(0),
          durationNanos);
    }
  }

  /**
   * A sample.
   *
   * @param idle the number of idle threads among those in it
   */
  record WaitSample(WaitLook look, long idle) {
    double busy() {
      return (look.looked() - idle) * WaitTally.scale(look);
    }
  }

  /** The thread that holds what others wait for. */
  record Holder(Frame site, Awaited awaited) {}
}
