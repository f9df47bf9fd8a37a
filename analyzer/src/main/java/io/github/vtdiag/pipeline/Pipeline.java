package io.github.vtdiag.pipeline;

import io.github.vtdiag.analysis.Attributed;
import io.github.vtdiag.analysis.FileMonitors;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Grouping;
import io.github.vtdiag.analysis.Recorded;
import io.github.vtdiag.analysis.SiteNumbers;
import io.github.vtdiag.findings.Detectors;
import io.github.vtdiag.findings.Stalls;
import io.github.vtdiag.findings.Waits;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.Launch;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.OwnCode;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.Attributor;
import io.github.vtdiag.pin.SourceFiles;
import io.github.vtdiag.program.ClassLookup;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.KnownClasses;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.PinTable;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.Recordings;
import io.github.vtdiag.recording.TimeRange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The way from recordings to findings. It reads the recordings, then the class files of the classes
 * on their stacks. Then it attributes and groups the pins, which needs no file any more.
 */
public final class Pipeline {
  private final List<String> classPath;
  private final Optional<Path> jdk;
  private final OwnCode own;
  private final boolean withFiles;

  /**
   * @param classPath the jars and folders that ran, as the user names them
   * @param jdk the home of the JDK that ran; empty for the running one, where that is the build
   *     that recorded
   */
  public Pipeline(List<String> classPath, Optional<Path> jdk) {
    this(classPath, jdk, OwnCode.UNTOLD);
  }

  /**
   * Creates a pipeline with the user's own code.
   *
   * @param own of programs whose start each recording tells
   */
  public Pipeline(List<String> classPath, Optional<Path> jdk, OwnCode own) {
    this(classPath, jdk, own, true);
  }

  private Pipeline(List<String> classPath, Optional<Path> jdk, OwnCode own, boolean withFiles) {
    this.classPath = List.copyOf(classPath);
    this.jdk = jdk;
    this.own = own;
    this.withFiles = withFiles;
  }

  /**
   * Returns a pipeline whose findings depend on the recording alone: neither on the files of this
   * machine nor on the JDK that runs here.
   */
  public static Pipeline ofRecordingsAlone() {
    return new Pipeline(List.of(), Optional.empty(), OwnCode.UNTOLD, false);
  }

  /**
   * Reads recordings and finds what held carriers in them.
   *
   * @param notes is told what is left out although nothing is wrong with it
   * @param progress is told the bytes read, after each read
   */
  public Findings findings(
      List<Input> inputs, TimeRange range, Consumer<String> notes, LongConsumer progress)
      throws DataException {
    return whole(inputs, range, notes, progress, false).findings();
  }

  /**
   * Does the same, and returns what the findings were made of, too.
   *
   * @param notes is told what is left out although nothing is wrong with it
   * @param progress is told the bytes read, after each read
   */
  public AnalyzedRun whole(
      List<Input> inputs, TimeRange range, Consumer<String> notes, LongConsumer progress)
      throws DataException {
    return whole(inputs, range, notes, progress, true);
  }

  private AnalyzedRun whole(
      List<Input> inputs,
      TimeRange range,
      Consumer<String> notes,
      LongConsumer progress,
      boolean parts)
      throws DataException {
    Recordings recordings = new Recordings(range, notes, progress, Detectors.EVENTS);
    List<RecordingData> all = new ArrayList<>();
    for (Input input : inputs) {
      notes.accept("reading " + input.source());
      all.addAll(recordings.read(input));
    }
    if (range.isAll()) {
      return whole(all, List.of(), parts);
    }
    List<RecordingData> inside = new ArrayList<>();
    List<Gap> gaps = new ArrayList<>();
    for (RecordingData data : all) {
      if (data.facts().durationNanos() > 0 || data.pins().size() > 0) {
        inside.add(data);
      } else {
        notes.accept("skipping " + data.facts().source() + ": nothing of it is in the time range");
        if (range.from().isPresent()
            && range.from().get() instanceof TimeRange.AfterEvent(String event)) {
          gaps.add(
              new Gap(
                  Gap.Kind.OUTSIDE_RANGE,
                  data.facts().source(),
                  "anything after its warm-up: " + event + " is not in it"));
        }
      }
    }
    if (!inside.isEmpty()) {
      return whole(inside, gaps, parts);
    }
    if (!gaps.isEmpty()) {
      return whole(all, gaps, parts);
    }
    Gap outside =
        new Gap(
            Gap.Kind.OUTSIDE_RANGE,
            "",
            "anything from --from to --to: no recording was running then");
    return whole(all, List.of(outside), parts);
  }

  /** Finds what held carriers in recordings that were read. */
  public Findings findings(List<RecordingData> recordings) throws DataException {
    return whole(recordings, List.of(), false).findings();
  }

  /** A recording whose pins are attributed. */
  private record OpenRecording(
      RecordingData data, KnownClasses classes, FileMonitors monitors, Attributed pins) {

    /** Returns it with all that the class files tell of it, so that no file is needed any more. */
    AnalyzedRecording analyzed(Set<ClassRef> named) {
      Map<ClassRef, Owner> owners = new HashMap<>();
      named.forEach(type -> owners.put(type, classes.owner(type)));
      pins.classesOnStacks().forEach(type -> owners.put(type, classes.owner(type)));
      Map<String, ClassLookup> lookups = new HashMap<>();
      for (String unread : pins.unreadClasses()) {
        lookups.put(unread, classes.lookUp(new ClassRef(unread, "")));
      }
      return new AnalyzedRecording(data, classes, new Recorded(pins, owners, lookups));
    }
  }

  /** A recording that is ready to be grouped with others. */
  private record AnalyzedRecording(RecordingData data, KnownClasses classes, Recorded recorded) {

    List<Behavior> behaviors(List<Pin> pins) {
      return Detectors.find(data, recorded.account(), classes::owner, pins);
    }

    AnalyzedRun.Part part() {
      Map<StackTrace, Double> waits = Waits.stacks(data, classes::owner);
      Map<ClassRef, Owner> owners = new HashMap<>(recorded.owners());
      for (StackTrace stack : waits.keySet()) {
        for (Frame frame : stack.frames()) {
          if (!frame.type().isJdk()) {
            owners.computeIfAbsent(frame.type(), classes::owner);
          }
        }
      }
      return new AnalyzedRun.Part(data.facts(), recorded, waits, owners);
    }
  }

  /**
   * @param wantsParts whether to return what the findings were made of
   */
  private AnalyzedRun whole(List<RecordingData> recordings, List<Gap> gaps, boolean wantsParts)
      throws DataException {
    List<ClassPathBytes> files = new ArrayList<>();
    try {
      List<OpenRecording> open = new ArrayList<>();
      // If one recording names a class, each of them tells whose it is there.
      Set<ClassRef> named = new LinkedHashSet<>();
      for (RecordingData data : recordings) {
        OwnCode ofThis = own.startedAs(List.of(data.facts().launch()));
        ClassPathBytes bytes = ClassPathBytes.open(classPath, data.facts().jdk(), ofThis);
        files.add(bytes);
        OpenRecording recording = attributed(data, bytes);
        open.add(recording);
        named.addAll(recording.pins().namedClasses());
      }
      List<AnalyzedRecording> analyzed = open.stream().map(each -> each.analyzed(named)).toList();
      Findings pins = Grouping.of(analyzed.stream().map(AnalyzedRecording::recorded).toList());
      List<Behavior> behaviors = new ArrayList<>();
      List<Gap> all = new ArrayList<>(gaps);
      for (AnalyzedRecording recording : analyzed) {
        behaviors.addAll(recording.behaviors(pins.pins()));
        Waits.gap(recording.data()).ifPresent(all::add);
        Stalls.gap(recording.data()).ifPresent(all::add);
        Stalls.unendedExit(recording.data()).ifPresent(all::add);
      }
      Map<MonitorId, String> unmatched = new HashMap<>();
      open.forEach(recording -> unmatched.putAll(recording.monitors().unmatched()));
      open.stream()
          .flatMap(recording -> recording.monitors().gaps().stream())
          .distinct()
          .forEach(all::add);
      analyzed.stream()
          .flatMap(recording -> recording.classes().problems().stream())
          .distinct()
          .map(problem -> new Gap(Gap.Kind.CLASS_PATH_PROBLEM, "", problem))
          .forEach(all::add);
      List<AnalyzedRun.Part> parts =
          wantsParts ? analyzed.stream().map(AnalyzedRecording::part).toList() : List.of();
      OptionalLong longestWait =
          Stalls.longest(analyzed.stream().map(AnalyzedRecording::data).toList());
      return new AnalyzedRun(
          pins.withBehaviors(behaviors)
              .withLongestWait(longestWait)
              .withGaps(all)
              .withUnmatched(unmatched)
              .withNumbers(SiteNumbers.of(pins.pins(), type -> maps(open, type))),
          parts,
          wantsParts
              ? recordings.stream()
                  .flatMap(recording -> recording.classesOnStacks().stream())
                  .collect(Collectors.toSet())
              : Set.of());
    } finally {
      files.forEach(ClassPathBytes::close);
    }
  }

  /** Returns the monitors of a class, from all recordings. */
  private static List<ClassMonitors> maps(List<OpenRecording> open, ClassRef type) {
    return open.stream().flatMap(recording -> recording.classes().find(type).stream()).toList();
  }

  private OpenRecording attributed(RecordingData read, ClassPathBytes bytes) throws DataException {
    RecordingFacts facts = read.facts();
    KnownClasses known = new KnownClasses(read.lockMaps(), bytes, jdkClasses(facts), withFiles);
    known.read(classesThatMayLock(read));
    RecordingData data = read.withSources(new SourceFiles(known::source));
    Attributor attributor = Attributor.ofRecording(facts.jdk(), known);
    FileMonitors monitors = new FileMonitors(known);
    Attributed pins =
        Attributed.of(data, (pin, samples) -> monitors.inFiles(attributor.attribute(pin, samples)));
    return new OpenRecording(data, known, monitors, pins);
  }

  private JdkClasses jdkClasses(RecordingFacts facts) throws DataException {
    if (!withFiles) {
      return JdkClasses.none();
    }
    return jdk.isPresent() ? JdkClasses.at(jdk.get()) : JdkClasses.ifRunning(facts.jdkVersion());
  }

  /** Returns the classes on the stacks for which it matters which monitors they take. */
  private static Set<ClassRef> classesThatMayLock(RecordingData data) {
    Set<ClassRef> classes = new LinkedHashSet<>();
    Set<Frame> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (PinTable.Look look : data.pins().looks()) {
      if (Attributor.looksForMonitors(data.facts().jdk(), look.pinnedReason())) {
        for (Frame frame : look.stack().frames()) {
          if (seen.add(frame) && Attributor.mayLock(frame)) {
            classes.add(frame.type());
          }
        }
      }
    }
    return classes;
  }

  /**
   * Reads all classes of the class path. That takes long: a command does it once, and only if a
   * finding that it shows depends on them. What they say of the JDK holds for the given one, or
   * else for the one that ran and all later ones.
   *
   * @param jdkFeature the JDK that ran; chooses among the classes of multi-release jars
   * @param launches the programs that were started, as far as they are known
   * @return to be closed
   */
  public Program program(int jdkFeature, Collection<Launch> launches) throws DataException {
    ClassPathBytes classes = ClassPathBytes.open(classPath, jdkFeature, own.startedAs(launches));
    return jdk.isPresent()
        ? Program.read(classes, JdkClasses.at(jdk.get()))
        : Program.readForJdks(classes, JdkClasses.running(), jdkFeature);
  }

  /**
   * Does the same if it is unknown which JDK runs them: for all that can load some of the classes.
   *
   * @param classes takes the names of these, with dots
   */
  public Program programOf(Predicate<String> classes) throws DataException {
    return Program.readForJdksOf(
        ClassPathBytes.open(classPath, Runtime.version().feature(), own),
        JdkClasses.running(),
        classes);
  }
}
