package io.github.vtdiag.scan;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.scan.Scan.Monitor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The comparison of a scan with recordings of the same program.
 *
 * @param seen of each monitor that pins held, by site and by caller where it is the JDK's
 * @param unpredicted those that the scan did not find, the costliest first
 */
public record ScanVsRecording(Map<Key, Seen> seen, List<Unpredicted> unpredicted) {

  /**
   * The key by which both name a monitor.
   *
   * @param caller of one in the JDK the method that called in; empty for others
   */
  public record Key(MonitorId site, String caller) {}

  /** The number of pins that held a monitor, and their total duration. */
  public record Seen(long count, long nanos) {
    private Seen and(Seen more) {
      return new Seen(count + more.count, nanos + more.nanos);
    }
  }

  /**
   * A monitor that pins held and the scan did not find.
   *
   * @param why one clause, as far as the stack tells
   */
  public record Unpredicted(Key key, Owner owner, Seen seen, String why) {}

  public ScanVsRecording {
    seen = Map.copyOf(seen);
    unpredicted = List.copyOf(unpredicted);
  }

  /**
   * Compares a scan with findings.
   *
   * @param isScanned whether a class, by its name with dots, is one of those scanned
   */
  public static ScanVsRecording of(Scan scan, Findings findings, Predicate<String> isScanned) {
    Map<Key, Seen> seen = new LinkedHashMap<>();
    Map<Key, Unpredicted> unpredicted = new LinkedHashMap<>();
    Set<MonitorId> sites = new HashSet<>();
    Set<Key> keys = new HashSet<>();
    for (Monitor monitor : scan.monitors()) {
      sites.add(monitor.site().id());
      monitor.others().forEach(other -> sites.add(other.id()));
      keys.addAll(keys(monitor));
    }
    for (Pin finding : findings.pins()) {
      Map<Site, Owner> held = new LinkedHashMap<>();
      held.put(finding.site(), finding.owner());
      finding.alsoHeld().forEach(also -> held.put(also.site(), also.owner()));
      Map<Site, Seen> each = new HashMap<>();
      each.put(finding.site(), new Seen(finding.count(), finding.total()));
      for (Pin.AlsoHeld also : finding.alsoHeld()) {
        // The duration of the pins that held this one too is not known separately.
        each.put(also.site(), new Seen(also.count(), 0));
      }
      held.forEach(
          (site, owner) -> {
            if (isMonitor(site)) {
              Key key = new Key(site.place(), site.caller());
              String unmatched = findings.unmatched().get(site.place());
              if (unmatched != null) {
                unpredicted.put(key, new Unpredicted(key, owner, each.get(site), unmatched));
                return;
              }
              seen.merge(key, each.get(site), Seen::and);
              if (!keys.contains(key) && !sites.contains(site.place())) {
                unpredicted.put(
                    key, new Unpredicted(key, owner, seen.get(key), why(site, finding, isScanned)));
              }
            }
          });
    }
    List<Unpredicted> list = new ArrayList<>(unpredicted.values());
    list.sort((a, b) -> Long.compare(b.seen().nanos(), a.seen().nanos()));
    return new ScanVsRecording(seen, list);
  }

  private static List<Key> keys(Monitor monitor) {
    String caller =
        monitor.caller().map(name -> name.owner().replace('/', '.') + "." + name.name()).orElse("");
    return Stream.concat(Stream.of(monitor.site()), monitor.others().stream())
        .map(site -> new Key(site.id(), caller))
        .toList();
  }

  /** Returns how often pins held the monitor, or another in its place; empty if none did. */
  public Optional<Seen> of(Monitor monitor) {
    return keys(monitor).stream().map(seen::get).filter(Objects::nonNull).reduce(Seen::and);
  }

  private static boolean isMonitor(Site site) {
    return site.kind().holdsMonitor();
  }

  private static String why(Site site, Pin finding, Predicate<String> isScanned) {
    List<Frame> frames = finding.stack().frames();
    boolean isJdk = new ClassRef(site.className(), "").isJdk();
    if (!isJdk && !isScanned.test(site.className())) {
      return "its class is not among those scanned";
    }
    for (int i = 0; i < frames.size(); i++) {
      Frame frame = frames.get(i);
      String type = frame.type().name();
      if (type.equals(site.className()) && frame.method().equals(site.method())) {
        break;
      }
      if (frame.isClassInitializer()) {
        return "a class initializer was run, which is not followed";
      }
      if (frame.method().equals("loadClass") || type.startsWith("jdk.internal.loader.")) {
        return "a class was loaded, which is not followed";
      }
      if (type.startsWith("java.lang.reflect.")
          || type.startsWith("jdk.internal.reflect.")
          || type.contains("$Proxy")) {
        return "the call goes by reflection, which is not seen";
      }
      if (i > 0 && frame.isNative()) {
        return "native code called back, which is not seen";
      }
    }
    return isJdk
        ? "the way there inside the JDK is one that is not followed"
        : "no call that was found leads to a wait; why is not known";
  }
}
