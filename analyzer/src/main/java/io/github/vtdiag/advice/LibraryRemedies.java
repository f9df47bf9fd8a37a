package io.github.vtdiag.advice;

import io.github.vtdiag.advice.Recommendation.Evidence;
import io.github.vtdiag.advice.Recommendation.UpgradeJdk;
import io.github.vtdiag.advice.Recommendation.UpgradeLibrary;
import io.github.vtdiag.advice.Remedies.Remedy;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.upgrade.Upgrade;
import io.github.vtdiag.upgrade.VersionCheck;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds remedies for a library's monitors: first a version that was measured, then one whose
 * classes were read, then the JDK.
 */
final class LibraryRemedies {
  private final Findings findings;
  private final KnownFixes fixes;
  private final CauseIndex lineup;
  private final OwnSources sources;

  LibraryRemedies(Findings findings, KnownFixes fixes, CauseIndex lineup, OwnSources sources) {
    this.sources = sources;
    this.findings = findings;
    this.fixes = fixes;
    this.lineup = lineup;
  }

  /** Returns the remedy for a cause that is on the stacks of {@code finding}. */
  Remedy of(Site site, Owner.Library library, Pin finding) {
    Coordinates coordinates = library.coordinates();
    Optional<Upgrade> read = fixes.read(coordinates).filter(upgrade -> !upgrade.checks().isEmpty());
    Optional<KnownFix> known =
        fixes
            .of(coordinates, site.className())
            .filter(fix -> lineup.concerns(fix, site) || isFreeOf(site, fix, read));
    Optional<KnownFix> fixed = known.filter(fix -> isFixedLater(fix, coordinates));
    if (fixed.isPresent()) {
      Optional<VersionCheck> check =
          read.flatMap(upgrade -> upgrade.check(fixed.get().fixedIn().orElseThrow()));
      // A fix known only from counting instructions is less certain than a check of these stacks.
      boolean refuted =
          check.isPresent() && !check.get().gone().contains(site) && !fixed.get().ran();
      if (!refuted) {
        return listed(fixed.get(), coordinates, check);
      }
    }
    return read.map(upgrade -> read(site, upgrade, finding))
        .orElseGet(
            () ->
                new Remedy(
                    new UpgradeJdk(),
                    ofOthers(site, coordinates)
                        .filter(others -> known.isEmpty())
                        .orElseGet(() -> whyNone(site, known, coordinates))));
  }

  /**
   * Returns what the list says about other monitors of the library, if a later version is free of
   * them: this one may be among them.
   */
  private Optional<String> ofOthers(Site site, Coordinates library) {
    return fixes
        .of(library, site.className())
        .filter(fix -> isFixedLater(fix, library))
        .map(
            fix ->
                fix.fixedIn().orElseThrow()
                    + " replaced the monitors of "
                    + fix.holderTypes()
                    + " ("
                    + fix.evidence()
                    + "); whether "
                    + simple(site)
                    + (fixes.read(library).isPresent()
                        ? " is among them is not known"
                        : " is among them: --upgrades"));
  }

  /**
   * Returns whether the classes of the listed version are free of the site, which the list itself
   * does not say.
   */
  private static boolean isFreeOf(Site site, KnownFix fix, Optional<Upgrade> read) {
    return fix.fixedIn()
        .flatMap(version -> read.flatMap(upgrade -> upgrade.check(version)))
        .filter(check -> check.gone().contains(site))
        .isPresent();
  }

  private static boolean isFixedLater(KnownFix fix, Coordinates library) {
    return fix.fixedIn().filter(version -> KnownFixes.isOlder(library, version)).isPresent();
  }

  private static String simple(Site site) {
    return new ClassRef(site.className(), "").simpleName()
        + (site.method().isEmpty() ? "" : "." + site.method());
  }

  private static Remedy listed(KnownFix fix, Coordinates library, Optional<VersionCheck> check) {
    String to = fix.fixedIn().orElseThrow();
    return new Remedy(
        new UpgradeLibrary(
            fix.library(), library.version(), fix.library(), to, new Evidence.Listed(fix, check)),
        fix.lastSeen()
            + " is the last version seen to pin ("
            + fix.evidence()
            + ")"
            + check.map(each -> "; " + each.evidence()).orElse(""));
  }

  /**
   * Returns advice for code that may be the user's own; empty if its sources would be there then,
   * or the user's code is known to be elsewhere.
   */
  String ifOwn(Site site) {
    return sources.areNamed() || isOfOthers(site)
        ? ""
        : "; if it is your own code, name its sources with --sources";
  }

  /**
   * Returns whether the recordings show code of the application, and none has the root package of
   * the site.
   */
  private boolean isOfOthers(Site site) {
    Set<String> own = own();
    return !own.isEmpty() && !own.contains(ClassRef.rootPackage(site.className()));
  }

  private Set<String> own() {
    Stream<String> behind =
        findings.behaviors().stream()
            .flatMap(behavior -> behavior.seen().site().stream())
            .map(frame -> frame.type().name());
    Stream<String> pinned =
        findings.pins().stream()
            .flatMap(pin -> pin.reachedFrom().stream())
            .map(from -> from.frame().type().name());
    return Stream.concat(behind, pinned).map(ClassRef::rootPackage).collect(Collectors.toSet());
  }

  private String whyNone(Site site, Optional<KnownFix> known, Coordinates library) {
    if (known.isEmpty()) {
      return "no fixed version of "
          + library.text()
          + " is known"
          // A library with a known group id is not the user's; otherwise it might be.
          + (library.group().isEmpty() ? ifOwn(site) : "");
    }
    KnownFix fix = known.get();
    if (fix.fixedIn().isEmpty()) {
      return "no fixed version is known: " + fix.lastSeen() + " pins too (" + fix.evidence() + ")";
    }
    return library.version().isEmpty()
        ? fix.fixedIn().get() + " is known to be fixed, but the jar does not name its version"
        : "this monitor pins although " + fix.fixedIn().get() + " is listed as fixed";
  }

  /** Returns a remedy from classes alone. A version that frees only a part must free some pins. */
  private Remedy read(Site site, Upgrade upgrade, Pin finding) {
    VersionCheck last = upgrade.last().orElseThrow();
    Optional<VersionCheck> free = upgrade.firstFree().flatMap(upgrade::check);
    if (free.isPresent()) {
      return new Remedy(
          upgrade(upgrade, free.get()),
          free.get().evidence() + (last.isFree() ? "" : "; but " + last.evidence()));
    }
    UpgradeLibrary newest = upgrade(upgrade, last);
    boolean helps =
        lineup.goneBy(newest).contains(site)
            && findings.sets().freedBy(lineup.goneBy(newest), finding).upTo() > 0;
    return helps
        ? new Remedy(newest, last.evidence())
        : new Remedy(new UpgradeJdk(), "no version that was read is free: " + last.evidence());
  }

  private static UpgradeLibrary upgrade(Upgrade upgrade, VersionCheck check) {
    Coordinates library = upgrade.library();
    return new UpgradeLibrary(
        library.name(),
        library.version(),
        check.library(),
        check.version(),
        new Evidence.Read(check));
  }
}
