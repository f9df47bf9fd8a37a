package vtdiag.advice;

import static vtdiag.advice.Pattern.ASYNC_CACHE;
import static vtdiag.advice.Pattern.BLOCK_OUTSIDE_LOCK;
import static vtdiag.advice.Pattern.FUTURE_IN_MAP;
import static vtdiag.advice.Pattern.ONE_FUTURE;
import static vtdiag.advice.Pattern.OUT_OF_INITIALIZER;
import static vtdiag.advice.Pattern.OUT_OF_NATIVE_CALL;
import static vtdiag.advice.Pattern.PER_KEY_LOCK;
import static vtdiag.advice.Pattern.PLATFORM_EXECUTOR;
import static vtdiag.advice.Pattern.WAIT_TO_CONDITION;
import static vtdiag.advice.Pattern.WARM_UP_CLASS;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import vtdiag.advice.Advised.Alternative;
import vtdiag.advice.Recommendation.ChangePattern;
import vtdiag.advice.Recommendation.Keep;
import vtdiag.advice.Recommendation.Rewrite;
import vtdiag.advice.Recommendation.UpgradeJdk;
import vtdiag.advice.Recommendation.UpgradeLibrary;
import vtdiag.advice.Recommendation.Why;
import vtdiag.analysis.Finding;
import vtdiag.analysis.Findings;
import vtdiag.analysis.Findings.Freed;
import vtdiag.analysis.LockObjects;
import vtdiag.analysis.Site;
import vtdiag.model.ClassRef;
import vtdiag.model.Frame;
import vtdiag.model.LockExpression;
import vtdiag.model.LockSite;
import vtdiag.model.MonitorRegion;
import vtdiag.model.PinCause;
import vtdiag.pin.Events;
import vtdiag.program.Owner;
import vtdiag.recording.RecordingFacts;
import vtdiag.recording.RecordingFacts.EventSetting;
import vtdiag.safety.Decision;
import vtdiag.safety.Lock;
import vtdiag.safety.Rung;

/** Finds one recommendation for each finding. Pure. */
public final class Advisor {
  /** A pin up to this long holds other threads up about as long as the system's own time slices. */
  public static final long HARMLESS_NANOS = 5_000_000;

  /** Pins that take up to this part of all carrier time cost no throughput that one can measure. */
  public static final double HARMLESS_SHARE = 0.01;

  private static final String MAP = "java.util.concurrent.ConcurrentHashMap";

  /** What to do about one cause, and why. */
  private record Remedy(Recommendation recommendation, String reason) {}

  private final Findings findings;
  private final KnownFixes fixes;
  private final Function<LockSite, Decision> ladder;
  private final Predicate<ClassRef> isOwnSource;
  private final Lineup lineup;

  private Advisor(
      Findings findings,
      KnownFixes fixes,
      Function<LockSite, Decision> ladder,
      Predicate<ClassRef> isOwnSource) {
    this.findings = findings;
    this.fixes = fixes;
    this.ladder = ladder;
    this.isOwnSource = isOwnSource;
    this.lineup = new Lineup(findings);
  }

  /**
   * Advises on all findings.
   *
   * @param fixes what is known of libraries
   * @param ladder whether a lock can move
   * @param isOwnSource whether the user has the source of a class: then it can be changed, even
   *     where its jar looks like a library's
   */
  public static Advice advise(
      Findings findings,
      KnownFixes fixes,
      Function<LockSite, Decision> ladder,
      Predicate<ClassRef> isOwnSource) {
    Advisor advisor = new Advisor(findings, fixes, ladder, isOwnSource);
    List<Advised> advised = findings.findings().stream().map(advisor::advise).toList();
    Set<Site> gone = new HashSet<>();
    for (Advised each : advised) {
      gone.addAll(advisor.gone(each.recommendation(), each.together()));
    }
    return new Advice(advised, findings.freedBy(gone), fixes);
  }

  private Advised advise(Finding finding) {
    if (isHarmless(finding)) {
      Why why = new Why.Harmless(finding.longest(), finding.shareOfCapacity().orElseThrow());
      return advised(finding, new Remedy(new Keep(why), "short, and few"), List.of(), List.of());
    }
    Remedy primary = remedy(finding.site(), finding.cause(), finding.owner(), finding);
    Set<Site> gone = new HashSet<>(lineup.goneBy(primary.recommendation()));
    List<Lock> locks = new ArrayList<>();
    if (primary.recommendation() instanceof Rewrite rewrite) {
      locks.addAll(rewrite.locks());
    }
    Set<Recommendation> together = new LinkedHashSet<>();
    Optional<Why.HeldTogether> inTheWay = Optional.empty();
    for (Finding.AlsoHeld also : finding.alsoHeld()) {
      if (gone.contains(also.site())) {
        continue;
      }
      Recommendation further =
          remedy(also.site(), also.cause(), also.owner(), finding).recommendation();
      gone.addAll(lineup.goneBy(further));
      if (further instanceof Rewrite rewrite) {
        locks.addAll(rewrite.locks());
      } else if (further instanceof Keep(Why.Refused(Decision.Declined declined))) {
        inTheWay = inTheWay.or(() -> Optional.of(new Why.HeldTogether(also.site(), declined)));
      } else if (!(further instanceof Keep)) {
        together.add(further);
      }
    }
    if (!locks.isEmpty()) {
      Rewrite rewrite = rewrite(locks);
      if (primary.recommendation() instanceof Rewrite) {
        primary = new Remedy(rewrite, primary.reason());
      } else {
        together.add(rewrite);
      }
    }
    if (together.contains(new UpgradeJdk())) {
      // A library on the stack needs it, and then it frees the other monitors too.
      if (freesAllThat(new UpgradeJdk(), gone, finding)) {
        String reason =
            "a monitor on the same stacks is in code for which no fixed version is known, and all"
                + " must go";
        return advised(finding, new Remedy(new UpgradeJdk(), reason), List.of(), List.of());
      }
    }
    if (inTheWay.isPresent()
        && !(primary.recommendation() instanceof Keep)
        && findings.freedBy(gone, finding).upTo() == 0) {
      Remedy keep =
          new Remedy(
              new Keep(inTheWay.get()),
              "it is held together with "
                  + inTheWay.get().other().name()
                  + ", which has to stay, so moving this one alone frees nothing");
      return advised(finding, keep, List.of(), List.of(BLOCK_OUTSIDE_LOCK));
    }
    if (primary.recommendation() instanceof Keep) {
      together.clear();
    }
    return advised(
        finding, primary, List.copyOf(together), otherPatterns(finding, primary.recommendation()));
  }

  private boolean freesAllThat(Recommendation one, Set<Site> gone, Finding finding) {
    return findings.freedBy(lineup.goneBy(one), finding).upTo()
        >= findings.freedBy(gone, finding).upTo();
  }

  /**
   * Whether its pins are short and take little of the carriers. If JFR left the shortest out, this
   * is said of those it recorded: the ones left out are shorter still.
   */
  private static boolean isHarmless(Finding finding) {
    return finding.longest() <= HARMLESS_NANOS
        && finding.shareOfCapacity().isPresent()
        && finding.shareOfCapacity().getAsDouble() <= HARMLESS_SHARE;
  }

  private Remedy remedy(Site site, PinCause cause, Owner owner, Finding finding) {
    return switch (cause) {
      case PinCause.HeldMonitor held -> monitor(site, held.site(), owner);
      case PinCause.MonitorEntry entry -> monitor(site, entered(site, entry), owner);
      case PinCause.ObjectWait wait -> objectWait(site, owner, finding);
      case PinCause.NativeFrame frame ->
          change(OUT_OF_NATIVE_CALL, site, lineup.withItsLibrary(site, owner));
      case PinCause.ClassInitializer frame ->
          change(isOwn(owner, site) ? OUT_OF_INITIALIZER : WARM_UP_CLASS, site);
      case PinCause.AwaitedInitialization awaited ->
          change(isOwn(owner, site) ? OUT_OF_INITIALIZER : WARM_UP_CLASS, site);
      case PinCause.ClassLoading loading -> change(WARM_UP_CLASS, site);
      case PinCause.HiddenVmFrame hidden ->
          notExplained("JFR reports a native or VM frame that is not on the stack");
      case PinCause.Unexplained unexplained -> notExplained(unexplained.why());
    };
  }

  private Remedy notExplained(String why) {
    boolean withAgent = findings.recordings().stream().allMatch(f -> f.agent().isPresent());
    String remedy =
        withAgent
            ? "name the application's jars with --classpath"
            : "record with vtdiag's agent, and name the application's jars with --classpath";
    return new Remedy(new Keep(new Why.NotExplained(remedy)), why);
  }

  private Remedy monitor(Site site, LockSite lock, Owner owner) {
    if (isOwn(owner, site)) {
      return switch (ladder.apply(lock)) {
        case Decision.Movable(Lock movable) ->
            new Remedy(
                rewrite(List.of(movable)),
                "a ReentrantLock lets a virtual thread unmount while it holds it");
        case Decision.Declined declined ->
            new Remedy(new Keep(new Why.Refused(declined)), declined.reason());
      };
    }
    Optional<Pattern> pattern = knownPattern(site);
    if (pattern.isPresent()) {
      return change(pattern.get(), site, lineup.withItsLibrary(site, owner));
    }
    return switch (owner) {
      case Owner.Library library -> ofLibrary(site, library);
      case Owner.Jdk jdk -> new Remedy(new UpgradeJdk(), "the monitor is the JDK's own");
      case Owner.UnknownJar unknown ->
          new Remedy(
              new UpgradeJdk(),
              "its jar tells no version, so no fix can be looked up; if it is your own code, name"
                  + " its sources with --sources");
      case Owner.Application application -> throw new AssertionError("own code");
    };
  }

  private Remedy ofLibrary(Site site, Owner.Library library) {
    String name = library.coordinates().text();
    Optional<KnownFix> known = fixes.about(library.coordinates(), site.className(), site.method());
    if (known.isEmpty()) {
      return new Remedy(
          new UpgradeJdk(),
          "no fixed version of "
              + name
              + " is known; if it is your own code, name its sources with --sources");
    }
    KnownFix fix = known.get();
    if (fix.fixedIn().isEmpty()) {
      return new Remedy(
          new UpgradeJdk(),
          "no fixed version is known: " + fix.lastSeen() + " pins too (" + fix.evidence() + ")");
    }
    if (library.coordinates().version().isEmpty()) {
      return new Remedy(
          new UpgradeJdk(),
          fix.fixedIn().get() + " is known to be fixed, but the jar does not tell its version");
    }
    if (!KnownFixes.isOlder(library.coordinates(), fix.fixedIn().get())) {
      return new Remedy(
          new UpgradeJdk(),
          "this monitor pins although " + fix.fixedIn().get() + " is listed as fixed");
    }
    return new Remedy(
        new UpgradeLibrary(library.coordinates().version(), fix),
        fix.lastSeen() + " is the last version seen to pin (" + fix.evidence() + ")");
  }

  /** What callers of the JDK and of well-known libraries can do about a monitor inside. */
  private static Optional<Pattern> knownPattern(Site site) {
    if (site.caller().startsWith("com.github.benmanes.caffeine.")
        || site.className().startsWith("com.github.benmanes.caffeine.")
        || site.className().startsWith("com.google.common.cache.LocalCache")) {
      return Optional.of(ASYNC_CACHE);
    }
    if (site.className().startsWith("com.google.common.base.Suppliers$")) {
      return Optional.of(ONE_FUTURE);
    }
    if (site.className().equals(MAP)) {
      return Optional.of(
          switch (site.method()) {
            case "compute", "computeIfPresent", "merge", "replaceNode" -> PER_KEY_LOCK;
            default -> FUTURE_IN_MAP;
          });
    }
    return Optional.empty();
  }

  /** The monitor that is waited on is one that the caller holds; the ladder decides on that. */
  private Remedy objectWait(Site site, Owner owner, Finding finding) {
    Optional<LockSite> held =
        finding.alsoHeld().stream()
            .filter(also -> also.site().className().equals(site.className()))
            .map(Finding.AlsoHeld::cause)
            .filter(PinCause.HeldMonitor.class::isInstance)
            .map(cause -> ((PinCause.HeldMonitor) cause).site())
            .findFirst();
    if (!isOwn(owner, site)) {
      return owner instanceof Owner.Library library
          ? ofLibrary(site, library)
          : new Remedy(new UpgradeJdk(), "Object.wait is called by code of others");
    }
    if (held.isPresent()) {
      switch (ladder.apply(held.get())) {
        case Decision.Movable(Lock lock) -> {
          return new Remedy(
              rewrite(List.of(lock)),
              "with the lock, Object.wait becomes a Condition, which lets a virtual thread"
                  + " unmount");
        }
        case Decision.Declined declined -> {
          if (declined.rung() != Rung.CLASS_UNKNOWN) {
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
    return change(WAIT_TO_CONDITION, site, sites);
  }

  /** The site at which a thread waits to enter. */
  private static LockSite entered(Site site, PinCause.MonitorEntry entry) {
    Frame frame = entry.frame();
    MonitorRegion.Kind kind =
        site.enterBci() < 0 ? MonitorRegion.Kind.METHOD : MonitorRegion.Kind.BLOCK;
    return new LockSite(
        frame.type(),
        frame.method(),
        frame.descriptor(),
        new MonitorRegion(
            kind, LockExpression.UNKNOWN, site.enterBci(), frame.line(), frame.line(), List.of()));
  }

  private boolean isOwn(Owner owner, Site site) {
    return switch (owner) {
      case Owner.Application application -> true;
      case Owner.Library library -> isOwnSource.test(new ClassRef(site.className(), "app"));
      case Owner.Jdk jdk -> false;
      // Without any jar to ask nobody can tell; then the ladder has no bytes either, and says so.
      case Owner.UnknownJar unknown ->
          (unknown.location().isEmpty() && !new ClassRef(site.className(), "").isJdk())
              || isOwnSource.test(new ClassRef(site.className(), "app"));
    };
  }

  private static Remedy change(Pattern pattern, Site site) {
    return change(pattern, site, Set.of(site));
  }

  private static Remedy change(Pattern pattern, Site site, Set<Site> sites) {
    String place = site.caller().isEmpty() ? site.name() : site.caller();
    return new Remedy(new ChangePattern(pattern, place, sites), pattern.why());
  }

  private static Rewrite rewrite(List<Lock> locks) {
    return new Rewrite(
        locks.stream()
            .distinct()
            .sorted(Comparator.comparing(lock -> lock.identity().toString()))
            .toList());
  }

  /** What else a careful developer would think of. */
  private List<Pattern> otherPatterns(Finding finding, Recommendation primary) {
    return switch (primary) {
      case Rewrite rewrite ->
          // A thread waits in its monitor for as long as it likes: that is what it is for.
          finding.cause() instanceof PinCause.ObjectWait ? List.of() : List.of(BLOCK_OUTSIDE_LOCK);
      case UpgradeLibrary upgrade -> List.of(PLATFORM_EXECUTOR);
      case ChangePattern change ->
          switch (change.pattern()) {
            case FUTURE_IN_MAP -> List.of(PER_KEY_LOCK);
            case OUT_OF_INITIALIZER -> List.of(WARM_UP_CLASS);
            case OUT_OF_NATIVE_CALL,
                PER_KEY_LOCK,
                ASYNC_CACHE,
                ONE_FUTURE,
                WARM_UP_CLASS,
                WAIT_TO_CONDITION,
                BLOCK_OUTSIDE_LOCK,
                PLATFORM_EXECUTOR ->
                List.of();
          };
      case UpgradeJdk jdk ->
          finding.owner() instanceof Owner.Library ? List.of(PLATFORM_EXECUTOR) : List.of();
      case Keep(Why.Refused refused) -> List.of(BLOCK_OUTSIDE_LOCK);
      case Keep keep -> List.of();
    };
  }

  private Advised advised(
      Finding finding, Remedy remedy, List<Recommendation> together, List<Pattern> patterns) {
    List<Alternative> alternatives = new ArrayList<>();
    for (Pattern pattern : patterns) {
      // An executor takes the whole library off the stack; the others, just this cause.
      Set<Site> sites =
          pattern == PLATFORM_EXECUTOR
              ? lineup.withItsLibrary(finding.site(), finding.owner())
              : Set.of(finding.site());
      Recommendation other = change(pattern, finding.site(), sites).recommendation();
      alternative(other, finding).ifPresent(alternatives::add);
    }
    boolean harmless = remedy.recommendation() instanceof Keep(Why.Harmless h);
    if (!(remedy.recommendation() instanceof UpgradeJdk) && !harmless) {
      alternative(new UpgradeJdk(), finding).ifPresent(alternatives::add);
    }
    Set<Site> gone = gone(remedy.recommendation(), together);
    Freed freed = findings.freedBy(gone);
    Sharing sharing = sharing(finding);
    return new Advised(
        finding,
        remedy.recommendation(),
        remedy.reason(),
        together,
        new Effect(
            freed,
            findings.freedBy(gone, finding),
            findings.freedBy(lineup.goneBy(remedy.recommendation()), finding),
            sharing,
            predict(finding, freed, sharing, remedy.recommendation())),
        alternatives);
  }

  private Optional<Alternative> alternative(Recommendation other, Finding finding) {
    Set<Site> gone = lineup.goneBy(other);
    Freed freed = findings.freedBy(gone, finding);
    return freed.upTo() == 0
        ? Optional.empty()
        : Optional.of(
            new Alternative(
                other, freed, predict(finding, findings.freedBy(gone), sharing(finding), other)));
  }

  private Set<Site> gone(Recommendation recommendation, List<Recommendation> together) {
    Set<Site> gone = new HashSet<>(lineup.goneBy(recommendation));
    together.forEach(each -> gone.addAll(lineup.goneBy(each)));
    return gone;
  }

  private Sharing sharing(Finding finding) {
    return switch (finding.cause()) {
      case PinCause.MonitorEntry entry -> Sharing.CONTENDED;
      case PinCause.HeldMonitor held ->
          finding
              .lockObjects()
              .map(Advisor::sharing)
              .orElseGet(
                  () -> isContended(finding.site()) ? Sharing.CONTENDED : Sharing.NOT_SAMPLED);
      case PinCause.ObjectWait wait -> Sharing.NO_LOCK;
      case PinCause.NativeFrame frame -> Sharing.NO_LOCK;
      case PinCause.ClassInitializer frame -> Sharing.NO_LOCK;
      case PinCause.AwaitedInitialization awaited -> Sharing.NO_LOCK;
      case PinCause.ClassLoading loading -> Sharing.NO_LOCK;
      case PinCause.HiddenVmFrame hidden -> Sharing.NO_LOCK;
      case PinCause.Unexplained unexplained -> Sharing.NO_LOCK;
    };
  }

  /** From the sampled pins; one thread alone cannot show that an object is shared. */
  static Sharing sharing(LockObjects seen) {
    if (seen.threads() < 2) {
      return Sharing.NOT_SAMPLED;
    }
    if (seen.threadsOfBusiest() * 2 > seen.threads() && seen.threadsOfBusiest() > 1) {
      return Sharing.ONE_OBJECT;
    }
    return seen.threadsOfBusiest() == 1 || seen.threadsOfBusiest() * 4 <= seen.threads()
        ? Sharing.OWN_OBJECTS
        : Sharing.SOME_SHARED;
  }

  /** Whether threads were seen to wait where this site takes its monitor. */
  private boolean isContended(Site site) {
    return findings.findings().stream()
        .map(Finding::site)
        .anyMatch(
            other ->
                other.kind() == Site.Kind.MONITOR_ENTRY
                    && other.className().equals(site.className())
                    && other.method().equals(site.method())
                    && other.enterBci() == site.enterBci());
  }

  private Prediction predict(
      Finding finding, Freed freed, Sharing sharing, Recommendation recommendation) {
    if (freed.upTo() == 0) {
      return new Prediction.None("nothing is freed");
    }
    if (findings.recordings().size() != 1) {
      return new Prediction.None("several recordings have no one rate");
    }
    RecordingFacts facts = findings.recordings().getFirst();
    OptionalInt parallelism = facts.parallelism();
    if (parallelism.isEmpty()) {
      return new Prediction.None("the number of carriers is not known");
    }
    if (recommendation instanceof ChangePattern) {
      return new Prediction.None("how the changed code will wait is yours to design");
    }
    if (finding.cause() instanceof PinCause.MonitorEntry) {
      return new Prediction.None("the wait depends on what the holder of the monitor does");
    }
    EventSetting pinned = facts.settings().get(Events.PINNED);
    return new Throughput(
            parallelism.getAsInt(),
            finding.threads(),
            facts.waitingThreads(),
            finding.count(),
            finding.total(),
            findings.cost().totalNanos(),
            freed.nanos(),
            finding.activeNanos(),
            pinned == null ? 0 : pinned.thresholdNanos())
        .predict(sharing);
  }

  /** The fallback where no class files are at hand. */
  public static Decision unknown(LockSite site) {
    return new Decision.Declined(
        Rung.CLASS_UNKNOWN,
        "the class files to look for every other site of the lock of "
            + site.qualifiedMethod()
            + " are not at hand; name the application's with --classpath",
        List.of(site));
  }
}
