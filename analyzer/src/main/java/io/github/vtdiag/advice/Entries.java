package io.github.vtdiag.advice;

import io.github.vtdiag.advice.Recommendation.ChangePattern;
import io.github.vtdiag.advice.Recommendation.Keep;
import io.github.vtdiag.advice.Recommendation.Rewrite;
import io.github.vtdiag.advice.Recommendation.UpgradeJdk;
import io.github.vtdiag.advice.Recommendation.UpgradeLibrary;
import io.github.vtdiag.advice.Recommendation.Why;
import io.github.vtdiag.analysis.CauseSets.Freed;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.HarmlessPins;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.owner.PackageRoot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Groups findings with the same remedy, and sets apart those that are not worth one. A report
 * begins with what to do first, and one fault of a driver can be a dozen findings.
 */
final class Entries {
  /** The most that all minor entries take of the pinned time, not counting harmless ones. */
  static final double MINOR_SHARE = 0.01;

  /** An entry being built: its findings, and the sites that it frees. */
  private static final class Draft {
    final List<Advised> advised = new ArrayList<>();
    final Set<Recommendation> together = new LinkedHashSet<>();
    final Set<Site> all = new HashSet<>();
    final Set<Site> alone = new HashSet<>();

    /** Without what a later Java frees: that is every monitor, whatever it has to do with these. */
    final Set<Site> onAnyJava = new HashSet<>();
  }

  private final Findings findings;
  private final CauseIndex lineup;

  /**
   * The keys of locks, by place and by the method that takes the lock. All sites of a lock have the
   * same key.
   */
  private final Map<MonitorId, Object> lockOfPlace = new HashMap<>();

  private final Map<String, Object> lockOfMethod = new HashMap<>();

  Entries(Findings findings, CauseIndex lineup) {
    this.findings = findings;
    this.lineup = lineup;
    findings.pins().forEach(this::addLock);
  }

  /**
   * Returns the entries, the costliest first.
   *
   * @param advised in the findings' order, the costliest first
   */
  List<AdviceEntry> of(List<Advised> advised) {
    Map<Object, Draft> drafts = new LinkedHashMap<>();
    for (Advised each : advised) {
      Object way = way(each);
      boolean harmless = each.recommendation() instanceof Keep(Why.Harmless h);
      Optional<Draft> other =
          drafts.containsKey(way) || harmless
              ? Optional.empty()
              : drafts.values().stream().filter(draft -> frees(draft, each.finding())).findFirst();
      if (other.isPresent()) {
        other.get().advised.add(each);
      } else {
        add(each, drafts.computeIfAbsent(way, w -> new Draft()));
      }
    }
    return withMinor(
        drafts.values().stream()
            .map(this::entry)
            .sorted(Comparator.comparingLong(AdviceEntry::total).reversed())
            .toList());
  }

  private void add(Advised advised, Draft draft) {
    draft.advised.add(advised);
    draft.alone.addAll(lineup.goneBy(advised.recommendation()));
    addGone(advised.recommendation(), draft);
    for (Recommendation besides : advised.together()) {
      addGone(besides, draft);
      draft.together.add(besides);
    }
  }

  private void addGone(Recommendation by, Draft draft) {
    draft.all.addAll(lineup.goneBy(by));
    if (!(by instanceof UpgradeJdk)) {
      draft.onAnyJava.addAll(lineup.goneBy(by));
    }
  }

  /**
   * Returns a key that is the same for findings with the same remedy. A later Java remedies all
   * monitors, so there the key is the owner of the code that holds the monitor.
   */
  private Object way(Advised advised) {
    Pin finding = advised.finding();
    return switch (advised.recommendation()) {
      case Rewrite rewrite -> rewrite;
      case UpgradeLibrary upgrade -> List.of("upgrade", whose(finding), upgrade.to());
      case ChangePattern change when change.pattern().ofMany().isPresent() -> change.pattern();
      case ChangePattern change -> List.of(change.pattern(), whose(finding));
      case UpgradeJdk jdk -> List.of("later Java", whose(finding));
      case Keep(Why.Harmless harmless) -> Why.Harmless.class;
      case Keep(Why.Refused refused) -> List.of(refused.declined().rung(), lockOf(finding));
      case Keep(Why.HeldTogether held) -> List.of(held.other(), lockOf(finding));
      case Keep(Why.NotExplained unknown) -> unknown;
    };
  }

  /** Returns the library to change; without one the method, and for an initializer the class. */
  private Object whose(Pin finding) {
    Site site = finding.site();
    if (site.kind().isInitialization()) {
      return site.className();
    }
    Owner owner = finding.caller().map(Pin.Caller::owner).orElse(finding.owner());
    String type = finding.caller().map(by -> by.frame().type().name()).orElse(site.className());
    return switch (owner) {
      case Owner.Library library -> library.coordinates();
      case Owner.UnknownJar unknown when unknown.location().isEmpty() -> heldLock(finding);
      // A jar that bundles several libraries: their packages tell them apart.
      case Owner.UnknownJar unknown -> List.of(unknown.location(), packageOf(type));
      case Owner.Application application -> heldLock(finding);
      case Owner.Jdk jdk -> finding.title();
    };
  }

  /** Returns the lock; of threads that wait for a collection that of the thread inside it. */
  private Object heldLock(Pin finding) {
    return lockOf(lineup.holderOfCollection(finding).orElse(finding));
  }

  /** Returns the package that all code of a class's owner has, as far as its name tells. */
  private static String packageOf(String className) {
    return PackageRoot.of(className).orElseGet(() -> ClassRef.rootPackage(className));
  }

  /**
   * Returns the lock, so that its sites are together whether or not it is known to be replaceable:
   * a report has the same entries with and without the class path. If no site of the lock is known,
   * returns the method.
   */
  private Object lockOf(Pin finding) {
    Object ofMethod = lockOfMethod.getOrDefault(finding.title(), finding.title());
    return lockOfPlace.getOrDefault(finding.site().place(), ofMethod);
  }

  /** Adds the lock of a held monitor. For a wait to enter one, only the method is known. */
  private void addLock(Pin finding) {
    if (finding.cause() instanceof PinCause.HeldMonitor held) {
      lock(held.site())
          .ifPresent(
              lock -> {
                lockOfPlace.put(finding.site().place(), lock);
                // Findings come with the costliest first, so that one counts.
                lockOfMethod.putIfAbsent(finding.title(), lock);
              });
    }
  }

  /** Returns a key that all sites of a lock have, as far as the expression shows the lock. */
  private static Optional<Object> lock(LockSite site) {
    LockExpression lock = site.region().lock();
    return switch (lock.kind()) {
      case THIS -> Optional.of(List.of(lock.kind(), site.type().name()));
      case CLASS_LITERAL, STATIC_FIELD, INSTANCE_FIELD -> Optional.of(lock);
      case OTHER_FIELD, PARAMETER, LOCAL, CALL_RESULT, NEW_OBJECT, ARRAY_ELEMENT, UNKNOWN ->
          Optional.empty();
    };
  }

  /** Returns whether a draft's changes free every pin of another finding. */
  private boolean frees(Draft draft, Pin finding) {
    return finding.total() > 0
        && findings.sets().freedBy(draft.onAnyJava, finding).upTo() >= finding.total();
  }

  /**
   * Returns the findings with the pin that holds a monitor before the waits to enter it in the same
   * method, although they may cost more: it names the lock, and without it nobody waits.
   */
  private static List<Advised> holderFirst(List<Advised> advised) {
    Pin costliest = advised.getFirst().finding();
    if (!(costliest.cause() instanceof PinCause.MonitorEntry)) {
      return advised;
    }
    Predicate<Advised> isHolder =
        each ->
            each.finding().cause() instanceof PinCause.HeldMonitor
                && each.finding().title().equals(costliest.title());
    List<Advised> ordered = new ArrayList<>(advised);
    advised.stream()
        .filter(isHolder)
        .findFirst()
        .ifPresent(
            holder -> {
              ordered.remove(holder);
              ordered.addFirst(holder);
            });
    return ordered;
  }

  private AdviceEntry entry(Draft draft) {
    List<Advised> advised = holderFirst(draft.advised);
    Recommendation first = advised.getFirst().recommendation();
    Recommendation recommendation = recommendation(advised);
    // Without the wait the pins are gone, whatever is held around it.
    boolean all =
        recommendation instanceof ChangePattern change && change.pattern().ofMany().isPresent();
    Freed total = sum(advised, finding -> new Freed(finding.total(), 0));
    return new AdviceEntry(
        advised,
        recommendation,
        draft.together.stream().filter(each -> !each.equals(first)).toList(),
        all ? total : findings.sets().freedBy(draft.all),
        all ? total : sum(advised, finding -> findings.sets().freedBy(draft.all, finding)),
        all ? total : sum(advised, finding -> findings.sets().freedBy(draft.alone, finding)),
        recommendation instanceof Keep(Why.Harmless harmless));
  }

  /** Returns what all findings of an entry recommend, with the sites or figures of all of them. */
  private static Recommendation recommendation(List<Advised> advised) {
    return switch (advised.getFirst().recommendation()) {
      case ChangePattern change -> {
        Set<Site> sites = new HashSet<>(change.sites());
        advised.stream()
            .map(Advised::recommendation)
            .filter(
                other ->
                    other instanceof ChangePattern(DesignPattern pattern, var p, var s)
                        && pattern.equals(change.pattern()))
            .forEach(other -> sites.addAll(((ChangePattern) other).sites()));
        yield new ChangePattern(change.pattern(), change.place(), sites);
      }
      case Keep(Why.Harmless harmless) -> {
        long longest = 0;
        double share = 0;
        for (Advised each : advised) {
          longest = Math.max(longest, each.finding().longest());
          share += each.finding().shareOfCapacity().orElse(0);
        }
        yield new Keep(new Why.Harmless(longest, share));
      }
      case Keep keep -> keep;
      case Rewrite rewrite -> rewrite;
      case UpgradeLibrary upgrade -> upgrade;
      case UpgradeJdk jdk -> jdk;
    };
  }

  private static Freed sum(List<Advised> advised, Function<Pin, Freed> freed) {
    long nanos = 0;
    long unsure = 0;
    for (Advised each : advised) {
      Freed one = freed.apply(each.finding());
      nanos += one.nanos();
      unsure += one.unsureNanos();
    }
    return new Freed(nanos, unsure);
  }

  /**
   * Marks the cheapest short entries as minor, as long as they cost next to nothing together. A
   * lock that can be rewritten is never minor: {@code vtdiag patch} would rewrite it.
   */
  private List<AdviceEntry> withMinor(List<AdviceEntry> entries) {
    double most = MINOR_SHARE * findings.cost().totalNanos();
    long sum = 0;
    List<AdviceEntry> marked = new ArrayList<>();
    for (AdviceEntry entry : entries.reversed()) {
      boolean minor =
          !entry.isMinor()
              && entry.longest() <= HarmlessPins.UNRECORDED_NANOS
              && sum + entry.total() <= most
              && !(entry.recommendation() instanceof Rewrite)
              && entry.together().stream().noneMatch(Rewrite.class::isInstance);
      if (minor) {
        sum += entry.total();
      }
      marked.add(minor ? entry.minor() : entry);
    }
    return marked.reversed();
  }
}
