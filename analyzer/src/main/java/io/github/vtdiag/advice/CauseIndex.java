package io.github.vtdiag.advice;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.findings.KnownCollections;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.upgrade.VersionCheck;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * An index of every cause in the findings, to find those that a recommendation takes off the
 * stacks.
 */
final class CauseIndex {

  /** A cause and the owner of its code. */
  record IndexedCause(Site site, PinCause cause, Owner owner) {}

  private final Findings findings;
  private final Map<Site, IndexedCause> causes = new HashMap<>();
  private final Set<Site> goneOn24;

  CauseIndex(Findings findings) {
    this.findings = findings;
    for (Pin finding : findings.pins()) {
      causes.put(
          finding.site(), new IndexedCause(finding.site(), finding.cause(), finding.owner()));
      for (Pin.AlsoHeld also : finding.alsoHeld()) {
        causes.putIfAbsent(also.site(), new IndexedCause(also.site(), also.cause(), also.owner()));
      }
    }
    goneOn24 = where((site, held) -> !site.pinsSince24());
  }

  /** Returns the sites that no longer hold carriers once this is followed. */
  Set<Site> goneBy(Recommendation recommendation) {
    return switch (recommendation) {
      case Recommendation.Rewrite rewrite -> {
        Set<Site> gone = new HashSet<>();
        rewrite.locks().forEach(lock -> gone.addAll(sitesOf(lock)));
        yield gone;
      }
      case Recommendation.UpgradeLibrary upgrade ->
          switch (upgrade.evidence()) {
            case Recommendation.Evidence.Listed(KnownFix fix, Optional<VersionCheck> read) -> {
              Set<Site> gone = new HashSet<>(sitesOf(fix));
              read.ifPresent(check -> gone.addAll(check.gone()));
              yield gone;
            }
            case Recommendation.Evidence.Read(VersionCheck check) -> check.gone();
          };
      case Recommendation.ChangePattern change -> change.sites();
      case Recommendation.UpgradeJdk jdk -> goneOn24;
      case Recommendation.Keep keep -> Set.of();
    };
  }

  /** Returns the owner of a class whose initializer was seen; otherwise the given owner. */
  Owner initializer(String className, Owner otherwise) {
    return causes.values().stream()
        .filter(held -> held.cause() instanceof PinCause.ClassInitializer)
        .filter(held -> held.site().className().equals(className))
        .map(IndexedCause::owner)
        .findFirst()
        .orElse(otherwise);
  }

  /**
   * Returns the pins of the thread that has the collection's monitor which other threads wait to
   * enter: they are in the same method, or else in the same class, of the code that uses the
   * collection. Empty if no such pins were recorded.
   */
  Optional<Pin> holderOfCollection(Pin waiting) {
    if (!(waiting.cause() instanceof PinCause.MonitorEntry)
        || !KnownCollections.isSynchronized(waiting.site().className())) {
      return Optional.empty();
    }
    List<Pin> holders =
        findings.pins().stream()
            .filter(pin -> pin.cause() instanceof PinCause.HeldMonitor)
            .filter(pin -> pin.site().className().equals(waiting.site().className()))
            .filter(pin -> userOf(pin).isPresent() && userOf(pin).equals(userOf(waiting)))
            .toList();
    return holders.stream()
        .filter(pin -> pin.title().equals(waiting.title()))
        .findFirst()
        .or(() -> holders.stream().findFirst());
  }

  /** Returns the pins in a monitor, and those of threads that wait to enter it, the same place. */
  List<Pin> atMonitorOf(Pin finding) {
    return findings.pins().stream()
        .filter(pin -> pin.title().equals(finding.title()) && pin.owner().equals(finding.owner()))
        .filter(
            pin ->
                pin.cause() instanceof PinCause.HeldMonitor
                    || pin.cause() instanceof PinCause.MonitorEntry)
        .toList();
  }

  private static Optional<String> userOf(Pin finding) {
    return finding.caller().map(caller -> caller.frame().type().name());
  }

  /** Returns this site, and the causes in the same class that are on stacks with it. */
  Set<Site> withItsClass(Site site) {
    Set<Site> sites = new LinkedHashSet<>();
    sites.add(site);
    sites.addAll(
        where(
            (other, held) ->
                other.className().equals(site.className())
                    && findings.sets().shareAStack(site, other)));
    return sites;
  }

  /** Returns this site, and the causes in the same library that are on stacks with it. */
  Set<Site> withItsLibrary(Site site, Owner owner) {
    Set<Site> sites = new LinkedHashSet<>();
    sites.add(site);
    if (owner instanceof Owner.Library library) {
      sites.addAll(
          where(
              (other, held) ->
                  sameLibrary(held.owner(), library) && findings.sets().shareAStack(site, other)));
    }
    return sites;
  }

  private Set<Site> sitesOf(Lock lock) {
    return where(
        (site, held) ->
            held.cause() instanceof PinCause.OfMonitor of
                && switch (of) {
                  case PinCause.HeldMonitor monitor ->
                      lock.sites().stream().anyMatch(each -> isSame(each, site));
                  case PinCause.MonitorEntry entry ->
                      lock.sites().stream().anyMatch(each -> isSame(each, site));
                  case PinCause.ObjectWait wait ->
                      lock.calls().stream()
                          .anyMatch(
                              call ->
                                  call.called().equals("wait")
                                      && call.type().name().equals(site.className())
                                      && call.method().equals(site.method())
                                      && call.descriptor().equals(site.descriptor()));
                });
  }

  private boolean isSame(LockSite lock, Site site) {
    return lock.id().equals(site.place()) && !findings.unmatched().containsKey(site.place());
  }

  /**
   * Returns the monitors that a fixed version of a library frees: those that the fix names. If the
   * fix is known from whole stacks without pins, monitors on the same stacks are free as well.
   */
  private Set<Site> sitesOf(KnownFix fix) {
    Set<Site> named =
        where(
            (site, held) ->
                !site.pinsSince24()
                    && isOf(held.owner(), fix, site)
                    && fix.concerns(site.className(), site.method()));
    if (!fix.ran()) {
      return named;
    }
    Set<Site> all = new HashSet<>(named);
    all.addAll(
        where(
            (site, held) ->
                !site.pinsSince24()
                    && isOf(held.owner(), fix, site)
                    && named.stream().anyMatch(one -> findings.sets().shareAStack(one, site))));
    return all;
  }

  /**
   * Returns whether a known fix is about this cause. Either it names the holder, or whole stacks
   * ran without pins and the cause is on one with such a holder.
   */
  boolean concerns(KnownFix fix, Site site) {
    return fix.concerns(site.className(), site.method()) || sitesOf(fix).contains(site);
  }

  private static boolean isOf(Owner owner, KnownFix fix, Site site) {
    return owner instanceof Owner.Library library
        && library.coordinates().isLikely(fix.group(), fix.artifact(), site.className());
  }

  private static boolean sameLibrary(Owner owner, Owner.Library library) {
    return owner instanceof Owner.Library other
        && other.coordinates().equals(library.coordinates());
  }

  private Set<Site> where(BiPredicate<Site, IndexedCause> which) {
    return causes.entrySet().stream()
        .filter(entry -> which.test(entry.getKey(), entry.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }
}
