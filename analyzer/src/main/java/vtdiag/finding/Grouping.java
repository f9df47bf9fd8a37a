package vtdiag.finding;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import vtdiag.finding.Finding.AlsoHeld;
import vtdiag.finding.Finding.Caller;
import vtdiag.finding.Finding.OperationCount;
import vtdiag.finding.Findings.Capacity;
import vtdiag.finding.Findings.Since24;
import vtdiag.model.Attribution;
import vtdiag.model.BlockingOperation;
import vtdiag.model.ClassRef;
import vtdiag.model.Confidence;
import vtdiag.model.Frame;
import vtdiag.model.MonitorObject;
import vtdiag.model.MonitorSample;
import vtdiag.model.PinCause;
import vtdiag.model.PinEpisode;
import vtdiag.model.StackTrace;
import vtdiag.recording.Owner;
import vtdiag.recording.RecordingFacts;

/** Groups pins by their primary cause and adds up what they cost. */
public final class Grouping {

  /** A virtual thread: its id is unique in one JVM only. */
  private record ThreadKey(int recording, long id) {}

  /** What an attribution depends on besides the stack. */
  private record Circumstances(
      PinEpisode.Kind kind,
      Optional<String> reason,
      Optional<String> operation,
      Optional<String> lockClass) {
    static Circumstances of(PinEpisode episode) {
      return new Circumstances(
          episode.kind(), episode.pinnedReason(), episode.blockingOperation(), episode.lockClass());
    }
  }

  /** An attribution with the sites of its causes, made once for all pins that look the same. */
  private record Explained(Attribution attribution, List<Site> sites) {
    static Explained of(Attribution attribution, StackTrace stack) {
      return new Explained(
          attribution, attribution.causes().stream().map(cause -> Site.of(cause, stack)).toList());
    }
  }

  private final Map<Site, Group> groups = new LinkedHashMap<>();
  private final LongStream.Builder durations = LongStream.builder();
  private final Set<ThreadKey> threads = new HashSet<>();
  private final Set<String> unreadClasses = new TreeSet<>();
  private long withoutStack;
  private long truncated;
  private int cutDepth;
  private long goneNanos;
  private long staysNanos;
  private long unknownNanos;

  private Grouping() {}

  /**
   * Groups the pins of all recordings.
   *
   * @param recordings the recordings, each with what attributes its pins
   */
  public static Findings of(List<Recorded> recordings) {
    Grouping grouping = new Grouping();
    for (int i = 0; i < recordings.size(); i++) {
      grouping.add(i, recordings.get(i));
    }
    return grouping.findings(recordings.stream().map(r -> r.data().facts()).toList());
  }

  private void add(int index, Recorded recorded) {
    boolean monitorsPin = Coverage.monitorsPin(recorded.data().facts());
    SampleIndex samples = new SampleIndex(recorded.data());
    // By identity: equal stacks are one object, and comparing a hundred frames a million times is
    // what would take the time.
    IdentityHashMap<StackTrace, Map<Circumstances, Explained>> known = new IdentityHashMap<>();
    for (PinEpisode episode : recorded.data().episodes()) {
      List<MonitorSample> sampled = samples.take(episode);
      Explained explained;
      if (sampled.isEmpty()) {
        explained =
            known
                .computeIfAbsent(episode.stack(), stack -> new HashMap<>())
                .computeIfAbsent(
                    Circumstances.of(episode), c -> explain(recorded, episode, List.of()));
      } else {
        explained = explain(recorded, episode, sampled);
      }
      ThreadKey thread = new ThreadKey(index, episode.thread().id());
      groups
          .computeIfAbsent(explained.sites().getFirst(), site -> new Group(recorded, site))
          .add(episode, thread, explained);
      durations.add(episode.durationNanos());
      threads.add(thread);
      countGaps(episode, explained.attribution());
      if (monitorsPin) {
        countSince24(episode.durationNanos(), explained);
      }
    }
  }

  private static Explained explain(
      Recorded recorded, PinEpisode episode, List<MonitorSample> samples) {
    return Explained.of(recorded.attributor().attribute(episode, samples), episode.stack());
  }

  private void countGaps(PinEpisode episode, Attribution attribution) {
    unreadClasses.addAll(attribution.unreadClasses());
    if (episode.stack().isAbsent()) {
      withoutStack++;
    } else if (attribution.truncated()) {
      truncated++;
      cutDepth = Math.max(cutDepth, episode.stack().frames().size());
    }
  }

  private void countSince24(long nanos, Explained explained) {
    if (explained.sites().stream().anyMatch(site -> site.kind() == Site.Kind.UNEXPLAINED)) {
      unknownNanos += nanos;
    } else if (explained.sites().stream().anyMatch(Site::pinsSince24)) {
      staysNanos += nanos;
    } else {
      goneNanos += nanos;
    }
  }

  private Findings findings(List<RecordingFacts> recordings) {
    Cost cost = Cost.of(durations.build().toArray());
    Optional<Capacity> capacity = capacity(recordings);
    List<Finding> findings =
        groups.values().stream()
            .map(group -> group.finding(cost.totalNanos(), capacity))
            .sorted(
                Comparator.comparingLong((Finding finding) -> finding.cost().totalNanos())
                    .reversed()
                    .thenComparing(finding -> finding.site().name()))
            .toList();
    Optional<Since24> since24 =
        recordings.stream().anyMatch(Coverage::monitorsPin)
            ? Optional.of(new Since24(goneNanos, staysNanos, unknownNanos))
            : Optional.empty();
    List<Limit> limits = new ArrayList<>();
    recordings.forEach(facts -> limits.addAll(Coverage.limits(facts)));
    limits.addAll(gapsInStacks());
    return new Findings(recordings, findings, cost, threads.size(), capacity, since24, limits);
  }

  private List<Limit> gapsInStacks() {
    List<Limit> limits = new ArrayList<>();
    if (withoutStack > 0) {
      limits.add(
          new Limit(
              Limit.Kind.NO_STACKS,
              "",
              Figures.count(withoutStack, "pin")
                  + " came without a stack; record with stackTrace=true"));
    }
    if (truncated > 0) {
      limits.add(
          new Limit(
              Limit.Kind.STACKS_TRUNCATED,
              "",
              (truncated == 1 ? "1 stack was" : Figures.count(truncated) + " stacks were")
                  + " cut at depth "
                  + cutDepth));
    }
    unread(
        limits,
        Limit.Kind.CLASSES_UNREAD,
        name -> !new ClassRef(name, "").isJdk(),
        "name their jars with --classpath");
    unread(
        limits,
        Limit.Kind.JDK_CLASSES_UNREAD,
        name -> new ClassRef(name, "").isJdk(),
        "name the JDK that ran with --jdk");
    return limits;
  }

  private void unread(List<Limit> limits, Limit.Kind kind, Predicate<String> which, String remedy) {
    List<String> classes = unreadClasses.stream().filter(which).toList();
    if (classes.isEmpty()) {
      return;
    }
    int shown = 3;
    int more = classes.size() - shown;
    limits.add(
        new Limit(
            kind,
            "",
            "monitors of "
                + Figures.count(classes.size())
                + (classes.size() == 1 ? " class" : " classes")
                + (kind == Limit.Kind.JDK_CLASSES_UNREAD ? " of the JDK" : "")
                + " whose bytes were not found ("
                + String.join(", ", classes.stream().limit(shown).toList())
                + (more > 0 ? " and " + Figures.count(more) + " more" : "")
                + "); "
                + remedy));
  }

  private static Optional<Capacity> capacity(List<RecordingFacts> recordings) {
    long nanos = 0;
    for (RecordingFacts facts : recordings) {
      OptionalInt parallelism = facts.parallelism();
      if (parallelism.isEmpty()) {
        return Optional.empty();
      }
      nanos += parallelism.getAsInt() * facts.durationNanos();
    }
    return Optional.of(new Capacity(nanos));
  }

  /** The pins of one site while they are being counted. */
  private static final class Group {
    private final Recorded recorded;
    private final Site site;
    private final LongStream.Builder durations = LongStream.builder();
    private final Set<ThreadKey> threads = new HashSet<>();
    private final Map<BlockingOperation, Long> operations = new LinkedHashMap<>();
    private final Map<Site, PinCause> alsoHeld = new LinkedHashMap<>();
    private final Map<Site, Long> alsoHeldCounts = new HashMap<>();
    private final Map<Confidence, Long> confidence = new EnumMap<>(Confidence.class);
    private final Map<MonitorObject, Set<ThreadKey>> lockObjects = new HashMap<>();
    private final Set<ThreadKey> sampledThreads = new HashSet<>();
    private int samples;
    private PinCause cause;
    private StackTrace stack = StackTrace.ABSENT;

    Group(Recorded recorded, Site site) {
      this.recorded = recorded;
      this.site = site;
    }

    void add(PinEpisode episode, ThreadKey thread, Explained explained) {
      Attribution attribution = explained.attribution();
      if (cause == null) {
        cause = attribution.primary();
        stack = episode.stack();
      }
      durations.add(episode.durationNanos());
      threads.add(thread);
      operations.merge(attribution.operation(), 1L, Long::sum);
      for (Site further : new LinkedHashSet<>(explained.sites())) {
        if (!further.equals(site)) {
          alsoHeld.putIfAbsent(
              further, attribution.causes().get(explained.sites().indexOf(further)));
          alsoHeldCounts.merge(further, 1L, Long::sum);
        }
      }
      if (attribution.primary() instanceof PinCause.HeldMonitor held) {
        confidence.merge(held.confidence(), 1L, Long::sum);
        if (!held.objects().isEmpty()) {
          samples++;
          sampledThreads.add(thread);
          for (MonitorObject object : held.objects()) {
            lockObjects.computeIfAbsent(object, o -> new HashSet<>()).add(thread);
          }
        }
      }
    }

    Finding finding(long allNanos, Optional<Capacity> capacity) {
      Cost cost = Cost.of(durations.build().toArray());
      return new Finding(
          site,
          cause,
          frame(),
          owner(cause),
          Site.caller(cause, stack).map(f -> new Caller(f, recorded.owners().apply(f.type()))),
          cost,
          allNanos == 0 ? 0 : (double) cost.totalNanos() / allNanos,
          capacity.isPresent() && capacity.get().nanos() > 0
              ? OptionalDouble.of((double) cost.totalNanos() / capacity.get().nanos())
              : OptionalDouble.empty(),
          threads.size(),
          operations.entrySet().stream()
              .map(entry -> new OperationCount(entry.getKey(), entry.getValue()))
              .sorted(Comparator.comparingLong(OperationCount::count).reversed())
              .toList(),
          alsoHeld.entrySet().stream()
              .map(
                  entry ->
                      new AlsoHeld(
                          entry.getKey(),
                          entry.getValue(),
                          owner(entry.getValue()),
                          alsoHeldCounts.get(entry.getKey())))
              // Sorting is stable: those that are on every stack stay in its order, innermost
              // first.
              .sorted(Comparator.comparingLong(AlsoHeld::count).reversed())
              .toList(),
          confidence,
          samples == 0 ? Optional.empty() : Optional.of(lockObjectsSeen()));
    }

    private LockObjects lockObjectsSeen() {
      return new LockObjects(
          samples,
          lockObjects.size(),
          sampledThreads.size(),
          lockObjects.values().stream().mapToInt(Set::size).max().orElse(0));
    }

    private Optional<Frame> frame() {
      return switch (cause) {
        case PinCause.HeldMonitor held -> Optional.of(held.frame());
        case PinCause.NativeFrame frame -> Optional.of(frame.frame());
        case PinCause.ClassInitializer frame -> Optional.of(frame.frame());
        case PinCause.ClassLoading loading -> Optional.of(loading.requester());
        case PinCause.MonitorEntry entry -> Optional.of(entry.frame());
        case PinCause.ObjectWait wait -> Optional.of(wait.caller());
        case PinCause.AwaitedInitialization awaited -> Optional.empty();
        case PinCause.HiddenVmFrame hidden -> Optional.empty();
        case PinCause.Unexplained unexplained -> Optional.empty();
      };
    }

    private Owner owner(PinCause of) {
      return switch (of) {
        case PinCause.HeldMonitor held -> recorded.owners().apply(held.site().type());
        case PinCause.NativeFrame frame -> recorded.owners().apply(frame.frame().type());
        case PinCause.ClassInitializer frame -> recorded.owners().apply(frame.frame().type());
        case PinCause.ClassLoading loading -> recorded.owners().apply(loading.requester().type());
        case PinCause.MonitorEntry entry -> recorded.owners().apply(entry.frame().type());
        case PinCause.ObjectWait wait -> recorded.owners().apply(wait.caller().type());
        case PinCause.AwaitedInitialization awaited ->
            recorded.owners().apply(new ClassRef(awaited.className(), ""));
        case PinCause.HiddenVmFrame hidden -> new Owner.UnknownJar("");
        case PinCause.Unexplained unexplained -> new Owner.UnknownJar("");
      };
    }
  }
}
