package io.github.vtdiag.pipeline;

import io.github.vtdiag.analysis.Attributed;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Grouping;
import io.github.vtdiag.analysis.Recorded;
import io.github.vtdiag.findings.Detectors;
import io.github.vtdiag.findings.Waits;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.Attributor;
import io.github.vtdiag.program.ClassLookup;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.KnownClasses;
import io.github.vtdiag.program.Owner;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.PinTable;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.Recordings;
import io.github.vtdiag.recording.TimeRange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * From recordings to findings: reads the recordings, then what the class files tell of the classes
 * on their stacks, then attributes and groups the pins, which needs no file any more.
 */
public final class Pipeline {
  private final List<String> classPath;
  private final Optional<Path> jdk;

  /**
   * @param classPath the jars and folders that ran, as the user names them
   * @param jdk the home of the JDK that ran; empty for the running one, where that is the build
   *     that recorded
   */
  public Pipeline(List<String> classPath, Optional<Path> jdk) {
    this.classPath = List.copyOf(classPath);
    this.jdk = jdk;
  }

  /**
   * Reads recordings and finds what held carriers in them.
   *
   * @param notes is told what is left out although nothing is wrong with it
   * @param progress is told the bytes read, each time that some are
   */
  public Findings findings(
      List<Input> inputs, TimeRange range, Consumer<String> notes, LongConsumer progress)
      throws DataException {
    return whole(inputs, range, notes, progress, false).findings();
  }

  /**
   * The same, with what the findings were made of.
   *
   * @param notes is told what is left out although nothing is wrong with it
   * @param progress is told the bytes read, each time that some are
   */
  public Whole whole(
      List<Input> inputs, TimeRange range, Consumer<String> notes, LongConsumer progress)
      throws DataException {
    return whole(inputs, range, notes, progress, true);
  }

  private Whole whole(
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

  /**
   * @param wantsParts whether anybody asks for what the findings were made of
   */
  private Whole whole(List<RecordingData> recordings, List<Gap> gaps, boolean wantsParts)
      throws DataException {
    List<ClassPathBytes> open = new ArrayList<>();
    try {
      List<KnownClasses> classes = new ArrayList<>();
      List<Attributed> attributed = new ArrayList<>();
      Set<ClassRef> named = new LinkedHashSet<>();
      for (RecordingData data : recordings) {
        RecordingFacts facts = data.facts();
        ClassPathBytes bytes = ClassPathBytes.open(classPath, facts.jdk());
        open.add(bytes);
        KnownClasses known = new KnownClasses(data.lockMaps(), bytes, jdkClasses(facts));
        classes.add(known);
        known.read(classesThatMayLock(data));
        Attributor attributor = Attributor.ofRecording(facts.jdk(), known);
        Attributed pins = Attributed.of(data, attributor::attribute);
        attributed.add(pins);
        named.addAll(pins.namedClasses());
      }
      List<Recorded> recorded = new ArrayList<>();
      for (int i = 0; i < attributed.size(); i++) {
        Map<ClassRef, Owner> owners = new HashMap<>();
        for (ClassRef type : named) {
          owners.put(type, classes.get(i).owner(type));
        }
        for (ClassRef type : attributed.get(i).classesOnStacks()) {
          owners.put(type, classes.get(i).owner(type));
        }
        Map<String, ClassLookup> lookups = new HashMap<>();
        for (String unread : attributed.get(i).unreadClasses()) {
          lookups.put(unread, classes.get(i).lookUp(new ClassRef(unread, "")));
        }
        recorded.add(new Recorded(attributed.get(i), owners, lookups));
      }
      Findings pins = Grouping.of(recorded);
      List<Behavior> behaviors = new ArrayList<>();
      for (int i = 0; i < recordings.size(); i++) {
        behaviors.addAll(
            Detectors.find(
                recordings.get(i), recorded.get(i).account(), classes.get(i)::owner, pins.pins()));
      }
      List<Gap> all = new ArrayList<>(gaps);
      for (int i = 0; i < recordings.size(); i++) {
        Waits.gap(recordings.get(i)).ifPresent(all::add);
      }
      classes.stream()
          .flatMap(known -> known.problems().stream())
          .distinct()
          .map(problem -> new Gap(Gap.Kind.CLASS_PATH_PROBLEM, "", problem))
          .forEach(all::add);
      List<Whole.Part> parts = new ArrayList<>();
      for (int i = 0; wantsParts && i < recordings.size(); i++) {
        parts.add(part(recordings.get(i), recorded.get(i), classes.get(i)));
      }
      return new Whole(pins.withBehaviors(behaviors).withGaps(all), parts);
    } finally {
      open.forEach(ClassPathBytes::close);
    }
  }

  private static Whole.Part part(RecordingData data, Recorded recorded, KnownClasses classes) {
    Map<StackTrace, Double> waits = Waits.stacks(data, classes::owner);
    Map<ClassRef, Owner> owners = new HashMap<>(recorded.owners());
    for (StackTrace stack : waits.keySet()) {
      for (Frame frame : stack.frames()) {
        if (!frame.type().isJdk()) {
          owners.computeIfAbsent(frame.type(), classes::owner);
        }
      }
    }
    return new Whole.Part(data.facts(), recorded, waits, owners);
  }

  private JdkClasses jdkClasses(RecordingFacts facts) throws DataException {
    return jdk.isPresent() ? JdkClasses.at(jdk.get()) : JdkClasses.ifRunning(facts.jdkVersion());
  }

  /** The classes on the stacks for which it matters which monitors they take. */
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
   * All classes of the class path, which takes long: a command asks once, and only where a finding
   * that it shows depends on them. What they say of the JDK holds for the given one, or else for
   * that which ran and all later ones.
   *
   * @param jdkFeature the JDK that ran; chooses among the classes of multi-release jars
   * @return to be closed
   */
  public Program program(int jdkFeature) throws DataException {
    ClassPathBytes classes = ClassPathBytes.open(classPath, jdkFeature);
    return jdk.isPresent()
        ? Program.read(classes, JdkClasses.at(jdk.get()))
        : Program.readForJdks(classes, JdkClasses.running(), jdkFeature);
  }

  /**
   * The same, where nothing tells which JDK runs them: for all that can load some of the classes.
   *
   * @param own takes the names of these, with dots
   */
  public Program programOf(Predicate<String> own) throws DataException {
    return Program.readForJdksOf(
        ClassPathBytes.open(classPath, Runtime.version().feature()), JdkClasses.running(), own);
  }
}
