package io.github.vtdiag.analysis;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.pin.Attributor.LockMapSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The numbers of sites that share a name, counted among all that the class has. They are the same
 * in every recording, whichever of the sites pinned there. They come from the lock map; without one
 * they are not known.
 */
public final class SiteNumbers {
  /** Methods with one name, in the order of their numbers. */
  private static final Comparator<MethodMonitors> IN_THE_CODE =
      Comparator.comparing(MethodMonitors::name, StableNames::byNumber)
          .thenComparing(MethodMonitors::descriptor);

  private final LockMapSource maps;

  private SiteNumbers(LockMapSource maps) {
    this.maps = maps;
  }

  /** Returns the numbers of the pins' sites, as far as the lock maps have them. */
  public static Map<Site, Integer> of(List<Pin> pins, LockMapSource maps) {
    SiteNumbers numbers = new SiteNumbers(maps);
    Map<Site, Integer> known = new HashMap<>();
    for (Pin pin : pins) {
      numbers.of(pin).ifPresent(number -> known.put(pin.site(), number));
    }
    return known;
  }

  private OptionalInt of(Pin pin) {
    Site site = pin.site();
    if (!isPlain(site.className())) {
      return OptionalInt.empty(); // No lock map shows the number of such classes.
    }
    if (!site.caller().isEmpty()) {
      return pin.caller().map(caller -> ofMethod(caller.frame())).orElse(OptionalInt.empty());
    }
    return site.kind().number(pin, this);
  }

  /**
   * @param kind the kind of the monitors that count; null for both
   * @param words the lock of the monitors that count; empty for any
   */
  OptionalInt ofMonitor(Pin pin, MonitorRegion.Kind kind, String words) {
    MonitorId place = pin.site().place();
    ClassRef type = pin.frame().map(Frame::type).orElse(new ClassRef(place.className(), ""));
    // For a class whose bytecode was changed, places are those of its class file.
    List<ClassMonitors> known =
        maps.find(type).stream()
            .sorted(Comparator.comparing(map -> !map.changedBy().isEmpty()))
            .toList();
    for (ClassMonitors map : known) {
      List<MonitorId> all = new ArrayList<>();
      for (MethodMonitors method : named(map, place.method())) {
        for (MonitorRegion region : method.regions()) {
          if ((kind == null || region.kind() == kind)
              && (words.isEmpty() || PinKind.words(region.lock()).equals(words))) {
            all.add(
                new MonitorId(
                    place.className(), method.name(), method.descriptor(), region.enterBci()));
          }
        }
      }
      if (all.contains(place)) {
        return OptionalInt.of(all.indexOf(place) + 1);
      }
    }
    return OptionalInt.empty();
  }

  /** Returns the number of a site that is named by its method. */
  OptionalInt ofMethod(Frame frame) {
    if (!isPlain(frame.type().name())) {
      return OptionalInt.empty();
    }
    for (ClassMonitors map : maps.find(frame.type())) {
      int number = 1;
      for (MethodMonitors method : named(map, frame.method())) {
        if (method.name().equals(frame.method())
            && method.descriptor().equals(frame.descriptor())) {
          return OptionalInt.of(number);
        }
        number++;
      }
    }
    return OptionalInt.empty();
  }

  private static List<MethodMonitors> named(ClassMonitors map, String name) {
    String stable = StableNames.method(name);
    return map.methods().stream()
        .filter(method -> StableNames.method(method.name()).equals(stable))
        .sorted(IN_THE_CODE)
        .toList();
  }

  private static boolean isPlain(String className) {
    return StableNames.type(className).equals(className);
  }
}
