package vtdiag.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
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
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import vtdiag.analysis.Finding.AlsoHeld;
import vtdiag.analysis.Finding.Caller;
import vtdiag.analysis.Finding.OperationCount;
import vtdiag.analysis.Findings.Capacity;
import vtdiag.analysis.Findings.CauseSet;
import vtdiag.analysis.Findings.Since24;
import vtdiag.model.Attribution;
import vtdiag.model.BlockingOperation;
import vtdiag.model.ClassRef;
import vtdiag.model.Confidence;
import vtdiag.model.Figures;
import vtdiag.model.Frame;
import vtdiag.model.MonitorObject;
import vtdiag.model.MonitorSample;
import vtdiag.model.PinCause;
import vtdiag.model.PinEpisode;
import vtdiag.model.StackTrace;
import vtdiag.program.Owner;
import vtdiag.recording.RecordingFacts;

/** Groups pins by their primary cause and adds up what they cost. */
public final class Grouping {

  /**
   * Pins that look the same. A million of them look the same in few ways: all that is done for each
   * is to add it here, and everything else is done once.
   */
  private static final class Alike {
    final int recording;
    final Attribution attribution;
    final List<Site> sites;
    final StackTrace stack;
    private final PinEpisode first;
    private long[] durations = new long[1];
    private int[] threads = new int[1];
    private int size;
    private long from = Long.MAX_VALUE;
    private long to = Long.MIN_VALUE;

    Alike(int recording, Attribution attribution, PinEpisode first) {
      this.recording = recording;
      this.attribution = attribution;
      this.first = first;
      stack = first.stack();
      sites = attribution.causes().stream().map(cause -> Site.of(cause, stack)).toList();
    }

    /** Whether a pin with the same stack has the same attribution, as long as none is sampled. */
    boolean looksLike(PinEpisode other) {
      return first.kind() == other.kind()
          && first.pinnedReason().equals(other.pinnedReason())
          && first.blockingOperation().equals(other.blockingOperation())
          && first.lockClass().equals(other.lockClass());
    }

    void add(PinEpisode episode, int thread) {
      if (size == durations.length) {
        durations = Arrays.copyOf(durations, size * 2);
        threads = Arrays.copyOf(threads, size * 2);
      }
      durations[size] = episode.durationNanos();
      threads[size++] = thread;
      from = Math.min(from, episode.startNanos());
      to = Math.max(to, episode.endNanos());
    }

    long count() {
      return size;
    }

    long nanos() {
      return durations().sum();
    }

    LongStream durations() {
      return Arrays.stream(durations, 0, size);
    }

    IntStream threads() {
      return Arrays.stream(threads, 0, size);
    }
  }

  /** What makes pins one {@link CauseSet}. */
  private record SetKey(Site primary, Set<Site> sites, boolean complete) {
    static SetKey of(Alike alike) {
      Attribution attribution = alike.attribution;
      return new SetKey(
          alike.sites.getFirst(),
          Set.copyOf(new HashSet<>(alike.sites)),
          !attribution.truncated() && attribution.unreadClasses().isEmpty());
    }

    CauseSet with(List<Alike> pins) {
      return new CauseSet(
          primary,
          sites,
          complete,
          pins.stream().mapToLong(Alike::count).sum(),
          pins.stream().mapToLong(Alike::nanos).sum());
    }
  }

  private final Map<Site, Group> groups = new LinkedHashMap<>();
  private final Map<SetKey, List<Alike>> sets = new LinkedHashMap<>();
  private final Set<String> unreadClasses = new TreeSet<>();
  private int threads;
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
    for (Alike alike : alike(index, recorded)) {
      groups
          .computeIfAbsent(alike.sites.getFirst(), site -> new Group(recorded, site))
          .members
          .add(alike);
      sets.computeIfAbsent(SetKey.of(alike), key -> new ArrayList<>()).add(alike);
      countGaps(alike);
      if (monitorsPin) {
        countSince24(alike);
      }
    }
  }

  /** The pins of a recording, in the order in which the first of each look came. */
  private List<Alike> alike(int index, Recorded recorded) {
    List<Alike> all = new ArrayList<>();
    SampleIndex samples = new SampleIndex(recorded.data());
    // Ids are unique in one JVM only.
    Map<Long, Integer> threadNumbers = new HashMap<>();
    // By identity: equal stacks are one object, and comparing a hundred frames a million times is
    // what would take the time.
    IdentityHashMap<StackTrace, List<Alike>> known = new IdentityHashMap<>();
    for (PinEpisode episode : recorded.data().episodes()) {
      List<MonitorSample> sampled = samples.take(episode);
      List<Alike> sameStack = known.computeIfAbsent(episode.stack(), stack -> new ArrayList<>(1));
      Alike alike = sampled.isEmpty() ? find(sameStack, episode) : null;
      if (alike == null) {
        alike = new Alike(index, recorded.attributor().attribute(episode, sampled), episode);
        all.add(alike);
        if (sampled.isEmpty()) {
          sameStack.add(alike);
        }
      }
      int thread = threadNumbers.computeIfAbsent(episode.thread().id(), id -> threads++);
      alike.add(episode, thread);
    }
    return all;
  }

  private static Alike find(List<Alike> sameStack, PinEpisode episode) {
    for (Alike alike : sameStack) {
      if (alike.looksLike(episode)) {
        return alike;
      }
    }
    return null;
  }

  private void countGaps(Alike alike) {
    unreadClasses.addAll(alike.attribution.unreadClasses());
    if (alike.stack.isAbsent()) {
      withoutStack += alike.count();
    } else if (alike.attribution.truncated()) {
      truncated += alike.count();
      cutDepth = Math.max(cutDepth, alike.stack.frames().size());
    }
  }

  private void countSince24(Alike alike) {
    long nanos = alike.nanos();
    if (alike.sites.stream().anyMatch(site -> site.kind() == Site.Kind.UNEXPLAINED)) {
      unknownNanos += nanos;
    } else if (alike.sites.stream().anyMatch(Site::pinsSince24)) {
      staysNanos += nanos;
    } else {
      goneNanos += nanos;
    }
  }

  private Findings findings(List<RecordingFacts> recordings) {
    Cost cost =
        Cost.of(
            // Sorted within each group, which makes sorting all of them cheap.
            groups.values().stream().flatMapToLong(Group::durations).toArray());
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
    List<Gap> gaps = new ArrayList<>();
    recordings.forEach(facts -> gaps.addAll(Coverage.gaps(facts)));
    gaps.addAll(gapsInStacks());
    List<CauseSet> causeSets =
        sets.entrySet().stream().map(set -> set.getKey().with(set.getValue())).toList();
    return new Findings(recordings, findings, causeSets, cost, threads, capacity, since24, gaps);
  }

  private List<Gap> gapsInStacks() {
    List<Gap> gaps = new ArrayList<>();
    if (withoutStack > 0) {
      gaps.add(
          new Gap(
              Gap.Kind.NO_STACKS,
              "",
              Figures.count(withoutStack, "pin")
                  + " came without a stack; record with stackTrace=true"));
    }
    if (truncated > 0) {
      gaps.add(
          new Gap(
              Gap.Kind.STACKS_TRUNCATED,
              "",
              (truncated == 1 ? "1 stack was" : Figures.count(truncated) + " stacks were")
                  + " cut at depth "
                  + cutDepth));
    }
    unread(
        gaps,
        Gap.Kind.CLASSES_UNREAD,
        name -> !new ClassRef(name, "").isJdk(),
        "name their jars with --classpath");
    unread(
        gaps,
        Gap.Kind.JDK_CLASSES_UNREAD,
        name -> new ClassRef(name, "").isJdk(),
        "name the JDK that ran with --jdk");
    return gaps;
  }

  private void unread(List<Gap> gaps, Gap.Kind kind, Predicate<String> which, String remedy) {
    List<String> classes = unreadClasses.stream().filter(which).toList();
    if (classes.isEmpty()) {
      return;
    }
    int shown = 3;
    int more = classes.size() - shown;
    gaps.add(
        new Gap(
            kind,
            "",
            "monitors of "
                + Figures.count(classes.size())
                + (classes.size() == 1 ? " class" : " classes")
                + (kind == Gap.Kind.JDK_CLASSES_UNREAD ? " of the JDK" : "")
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

  /** The pins of one site. */
  private static final class Group {
    private final Recorded recorded;
    private final Site site;
    private final List<Alike> members = new ArrayList<>();
    private long[] durations;

    Group(Recorded recorded, Site site) {
      this.recorded = recorded;
      this.site = site;
    }

    /** Ascending. */
    LongStream durations() {
      if (durations == null) {
        durations = members.stream().flatMapToLong(Alike::durations).toArray();
        Arrays.sort(durations);
      }
      return Arrays.stream(durations);
    }

    Finding finding(long allNanos, Optional<Capacity> capacity) {
      PinCause cause = members.getFirst().attribution.primary();
      StackTrace stack = members.getFirst().stack;
      Cost cost = Cost.of(durations().toArray());
      return new Finding(
          site,
          cause,
          frame(cause),
          owner(cause),
          Site.caller(cause, stack).map(f -> new Caller(f, recorded.owners().apply(f.type()))),
          cost,
          allNanos == 0 ? 0 : (double) cost.totalNanos() / allNanos,
          capacity.isPresent() && capacity.get().nanos() > 0
              ? OptionalDouble.of((double) cost.totalNanos() / capacity.get().nanos())
              : OptionalDouble.empty(),
          distinct(members.stream().flatMapToInt(Alike::threads)),
          activeNanos(),
          operations(),
          alsoHeld(),
          confidence(),
          lockObjects());
    }

    /** From the start of the first pin in a recording to the end of the last, over all of them. */
    private long activeNanos() {
      Map<Integer, long[]> spans = new HashMap<>();
      for (Alike alike : members) {
        long[] span =
            spans.computeIfAbsent(alike.recording, r -> new long[] {alike.from, alike.to});
        span[0] = Math.min(span[0], alike.from);
        span[1] = Math.max(span[1], alike.to);
      }
      return spans.values().stream().mapToLong(span -> span[1] - span[0]).sum();
    }

    private List<OperationCount> operations() {
      Map<BlockingOperation, Long> counts = new LinkedHashMap<>();
      for (Alike alike : members) {
        counts.merge(alike.attribution.operation(), alike.count(), Long::sum);
      }
      return counts.entrySet().stream()
          .map(entry -> new OperationCount(entry.getKey(), entry.getValue()))
          .sorted(Comparator.comparingLong(OperationCount::count).reversed())
          .toList();
    }

    private List<AlsoHeld> alsoHeld() {
      Map<Site, PinCause> causes = new LinkedHashMap<>();
      Map<Site, Long> counts = new HashMap<>();
      for (Alike alike : members) {
        for (Site further : new LinkedHashSet<>(alike.sites)) {
          if (!further.equals(site)) {
            PinCause cause = alike.attribution.causes().get(alike.sites.indexOf(further));
            causes.putIfAbsent(further, cause);
            counts.merge(further, alike.count(), Long::sum);
          }
        }
      }
      return causes.entrySet().stream()
          .map(
              entry ->
                  new AlsoHeld(
                      entry.getKey(),
                      entry.getValue(),
                      owner(entry.getValue()),
                      counts.get(entry.getKey())))
          // Sorting is stable: those that are on every stack stay in its order, innermost first.
          .sorted(Comparator.comparingLong(AlsoHeld::count).reversed())
          .toList();
    }

    private Map<Confidence, Long> confidence() {
      Map<Confidence, Long> counts = new EnumMap<>(Confidence.class);
      for (Alike alike : members) {
        if (alike.attribution.primary() instanceof PinCause.HeldMonitor held) {
          counts.merge(held.confidence(), alike.count(), Long::sum);
        }
      }
      return counts;
    }

    private Optional<LockObjects> lockObjects() {
      long samples = 0;
      IntStream.Builder sampledThreads = IntStream.builder();
      Map<MonitorObject, Set<Integer>> threadsOf = new HashMap<>();
      for (Alike alike : members) {
        if (alike.attribution.primary() instanceof PinCause.HeldMonitor held
            && !held.objects().isEmpty()) {
          samples += alike.count();
          alike.threads().forEach(sampledThreads::add);
          for (MonitorObject object : held.objects()) {
            alike.threads().forEach(threadsOf.computeIfAbsent(object, o -> new HashSet<>())::add);
          }
        }
      }
      return samples == 0
          ? Optional.empty()
          : Optional.of(
              new LockObjects(
                  (int) samples,
                  threadsOf.size(),
                  distinct(sampledThreads.build()),
                  threadsOf.values().stream().mapToInt(Set::size).max().orElse(0)));
    }

    private static int distinct(IntStream numbers) {
      return numbers.collect(BitSet::new, BitSet::set, BitSet::or).cardinality();
    }

    private static Optional<Frame> frame(PinCause cause) {
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
