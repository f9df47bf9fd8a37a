package io.github.vtdiag.advice;

import io.github.vtdiag.advice.DesignPattern.Place;
import io.github.vtdiag.advice.Recommendation.ChangePattern;
import io.github.vtdiag.advice.Recommendation.Keep;
import io.github.vtdiag.advice.Recommendation.Rewrite;
import io.github.vtdiag.advice.Recommendation.UpgradeJdk;
import io.github.vtdiag.advice.Recommendation.Why;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.RefusalReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds the remedy for one cause by itself, and the reason for it. */
final class Remedies {
  /**
   * The remedy for one cause.
   *
   * @param why one clause
   */
  record Remedy(Recommendation recommendation, String why) {}

  private final Findings findings;
  private final LibraryRemedies libraries;
  private final Function<LockSite, Decision> rules;
  private final OwnSources sources;
  private final CauseIndex lineup;

  /**
   * Makes remedies from all that is known.
   *
   * @param fixes the known fixes of libraries
   * @param rules decides whether a lock can be moved
   * @param sources the sources that the user has
   */
  Remedies(
      Findings findings,
      KnownFixes fixes,
      Function<LockSite, Decision> rules,
      OwnSources sources,
      CauseIndex lineup) {
    this.findings = findings;
    this.libraries = new LibraryRemedies(findings, fixes, lineup, sources);
    this.rules = rules;
    this.sources = sources;
    this.lineup = lineup;
  }

  /** Returns the remedy for a cause that is on the stacks of {@code finding}. */
  Remedy of(Site site, PinCause cause, Owner owner, Pin finding) {
    if (cause instanceof PinCause.OfMonitor monitor) {
      return switch (monitor) {
        case PinCause.HeldMonitor held -> monitor(site, cause, held.site(), owner, finding);
        case PinCause.MonitorEntry entry ->
            monitor(site, cause, entered(site, entry), owner, finding);
        case PinCause.ObjectWait wait -> objectWait(site, wait, owner, finding);
      };
    }
    if (!site.kind().isExplained()) {
      return unexplained(cause);
    }
    if (site.isSelector() && findings.since24().isPresent() && !isOwnCaller(site, finding)) {
      return new Remedy(
          new UpgradeJdk(), "since Java 24 virtual threads that wait in a selector unmount");
    }
    if (site.kind().isInitialization() && isInCircle(finding)) {
      return change(DesignPatterns.BREAK_CIRCLE, site, owner);
    }
    // All other waits have to take place outside.
    return cause instanceof PinCause.AwaitedInitialization
        ? awaited(site, cause, owner)
        : redesign(site, cause, owner, finding);
  }

  private Remedy unexplained(PinCause cause) {
    return cause instanceof PinCause.Unexplained unknown
        ? new Remedy(new Keep(new Why.NotExplained(toKnowMore())), unknown.why())
        : new Remedy(
            new Keep(new Why.NotExplained("")),
            "the JVM itself kept the thread on its carrier, and no frame shows why");
  }

  /**
   * Returns whether the threads wait for a class while they initialize another, and never
   * continued. That takes a deadlock that was seen: slow work in an initializer is none.
   */
  private boolean isInCircle(Pin finding) {
    return finding.unended() > 0
        && finding.site().kind().isInitialization()
        && finding.alsoHeld().stream().anyMatch(also -> also.site().kind().isInitialization())
        && findings.recordings().stream()
            .flatMap(facts -> facts.hangs().stream())
            .anyMatch(hang -> hang.kind().is(DiagnosisKind.LOCK_CYCLE));
  }

  /**
   * Returns what another recording, or another call, would need to show the cause; empty if nothing
   * helps.
   */
  private String toKnowMore() {
    List<String> steps = new ArrayList<>();
    if (findings.has(Gap.Kind.NO_AGENT)) {
      steps.add("record with vtdiag's agent");
    }
    if (findings.has(Gap.Kind.CLASSES_UNREAD)) {
      steps.add("name the jars of the classes that were not found with --classpath");
    }
    return String.join(", and ", steps);
  }

  private Remedy redesign(Site site, PinCause cause, Owner owner, Pin finding) {
    Place place = new Place(site, cause, isOwn(owner, site), isOwnCaller(site, finding));
    return change(DesignPatterns.suiting(place).orElseThrow(), site, owner);
  }

  /**
   * Returns the remedy for a wait for a class, which is on no stack of the waiting threads. Without
   * a class path its owner is unknown, unless its initializer was recorded. Loading the class early
   * helps in any case.
   */
  private Remedy awaited(Site site, PinCause cause, Owner owner) {
    Owner known =
        owner instanceof Owner.UnknownJar ? lineup.initializer(site.className(), owner) : owner;
    boolean own = !known.equals(new Owner.UnknownJar("")) && isOwn(known, site);
    boolean ownSource = sources.has(new ClassRef(site.className(), "app"));
    Place place = new Place(site, cause, own || ownSource, true);
    return change(DesignPatterns.suiting(place).orElseThrow(), site, owner);
  }

  private Remedy monitor(Site site, PinCause cause, LockSite lock, Owner owner, Pin finding) {
    if (isOwn(owner, site)) {
      return switch (rules.apply(lock)) {
        case Decision.Movable(Lock movable) ->
            new Remedy(
                rewrite(List.of(movable)),
                "a virtual thread that holds a ReentrantLock can unmount");
        case Decision.Declined declined when declined.rung() == RefusalReason.JDK_COLLECTION ->
            new Remedy(
                change(DesignPatterns.WORK_ON_COPY, site, Set.of(site)).recommendation(),
                "a lock of your own would keep nobody out; " + declined.reason());
        case Decision.Declined declined when declined.rung() == RefusalReason.VALUE_OF_MAP ->
            change(DesignPatterns.LOCK_IN_MAP, site, Set.of(site));
        case Decision.Declined declined ->
            new Remedy(new Keep(new Why.Refused(declined)), declined.reason());
      };
    }
    // Without the thread that has the monitor nobody waits for it: both are one change.
    Optional<Pin> holder =
        site.equals(finding.site()) ? lineup.holderOfCollection(finding) : Optional.empty();
    Pin pin = holder.orElse(finding);
    Site at = holder.map(Pin::site).orElse(site);
    Place place = new Place(at, holder.map(Pin::cause).orElse(cause), false, isOwnCaller(at, pin));
    Optional<DesignPattern> pattern =
        DesignPatterns.suiting(place)
            .filter(change -> !DesignPatterns.isCollectionOfJdk(site, finding));
    if (pattern.isPresent()) {
      return change(pattern.get(), site, owner);
    }
    return switch (owner) {
      case Owner.Library library -> ofLibrary(site, library, finding);
      case Owner.Jdk jdk -> new Remedy(new UpgradeJdk(), "the monitor belongs to the JDK");
      case Owner.UnknownJar unknown ->
          new Remedy(new UpgradeJdk(), untold(unknown) + libraries.ifOwn(site));
      case Owner.Application application -> throw new AssertionError("own code");
    };
  }

  /** Returns a version that is free of it, or else what keeps the user's own code out of it. */
  private Remedy ofLibrary(Site site, Owner.Library library, Pin finding) {
    Remedy remedy = libraries.of(site, library, finding);
    if (!(remedy.recommendation() instanceof UpgradeJdk) || !site.equals(finding.site())) {
      return remedy;
    }
    // Without the thread that has the monitor nobody waits for it: both are one change.
    List<Pin> alike = lineup.atMonitorOf(finding);
    return alike.stream()
        .flatMap(pin -> OwnCallbacks.inside(pin).stream())
        .findFirst()
        .map(
            own ->
                new ChangePattern(
                    DesignPatterns.NO_WAIT_IN_CALLBACK,
                    own.qualifiedMethod(),
                    alike.stream().map(Pin::site).collect(Collectors.toSet())))
        .map(change -> new Remedy(change, change.pattern().why()))
        .orElse(remedy);
  }

  /**
   * Returns why it is not known which library a class belongs to; a jar that was read has no more.
   */
  private static String untold(Owner.UnknownJar jar) {
    String name = jar.location().isEmpty() ? "its jar" : jar.fileName();
    return jar.isHere()
        ? name + " does not tell which library this code belongs to"
        : name + " is not on this machine: name it with --classpath";
  }

  /**
   * Returns the remedy for Object.wait. The monitor is one that the caller holds; the rules decide
   * on that.
   */
  private Remedy objectWait(Site site, PinCause.ObjectWait wait, Owner owner, Pin finding) {
    Optional<LockSite> held =
        finding.alsoHeld().stream()
            .filter(also -> also.site().className().equals(site.className()))
            .map(Pin.AlsoHeld::cause)
            .filter(PinCause.HeldMonitor.class::isInstance)
            .map(cause -> ((PinCause.HeldMonitor) cause).site())
            .findFirst();
    if (!isOwn(owner, site)) {
      Optional<DesignPattern> pattern =
          DesignPatterns.suiting(new Place(site, wait, false, isOwnCaller(site, finding)));
      if (pattern.isPresent()) {
        return change(pattern.get(), site, owner);
      }
      return owner instanceof Owner.Library library
          ? libraries.of(site, library, finding)
          : new Remedy(new UpgradeJdk(), "Object.wait is called by code that is not yours");
    }
    if (held.isPresent()) {
      switch (rules.apply(held.get())) {
        case Decision.Movable(Lock lock) -> {
          return new Remedy(
              rewrite(List.of(lock)),
              "Object.wait becomes a Condition, and a thread that waits for that can unmount");
        }
        case Decision.Declined declined -> {
          if (declined.rung() != RefusalReason.CLASS_UNKNOWN) {
            return new Remedy(new Keep(new Why.Refused(declined)), declined.reason());
          }
        }
      }
    }
    Set<Site> sites = new LinkedHashSet<>();
    sites.add(site);
    held.ifPresent(
        lock ->
            finding.alsoHeld().stream()
                .filter(
                    also -> also.cause() instanceof PinCause.HeldMonitor h && h.site().equals(lock))
                .forEach(also -> sites.add(also.site())));
    return change(DesignPatterns.WAIT_TO_CONDITION, site, sites);
  }

  /** Returns the site at which a thread waits to enter. */
  private static LockSite entered(Site site, PinCause.MonitorEntry entry) {
    Frame frame = entry.frame();
    MonitorRegion.Kind kind =
        site.place().isMethod() ? MonitorRegion.Kind.METHOD : MonitorRegion.Kind.BLOCK;
    return new LockSite(
        frame.type(),
        frame.method(),
        frame.descriptor(),
        new MonitorRegion(
            kind,
            LockExpression.UNKNOWN,
            site.place().enterBci(),
            frame.line(),
            frame.line(),
            List.of()));
  }

  private boolean isOwn(Owner owner, Site site) {
    return switch (owner) {
      case Owner.Application application -> true;
      case Owner.Library library -> sources.has(new ClassRef(site.className(), "app"));
      case Owner.Jdk jdk -> false;
      // Without a jar the owner is unknown. The rules have no bytes either then, and say so.
      case Owner.UnknownJar unknown ->
          (unknown.location().isEmpty() && !new ClassRef(site.className(), "").isJdk())
              || sources.has(new ClassRef(site.className(), "app"));
    };
  }

  /**
   * Returns whether the caller into the JDK may be the user's own code: it is in no known library.
   */
  private boolean isOwnCaller(Site site, Pin finding) {
    return finding
        .caller()
        .filter(caller -> caller.frame().qualifiedMethod().equals(site.caller()))
        .filter(caller -> caller.owner() instanceof Owner.Library)
        .filter(caller -> !sources.has(new ClassRef(caller.frame().type().name(), "app")))
        .isEmpty();
  }

  /** Returns the remedy by a pattern at a place, with all that it takes off the stacks. */
  Remedy change(DesignPattern pattern, Site site, Owner owner) {
    return change(
        pattern,
        site,
        switch (pattern.reach()) {
          case SITE -> Set.of(site);
          case CLASS -> lineup.withItsClass(site);
          case LIBRARY -> lineup.withItsLibrary(site, owner);
        });
  }

  private static Remedy change(DesignPattern pattern, Site site, Set<Site> sites) {
    String place = site.caller().isEmpty() ? site.name() : site.caller();
    return new Remedy(new ChangePattern(pattern, place, sites), pattern.why());
  }

  static Rewrite rewrite(List<Lock> locks) {
    return new Rewrite(
        locks.stream()
            .distinct()
            .sorted(Comparator.comparing(lock -> lock.identity().toString()))
            .toList());
  }
}
