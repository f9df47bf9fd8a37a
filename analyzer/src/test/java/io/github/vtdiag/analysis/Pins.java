package io.github.vtdiag.analysis;

import io.github.vtdiag.account.CarrierSample;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.hang.RecordedKind;
import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.BlockingOperation;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Confidence;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.model.Launch;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MonitorObject;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.MonitorSample;
import io.github.vtdiag.model.NativeFrame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.ServiceInfo;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.OtherCarriers;
import io.github.vtdiag.pin.SeenHang;
import io.github.vtdiag.program.ClassLookup;
import io.github.vtdiag.recording.EventTable;
import io.github.vtdiag.recording.PinTable;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.RecordingFacts.Agent;
import io.github.vtdiag.recording.RecordingFacts.EventSetting;
import io.github.vtdiag.recording.SeenWaits;
import io.github.vtdiag.recording.StartCommand;
import io.github.vtdiag.recording.Watched;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Recordings made by hand, for tests of what comes after attribution. */
public final class Pins {
  public static final long MILLI = 1_000_000;
  public static final long SECOND = 1_000_000_000;
  public static final BlockingOperation SOCKET_READ =
      new BlockingOperation(BlockingOperation.Kind.SOCKET_READ, "");

  private final Map<StackTrace, Attribution> attributions = new HashMap<>();
  private final List<PinEpisode> episodes = new ArrayList<>();
  private final List<MonitorSample> samples = new ArrayList<>();
  private final Map<String, Owner> owners = new HashMap<>();
  private final Map<String, ClassLookup> lookups = new HashMap<>();
  private final Map<String, EventSetting> settings = new HashMap<>();
  private int attributed;
  private String source = "app.jfr";
  private String jdkVersion = "21.0.8+9-LTS";
  private int jdk = 21;
  private OptionalInt parallelism = OptionalInt.of(2);
  private Optional<Agent> agent = Optional.of(new Agent("1.0", "", false, OptionalInt.empty()));
  private long lostBytes;
  private OptionalLong waiting = OptionalLong.empty();
  private List<Long> shortAt = List.of();
  private Map<String, Long> work = Map.of();
  private Optional<Watched> watched = Optional.of(looks(0, 2, 0, 0, 0));
  private List<SeenHang> hangs = List.of();
  private Launch launch = Launch.UNKNOWN;
  private long lostNanos;
  private long pausedNanos;
  private RecordingFacts.End end = RecordingFacts.End.WRITTEN;
  private List<String> problems = List.of();
  private OptionalLong longestWait = OptionalLong.empty();

  private int processorPercent = 100;
  private List<Integer> ports = List.of();

  /** Java 21, two carriers, 62 seconds, every event on and none hidden by a threshold. */
  public Pins() {
    for (String event : Events.EPISODES) {
      settings.put(event, new EventSetting(true, 0, true, 0, ""));
    }
  }

  public Pins source(String name) {
    source = name;
    return this;
  }

  /** How long the virtual thread had waited at the end that had waited longest for another. */
  public Pins waited(long nanos) {
    longestWait = OptionalLong.of(nanos);
    return this;
  }

  public Pins jdk(int feature) {
    jdk = feature;
    jdkVersion = feature == 0 ? "" : feature + ".0.3+9-LTS";
    return this;
  }

  /** The scheduler has so many carriers by itself. */
  public Pins parallelism(int carriers) {
    parallelism = OptionalInt.of(carriers);
    return this;
  }

  public Pins parallelismUnknown() {
    parallelism = OptionalInt.empty();
    return this;
  }

  public Pins setting(String event, boolean enabled, long thresholdNanos, boolean stackTrace) {
    settings.put(event, new EventSetting(enabled, thresholdNanos, stackTrace, 0, ""));
    return this;
  }

  public Pins noSettings() {
    settings.clear();
    return this;
  }

  public Pins agentOptions(String options) {
    agent = Optional.of(new Agent("1.0", options, false, OptionalInt.empty()));
    return this;
  }

  public Pins noAgent() {
    agent = Optional.empty();
    return this;
  }

  /** So much was done, by the name of what the agent counts. */
  public Pins work(String name, long count) {
    Map<String, Long> more = new HashMap<>(work);
    more.put(name, count);
    work = more;
    return this;
  }

  /** So many virtual threads waited for a carrier, always. */
  public Pins waiting(long threads) {
    return waiting(threads, LongStream.range(0, 62).map(second -> 1000 * second + 1).toArray());
  }

  /** So many waited on average, and some at each of these moments. */
  public Pins waiting(long threads, long... millis) {
    waiting = OptionalLong.of(threads);
    shortAt = threads == 0 ? List.of() : Arrays.stream(millis).mapToObj(at -> at * MILLI).toList();
    return this;
  }

  /** No watch looked at the carriers. */
  public Pins unwatched() {
    watched = Optional.empty();
    return this;
  }

  /** The watch leaves out what is shorter. */
  public Pins watchThresholds(long millis, long nativeMillis) {
    Watched all = looks(0, 2, 0, 0, 0);
    watched =
        Optional.of(
            new Watched(
                millis * MILLI,
                nativeMillis * MILLI,
                0,
                OptionalLong.empty(),
                all.looks(),
                List.of(),
                0,
                all.others()));
    return this;
  }

  /** The watch could not look for so long. */
  public Pins blind(long millis) {
    watched = Optional.of(looks(millis * MILLI, 2, 0, 0, 0));
    return this;
  }

  /** Each second the watch saw two carriers, some kept or idle, and threads that waited for one. */
  public Pins looks(int kept, int idle, long queued) {
    watched = Optional.of(looks(0, 2, kept, idle, queued));
    return this;
  }

  private static Watched looks(long blindNanos, int carriers, int kept, int idle, long queued) {
    return new Watched(
        0,
        0,
        blindNanos,
        OptionalLong.empty(),
        LongStream.rangeClosed(1, 62)
            .mapToObj(second -> new Watched.Sample(second * SECOND, carriers, kept, idle, queued))
            .toList(),
        List.of(),
        0,
        OtherCarriers.NONE);
  }

  /** So many carriers of another scheduler were seen. */
  public Pins otherCarriers(int count, String names) {
    Watched all = watched.orElseThrow();
    watched =
        Optional.of(
            new Watched(
                all.thresholdNanos(),
                all.nativeNanos(),
                all.blindNanos(),
                all.exitNanos(),
                all.looks(),
                all.looked(),
                count * all.looked().stream().mapToLong(CarrierSample::spanNanos).sum(),
                new OtherCarriers(count, 0, names)));
    return this;
  }

  /** Each second the watch saw two carriers at this, in percent, and the rest of them idle. */
  public Pins looked(int java, int inNative, int waiting, long queued, int rush) {
    return looked(java, inNative, waiting, 100 - java - inNative - waiting, queued, rush);
  }

  /** The same, where nobody saw what is missing to 100 percent. */
  public Pins looked(int java, int inNative, int waiting, int idle, long queued, int rush) {
    return looked(java, inNative, waiting, 0, idle, queued, rush);
  }

  /** The same, with carriers that wait themselves. */
  public Pins looked(
      int java, int inNative, int waiting, int blocked, int idle, long queued, int rush) {
    long percent = 2 * SECOND / 100;
    Watched all = looks(0, 2, 0, 0, queued);
    watched =
        Optional.of(
            new Watched(
                0,
                0,
                0,
                OptionalLong.empty(),
                all.looks(),
                all.looks().stream()
                    .map(
                        look ->
                            new CarrierSample(
                                look.atNanos(),
                                SECOND,
                                2 * SECOND,
                                idle * percent,
                                java * percent,
                                inNative * percent,
                                waiting * percent,
                                blocked * percent,
                                (100 - java - inNative - waiting - blocked - idle) * percent,
                                Math.min(
                                    Math.max(SECOND, java * percent), processorPercent * percent),
                                100,
                                queued * SECOND,
                                queued,
                                queued > 0 ? SECOND : 0,
                                new CarrierSample.Saturation(
                                    rush * SECOND / 100,
                                    java * percent * rush / 100,
                                    inNative * percent * rush / 100,
                                    waiting * percent * rush / 100,
                                    blocked * percent * rush / 100)))
                    .toList(),
                0,
                OtherCarriers.NONE));
    return this;
  }

  /** The JVM listened at these ports. */
  public Pins ports(Integer... all) {
    ports = List.of(all);
    return this;
  }

  /** In what is looked at after this, the carriers got a processor for so much of their time. */
  public Pins processors(int percent) {
    processorPercent = percent;
    return this;
  }

  /** Up to that second there was no virtual thread. */
  public Pins idleUntil(long second) {
    Watched all = watched.orElseThrow();
    watched =
        Optional.of(
            new Watched(
                all.thresholdNanos(),
                all.nativeNanos(),
                all.blindNanos(),
                all.exitNanos(),
                all.looks(),
                all.looked().stream()
                    .map(look -> look.endNanos() <= second * SECOND ? unused(look) : look)
                    .toList(),
                all.elsewhereNanos(),
                all.others()));
    return this;
  }

  private static CarrierSample unused(CarrierSample look) {
    return new CarrierSample(
        look.endNanos(),
        look.spanNanos(),
        look.capacity(),
        look.capacity(),
        0,
        0,
        0,
        0,
        0,
        0,
        look.looks(),
        0,
        0,
        0,
        CarrierSample.Saturation.NONE);
  }

  /**
   * The watch looked up to that second only.
   *
   * @param atExit whether that was because the program was about to end
   */
  public Pins lookedUntil(long second, boolean atExit) {
    Watched all = watched.orElseThrow();
    watched =
        Optional.of(
            new Watched(
                all.thresholdNanos(),
                all.nativeNanos(),
                all.blindNanos(),
                atExit ? OptionalLong.of(second * SECOND) : OptionalLong.empty(),
                all.looks().subList(0, (int) second),
                all.looked().subList(0, (int) second),
                all.elsewhereNanos(),
                all.others()));
    return this;
  }

  public Pins end(RecordingFacts.End how) {
    end = how;
    return this;
  }

  /** The garbage collector stopped all threads for so long, of 62 seconds. */
  public Pins paused(long seconds) {
    pausedNanos = seconds * SECOND;
    return this;
  }

  /** The agent saw the program stand still for a while. */
  public Pins stoodStill(String... words) {
    return stoodStill(1, words);
  }

  /** It stood still so often. */
  public Pins stoodStill(int times, String... words) {
    hangs =
        Collections.nCopies(
            times,
            new SeenHang(
                9 * SECOND,
                1,
                RecordedKind.parse("Starved"),
                false,
                true,
                List.of(words),
                List.of(),
                Set.of()));
    return this;
  }

  /** The program was started so. */
  public Pins launched(Launch as) {
    launch = as;
    return this;
  }

  /** The agent saw the program hang. */
  public Pins hang(String... words) {
    return hang("LockCycle", List.of(), words);
  }

  /** The agent saw the program hang at these places. */
  public Pins hang(String kind, List<HangPlace> places, String... words) {
    return hang(kind, places, Set.of(), words);
  }

  /** The agent saw the program hang at these places, with these locks. */
  public Pins hang(String kind, List<HangPlace> places, Set<String> locks, String... words) {
    RecordedKind recorded = RecordedKind.parse(kind);
    boolean deadlock = recorded.known().filter(DiagnosisKind::isDeadlock).isPresent();
    hangs =
        List.of(
            new SeenHang(61 * SECOND, 1, recorded, deadlock, false, List.of(words), places, locks));
    return this;
  }

  /** A pin that was not over when the recording ended, and lasted so long until then. */
  public Pins unended(long thread, long millis, StackTrace stack, PinCause... causes) {
    return unended(PinEpisode.Kind.PINNED, thread, millis, stack, causes);
  }

  public Pins unended(
      PinEpisode.Kind kind, long thread, long millis, StackTrace stack, PinCause... causes) {
    pin(thread, millis, stack, causes);
    PinEpisode last = episodes.removeLast();
    episodes.add(
        new PinEpisode(
            kind,
            62 * SECOND - last.durationNanos(),
            last.durationNanos(),
            last.thread(),
            last.stack(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false));
    return this;
  }

  public Pins lost(long bytes) {
    lostBytes = bytes;
    return this;
  }

  public Pins problem(String sentence) {
    problems = List.of(sentence);
    return this;
  }

  public Pins owner(String className, Owner owner) {
    owners.put(className, owner);
    return this;
  }

  /** A pin of {@code millis} whose stack is {@code stack} and whose causes are as given. */
  public Pins pin(long thread, long millis, StackTrace stack, PinCause... causes) {
    return pin(thread, millis, stack, SOCKET_READ, causes);
  }

  public Pins pin(
      long thread, long millis, StackTrace stack, BlockingOperation operation, PinCause... causes) {
    return pin(
        thread,
        millis,
        stack,
        new Attribution(List.of(causes), operation, Set.of(), stack.truncated()));
  }

  public Pins pin(long thread, long millis, StackTrace stack, Attribution attribution) {
    attributions.put(stack, attribution);
    episodes.add(
        new PinEpisode(
            PinEpisode.Kind.PINNED,
            episodes.size() * SECOND,
            millis * MILLI,
            new ThreadRef(thread, "", true),
            stack,
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
    return this;
  }

  /** Samples the pin that was added last: it held an object with this identity. */
  public Pins sampled(int identityHash) {
    PinEpisode last = episodes.getLast();
    Frame frame = last.stack().frames().getLast();
    samples.add(
        new MonitorSample(
            last.thread().id(),
            last.startNanos() + 1,
            List.of(
                new MonitorSample.HolderFrame(
                    frame.type().name(),
                    frame.method(),
                    frame.bci(),
                    List.of(new MonitorObject(frame.type().name(), identityHash))))));
    return this;
  }

  /** What a reader of recordings would say. */
  public RecordingData data() {
    RecordingFacts facts =
        new RecordingFacts(
            source,
            jdkVersion,
            jdk,
            0,
            62 * SECOND,
            OptionalInt.of(2),
            parallelism,
            settings,
            agent,
            lostBytes,
            OptionalLong.empty(),
            pausedNanos,
            waiting.stream().average(),
            waiting,
            shortAt,
            work,
            watched,
            hangs,
            lostNanos,
            end,
            launch,
            new StartCommand("", ""),
            ServiceInfo.UNKNOWN,
            ports,
            problems);
    return new RecordingData(
        facts, PinTable.of(episodes), new EventTable(), SeenWaits.NONE, List.of(), samples);
  }

  /** What came of looking for a class's bytes; else they were not found. */
  public Pins lookup(String className, ClassLookup lookup) {
    lookups.put(className, lookup);
    return this;
  }

  public Recorded recorded() {
    RecordingData data = data();
    Attributed attributed = Attributed.of(data, this::attribute);
    Map<ClassRef, Owner> all = new HashMap<>();
    Stream.of(attributed.namedClasses(), attributed.classesOnStacks())
        .flatMap(Set::stream)
        .forEach(type -> all.put(type, owners.getOrDefault(type.name(), new Owner.UnknownJar(""))));
    Map<String, ClassLookup> notFound = new HashMap<>();
    attributed
        .unreadClasses()
        .forEach(
            name ->
                notFound.put(name, lookups.getOrDefault(name, new ClassLookup.NotFound(false))));
    return new Recorded(attributed, all, notFound);
  }

  public Findings findings() {
    return Grouping.of(List.of(recorded())).withLongestWait(longestWait);
  }

  /** How often a pin had to be attributed. */
  public int attributed() {
    return attributed;
  }

  private Attribution attribute(PinEpisode episode, List<MonitorSample> of) {
    attributed++;
    Attribution attribution = attributions.get(episode.stack());
    if (of.isEmpty()) {
      return attribution;
    }
    List<PinCause> causes = new ArrayList<>(attribution.causes());
    if (causes.getFirst() instanceof PinCause.HeldMonitor held) {
      List<MonitorObject> objects =
          of.stream().flatMap(s -> s.frames().getFirst().monitors().stream()).toList();
      causes.set(
          0,
          new PinCause.HeldMonitor(
              held.depth(), held.frame(), held.site(), Confidence.EXACT_MONITORS, objects));
    }
    return new Attribution(
        causes, attribution.operation(), attribution.unreadClasses(), attribution.truncated());
  }

  public static Frame frame(String className, String method, int bci, int line) {
    return new Frame(
        new ClassRef(className, "app"), method, "()V", 0, bci, line, Frame.Kind.COMPILED);
  }

  public static StackTrace stack(Frame... frames) {
    return new StackTrace(List.of(frames), false);
  }

  /** A native method of the application that calls back. */
  public static PinCause nativeMethod(int depth, Frame frame) {
    return new NativeFrame(
        depth,
        frame,
        NativeFrame.Kind.JNI,
        Optional.empty(),
        Optional.of(frame("com.example.Callback", "run", 3, 5)));
  }

  /** The monitor of a synchronized method. */
  public static PinCause.HeldMonitor method(int depth, Frame frame) {
    return held(
        depth,
        frame,
        new MonitorRegion(
            MonitorRegion.Kind.METHOD, LockExpression.THIS, -1, frame.line(), -1, List.of()));
  }

  /** The monitor of a block that begins at {@code enterBci}. */
  public static PinCause.HeldMonitor block(int depth, Frame frame, int enterBci, int to) {
    return held(
        depth,
        frame,
        new MonitorRegion(
            MonitorRegion.Kind.BLOCK,
            LockExpression.THIS,
            enterBci,
            frame.line(),
            to,
            List.of(new MonitorRegion.Range(enterBci + 1, enterBci + 100))));
  }

  private static PinCause.HeldMonitor held(int depth, Frame frame, MonitorRegion region) {
    return new PinCause.HeldMonitor(
        depth,
        frame,
        new LockSite(frame.type(), frame.method(), frame.descriptor(), region),
        Confidence.LOADED_BYTECODE,
        List.of());
  }
}
