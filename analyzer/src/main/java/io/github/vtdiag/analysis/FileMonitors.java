package io.github.vtdiag.analysis;

import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassMonitors.Evidence;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.pin.Attributor.LockMapSource;
import io.github.vtdiag.program.MonitorMatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Maps the monitors of a recording to those of the class files, where agents changed the classes
 * while they were loaded. After that, a monitor has the place that advice and patches look for.
 */
public final class FileMonitors {
  private static final String SOMEBODY = "another agent";

  /** A method of a loaded class. */
  private record MethodKey(ClassRef type, String method, String descriptor) {}

  /**
   * The known bytecode of such a method.
   *
   * @param ran the method as the JVM ran it, if the recording has its lock map
   * @param file the method in the class file, if there is one
   */
  private record Method(
      Optional<MethodMonitors> ran, Optional<MethodMonitors> file, MonitorMatch match) {

    /** Returns the monitor that a frame waits to enter. */
    Optional<MonitorRegion> entered(Frame frame) {
      return ran.or(() -> file).flatMap(known -> known.entered(frame));
    }

    boolean has(MonitorRegion region) {
      return ran.filter(method -> method.regions().contains(region)).isPresent();
    }
  }

  private final LockMapSource maps;
  private final Map<MethodKey, Method> methods = new HashMap<>();
  private final Map<MonitorId, String> unmatched = new LinkedHashMap<>();

  /** The classes whose monitors were matched by their order, by the agent that changed them. */
  private final Map<String, Set<String>> changed = new TreeMap<>();

  /**
   * @param maps lock maps, those of the classes that ran before those of class files
   */
  public FileMonitors(LockMapSource maps) {
    this.maps = maps;
  }

  /** Returns the same attribution with the class files' monitors. */
  public Attribution inFiles(Attribution attribution) {
    List<PinCause> causes = new ArrayList<>(attribution.causes());
    causes.replaceAll(this::inFile);
    return new Attribution(
        causes, attribution.operation(), attribution.unreadClasses(), attribution.truncated());
  }

  private PinCause inFile(PinCause cause) {
    if (!(cause instanceof PinCause.OfMonitor monitor)) {
      return cause;
    }
    return switch (monitor) {
      case PinCause.HeldMonitor held -> {
        LockSite site = held.site();
        MonitorRegion region =
            inFile(new MethodKey(site.type(), site.method(), site.descriptor()), site.region());
        yield region.equals(site.region())
            ? held
            : new PinCause.HeldMonitor(
                held.depth(),
                held.frame(),
                new LockSite(site.type(), site.method(), site.descriptor(), region),
                held.confidence(),
                held.objects());
      }
      case PinCause.MonitorEntry entry -> {
        Frame frame = entry.frame();
        MethodKey key = new MethodKey(frame.type(), frame.method(), frame.descriptor());
        yield methods
            .computeIfAbsent(key, this::read)
            .entered(frame)
            .map(region -> inFile(key, region).enterBci())
            .<PinCause>map(
                bci ->
                    new PinCause.MonitorEntry(
                        frame, entry.lockClass(), entry.lock(), bci, entry.caller()))
            .orElse(entry);
      }
      case PinCause.ObjectWait wait -> wait;
    };
  }

  private MonitorRegion inFile(MethodKey key, MonitorRegion region) {
    Method method = methods.computeIfAbsent(key, this::read);
    if (!method.has(region)) {
      return region; // The region comes from the class file.
    }
    return switch (method.match()) {
      case MonitorMatch.Unchanged unchanged -> region;
      case MonitorMatch.ByOrder(Map<Integer, MonitorRegion> inFile) -> {
        MonitorRegion other = inFile.get(region.enterBci());
        if (other.enterBci() != region.enterBci()) {
          changed
              .computeIfAbsent(changedBy(key.type()).orElse(SOMEBODY), by -> new TreeSet<>())
              .add(key.type().name());
        }
        yield other;
      }
      case MonitorMatch.None(String why) -> {
        if (region.kind() == MonitorRegion.Kind.BLOCK) {
          unmatched.putIfAbsent(
              new MonitorId(key.type().name(), key.method(), key.descriptor(), region.enterBci()),
              reason(key, why));
        }
        yield region;
      }
    };
  }

  private String reason(MethodKey key, String why) {
    String type = key.type().name();
    return changedBy(key.type())
        .map(
            by ->
                by
                    + " changed the bytecode of "
                    + type
                    + ", and the monitors of "
                    + key.method()
                    + " cannot be matched with its class file: "
                    + why)
        .orElse(
            "the class file of "
                + type
                + " has no such monitor in "
                + key.method()
                + ": it is a different version");
  }

  private Method read(MethodKey key) {
    Optional<MethodMonitors> ran =
        with(key.type(), Evidence.LOADED_CLASS).stream()
            .flatMap(map -> map.method(key.method(), key.descriptor()).stream())
            .findFirst();
    List<ClassMonitors> files = with(key.type(), Evidence.CLASS_PATH);
    return new Method(
        ran,
        files.stream().findFirst().flatMap(type -> type.method(key.method(), key.descriptor())),
        ran.isEmpty() || files.isEmpty()
            ? new MonitorMatch.Unchanged()
            : match(key, ran.get(), files));
  }

  /**
   * Matches with the first class file of the name, which is also the one that a reader of the
   * program sees. If another one matches differently, there is no match.
   */
  private static MonitorMatch match(MethodKey key, MethodMonitors ran, List<ClassMonitors> files) {
    MonitorMatch match = match(key, ran, files.getFirst());
    for (ClassMonitors other : files.subList(1, files.size())) {
      MonitorMatch also = match(key, ran, other);
      if (match instanceof MonitorMatch.ByOrder
          && !(also instanceof MonitorMatch.None)
          && !also.equals(match)) {
        return new MonitorMatch.None("the class path has several versions of the class");
      }
    }
    return match;
  }

  private static MonitorMatch match(MethodKey key, MethodMonitors ran, ClassMonitors file) {
    return file.method(key.method(), key.descriptor())
        .map(method -> MonitorMatch.of(ran, method))
        .orElse(new MonitorMatch.None("the class file has no such method"));
  }

  private Optional<String> changedBy(ClassRef type) {
    return with(type, Evidence.LOADED_CLASS).stream()
        .map(ClassMonitors::changedBy)
        .filter(by -> !by.isEmpty())
        .findFirst();
  }

  private List<ClassMonitors> with(ClassRef type, Evidence evidence) {
    return maps.find(type).stream().filter(map -> map.evidence() == evidence).toList();
  }

  /** Returns the monitors that ran and are not in the class files, each with the reason. */
  public Map<MonitorId, String> unmatched() {
    return Map.copyOf(unmatched);
  }

  /** Returns the gaps for classes whose bytecode was changed, by the agent that changed them. */
  public List<Gap> gaps() {
    List<Gap> gaps = new ArrayList<>();
    changed.forEach(
        (by, names) -> {
          boolean one = names.size() == 1;
          gaps.add(
              new Gap(
                  Gap.Kind.CLASSES_CHANGED,
                  "",
                  by
                      + " changed the bytecode of "
                      + (one
                          ? names.iterator().next()
                          : Figures.count(names.size())
                              + " classes ("
                              + StackGaps.names(names)
                              + ")")
                      + (one ? "; its" : "; their")
                      + " monitors are matched with the class "
                      + (one ? "file's" : "files'")
                      + " by their order"));
        });
    return gaps;
  }
}
