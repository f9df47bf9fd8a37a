package io.github.vtdiag.analysis;

import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Finding.Hang;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The identities of a run's findings. No two pin findings have the same one. All other findings are
 * made for each recording, and those of one place have one identity in all of them.
 */
public final class Identities {
  /** The order in the code of findings that differ only in their place in the method. */
  private static final Comparator<Pin> IN_THE_CODE =
      Comparator.comparing((Pin finding) -> finding.site().className(), StableNames::byNumber)
          .thenComparing(finding -> finding.site().method(), StableNames::byNumber)
          .thenComparing(finding -> finding.site().descriptor())
          .thenComparingInt(finding -> finding.site().place().enterBci())
          .thenComparing(finding -> finding.site().caller(), StableNames::byNumber)
          .thenComparing(finding -> finding.site().detail());

  private final IdentityHashMap<Pin, Identity> pins = new IdentityHashMap<>();
  private final IdentityHashMap<Behavior, Identity> behaviors = new IdentityHashMap<>();

  private Identities() {}

  /** Returns the identities of all findings of a run. */
  public static Identities of(Findings findings) {
    Identities identities = new Identities();
    Map<String, List<Pin>> byKey =
        findings.pins().stream().collect(Collectors.groupingBy(Identities::identityKey));
    byKey.forEach(
        (key, same) -> {
          List<Pin> ordered = same.stream().sorted(IN_THE_CODE).toList();
          List<Integer> numbers =
              ordered.stream().flatMap(pin -> number(findings, pin).stream()).distinct().toList();
          boolean known = numbers.size() == ordered.size();
          for (int i = 0; i < ordered.size(); i++) {
            identities.pins.put(
                ordered.get(i), new Identity(key, known ? numbers.get(i) : i + 1, !known));
          }
        });
    findings.behaviors().stream()
        .collect(Collectors.groupingBy(Identities::identityKey))
        .forEach(
            (key, same) -> {
              List<String> places =
                  same.stream()
                      .map(Identities::place)
                      .distinct()
                      .sorted(StableNames::byNumber)
                      .toList();
              for (Behavior each : same) {
                identities.behaviors.put(
                    each, new Identity(key, places.indexOf(place(each)) + 1, places.size() > 1));
              }
            });
    return identities;
  }

  private static Optional<Integer> number(Findings findings, Pin pin) {
    return Optional.ofNullable(findings.numbers().get(pin.site()));
  }

  /**
   * Returns the identities of a hang, each with its places. Threads in a lock cycle are one
   * finding. In other hangs each place has its own identity, because it is an accident which places
   * occur together. A hang without a place in the recording is identified by its kind alone, so it
   * cannot be distinguished from another one.
   */
  public static Map<Identity, List<HangPlace>> of(Hang hang) {
    Map<String, List<HangPlace>> byKey =
        hang.seen().places().stream()
            .collect(
                Collectors.groupingBy(Identities::identityKey, TreeMap::new, Collectors.toList()));
    if (byKey.isEmpty() || hang.seen().kind().is(DiagnosisKind.LOCK_CYCLE)) {
      return Map.of(hung(hang, String.join(", ", byKey.keySet())), hang.seen().places());
    }
    Map<Identity, List<HangPlace>> each = new LinkedHashMap<>();
    byKey.forEach((key, places) -> each.put(hung(hang, key), places));
    return each;
  }

  private static Identity hung(Hang hang, String where) {
    return new Identity(words("HANG", hang.seen().kind().baselineName(), where), 1);
  }

  /** Returns the identity of one of the run's pin findings. */
  public Identity of(Pin finding) {
    return known(pins.get(finding));
  }

  /** Returns the identity of a wait or a misuse. */
  public Identity of(Behavior finding) {
    return known(behaviors.get(finding));
  }

  /**
   * Returns the names that users may give to a finding's place: its method or its class, with or
   * without numbers.
   */
  public static Set<String> names(Pin finding) {
    Set<String> names = new LinkedHashSet<>();
    for (String name : List.of(finding.title(), finding.site().name())) {
      names.add(name);
      names.add(StableNames.qualifiedMethod(name));
    }
    for (String type :
        List.of(
            finding.place().map(frame -> frame.type().name()).orElse(""),
            finding.site().className())) {
      names.add(type);
      names.add(StableNames.type(type));
    }
    names.remove("");
    return names;
  }

  /** Returns whether an identity is that of pins at a monitor that this method enters. */
  public static boolean isAtMonitorIn(Identity pin, String method) {
    String at = " " + StableNames.qualifiedMethod(method) + " ";
    return Stream.of(PinKind.values())
        .filter(PinKind::isAtMonitor)
        .anyMatch(kind -> (pin.kin() + " ").startsWith(kind.name() + at));
  }

  private static Identity known(Identity identity) {
    if (identity == null) {
      throw new IllegalArgumentException("the finding is of another run");
    }
    return identity;
  }

  private static String identityKey(Pin finding) {
    Site site = finding.site();
    String at =
        site.className().isEmpty()
            ? ""
            : StableNames.type(site.className())
                + (site.method().isEmpty() ? "" : "." + StableNames.method(site.method()));
    String from =
        site.caller().isEmpty() ? "" : "from " + StableNames.qualifiedMethod(site.caller());
    return words(site.kind().identity(site, finding.cause(), at), from);
  }

  private static String identityKey(Behavior behavior) {
    Observation seen = behavior.seen();
    String site = seen.site().map(frame -> "from " + method(frame)).orElse("");
    return words(behavior.kind().name(), behavior.kind().identity(seen), site);
  }

  private static String place(Behavior behavior) {
    return behavior.kind().place(behavior.seen());
  }

  private static String identityKey(HangPlace place) {
    return words(
        "in " + StableNames.qualifiedMethod(place.method()),
        place.caller().isEmpty() ? "" : "from " + StableNames.qualifiedMethod(place.caller()),
        place.lock().isEmpty() ? "" : "for " + StableNames.type(place.lock()),
        place.holder().isEmpty() ? "" : "held in " + StableNames.qualifiedMethod(place.holder()));
  }

  static String method(Frame frame) {
    return StableNames.type(frame.type().name()) + "." + StableNames.method(frame.method());
  }

  static String words(String... parts) {
    return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(" "));
  }
}
