package io.github.vtdiag.report.words;

import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.advice.Advised;
import io.github.vtdiag.advice.Prediction;
import io.github.vtdiag.advice.Recommendation;
import io.github.vtdiag.advice.Recommendation.ChangePattern;
import io.github.vtdiag.advice.Recommendation.Keep;
import io.github.vtdiag.advice.Recommendation.Rewrite;
import io.github.vtdiag.advice.Recommendation.UpgradeJdk;
import io.github.vtdiag.advice.Recommendation.UpgradeLibrary;
import io.github.vtdiag.advice.Recommendation.Why;
import io.github.vtdiag.advice.Sharing;
import io.github.vtdiag.analysis.CauseSets.Freed;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.RefusalReason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Advice in words. */
public final class AdviceWords {
  /** The length of a wait for an object of a pool from which on it may be lost, as for stalls. */
  private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** The ways in which other threads wait for the same lock. */
  private static final Set<Sharing> SHARED =
      Set.of(Sharing.ONE_OBJECT, Sharing.SOME_SHARED, Sharing.CONTENDED);

  private AdviceWords() {}

  /** Returns what to do, as a clause without a full stop. */
  public static String toDo(Recommendation recommendation) {
    return switch (recommendation) {
      case Rewrite rewrite when rewrite.locks().size() == 1 -> {
        Lock lock = rewrite.locks().getFirst();
        yield "replace the monitor of "
            + name(lock)
            + " with a ReentrantLock"
            + byHand(rewrite)
            + " ("
            + Figures.count(lock.sites().size(), "site")
            + ")";
      }
      case Rewrite rewrite ->
          "replace "
              + rewrite.locks().size()
              + " monitors together with ReentrantLocks"
              + byHand(rewrite)
              + " ("
              + Figures.count(sites(rewrite).size(), "site")
              + "): "
              + rewrite.locks().stream().map(AdviceWords::name).collect(Collectors.joining(", "))
              + "; a pin that holds several of them stays until all are replaced";
      case UpgradeLibrary upgrade ->
          "upgrade "
              + upgrade.library()
              + " "
              + upgrade.from()
              + " to "
              + (upgrade.toLibrary().equals(upgrade.library()) ? "" : upgrade.toLibrary() + " ")
              + upgrade.to()
              + " or later";
      case ChangePattern change -> change.pattern().text();
      case UpgradeJdk jdk -> "run on " + JavaWords.LATER + ", where monitors do not pin (JEP 491)";
      case Keep(Why.Harmless harmless) ->
          "leave it as it is: no pin took longer than "
              + Figures.duration(harmless.longestNanos())
              + ", and all of them took "
              + Figures.percent(harmless.shareOfCapacity())
              + " of carrier time";
      case Keep(Why.Refused refused) ->
          refused.declined().rung() == RefusalReason.CLASS_UNKNOWN
              ? "not decided whether a ReentrantLock can replace it: " + refused.declined().reason()
              : "keep this monitor: a rewrite could not be proven safe; "
                  + refused.declined().reason();
      case Keep(Why.HeldTogether held) ->
          "keep this monitor: "
              + held.other().name()
              + " is held on the same stacks and has to stay ("
              + held.declined().reason()
              + "), so replacing this one alone frees nothing";
      case Keep(Why.NotExplained unknown) ->
          unknown.remedy().isEmpty()
              ? "nothing to change: the recording does not show what held the carrier"
              : "nothing to change yet: " + unknown.remedy();
    };
  }

  private static String byHand(Rewrite rewrite) {
    return rewrite.isPatchable() ? "" : " by hand";
  }

  /** Returns how to write it by hand, in the language of the source file. */
  public static String inItsLanguage(String sourceFile) {
    String how =
        switch (sourceFile.substring(sourceFile.lastIndexOf('.') + 1)) {
          case "kt" ->
              "in Kotlin: private val lock = ReentrantLock(), and lock.withLock { } in place of"
                  + " @Synchronized and synchronized(...) { }";
          case "groovy" ->
              "in Groovy: private final ReentrantLock lock = new ReentrantLock(), and lock.lock()"
                  + " with lock.unlock() in finally in place of synchronized";
          case "scala" ->
              "in Scala: private val lock = new ReentrantLock(), and lock.lock() with lock.unlock()"
                  + " in finally in place of synchronized { }";
          default -> "lock.lock() with lock.unlock() in finally in place of the monitor";
        };
    return sourceFile.endsWith(".kt")
        ? how
        : sourceFile + " is neither Java nor Kotlin, which vtdiag patch changes; " + how;
  }

  /** Returns the last version that was seen to pin, on a list or in the recording itself. */
  public static String lastSeen(UpgradeLibrary upgrade) {
    return upgrade.evidence() instanceof Recommendation.Evidence.Listed listed
        ? listed.fix().lastSeen()
        : upgrade.from();
  }

  /** Returns the line under an entry: what to do, and what it frees. */
  public static String summary(AdviceEntry entry, Findings findings) {
    String first =
        entry.recommendation() instanceof UpgradeJdk
            ? "run on " + JavaWords.LATER + ": " + entry.first().reason()
            : EntryWords.toDo(entry);
    StringBuilder text = new StringBuilder(DeadlockWords.first(entry, findings)).append(first);
    entry.together().stream()
        .map(AdviceWords::toDo)
        .distinct()
        // The same for another class is left out.
        .filter(toDo -> !first.equals(toDo))
        .toList()
        .forEach(toDo -> text.append("; and ").append(toDo));
    text.append('.');
    Freed freed = freed(entry);
    if (freed.upTo() > 0) {
      text.append(' ').append(Printable.upperFirst(frees(freed, findings))).append('.');
    } else {
      entry.first().alternatives().stream()
          .filter(other -> other.recommendation() instanceof UpgradeJdk)
          .findFirst()
          .ifPresent(
              other ->
                  text.append(" ").append(JavaWords.LATER).append(" (JEP 491) would free it."));
    }
    DeadlockWords.effect(entry, findings)
        .or(() -> freed.upTo() > 0 ? ofPath(entry.first(), findings) : Optional.empty())
        .ifPresent(effect -> text.append(' ').append(Printable.upperFirst(effect)).append('.'));
    return text.toString();
  }

  /**
   * Returns what an entry frees. A later Java frees all monitors; the entry only counts its own
   * part.
   */
  public static Freed freed(AdviceEntry entry) {
    return entry.needsLaterJava() ? entry.ofFindings() : entry.freed();
  }

  /** Returns {@code frees 46.4 of 47.3 carrier-seconds}. */
  public static String frees(Freed freed, Findings findings) {
    String least = Figures.seconds(freed.nanos());
    String most = Figures.seconds(freed.upTo());
    String of = " of " + Figures.seconds(findings.cost().totalNanos()) + " carrier-seconds";
    if (least.equals(most)) {
      return "frees " + most + of;
    }
    return "frees "
        + (freed.nanos() == 0 ? "up to " : least + " to ")
        + most
        + of
        + ": some stacks may hold a monitor that was not seen";
  }

  /** Returns what to expect of the lock; empty if there is nothing to say. */
  public static String sharing(Advised advised, Findings findings) {
    if (advised.recommendation() instanceof ChangePattern change
        && change.takesWaitOut()
        && SHARED.contains(advised.effect().sharing())) {
      return "threads share this lock, and none would wait inside it any more: expect this path to"
          + " get faster too";
    }
    return switch (advised.effect().sharing()) {
      case ONE_OBJECT ->
          "most threads share one lock object: freeing the carriers unblocks everything else, but"
              + " does not speed up this path";
      case OWN_OBJECTS -> "hardly any lock object is shared: expect this path to get faster too";
      case POOL ->
          "threads use the lock objects alternately, as from a pool, and hardly any waits to enter:"
              + " expect this path to get faster, as far as the pool allows";
      case SOME_SHARED ->
          "some lock objects are shared: how much faster this path gets depends on how many there"
              + " are";
      case CONTENDED ->
          "threads wait for each other at this lock: freeing the carriers unblocks everything else;"
              + " this path gains only if there are several lock objects";
      case BORROWED -> borrowed(advised.finding(), findings);
      case NOT_SAMPLED ->
          "unknown whether threads share the lock: "
              + (findings.has(Gap.Kind.NO_AGENT)
                  ? "it was not sampled; record with vtdiag's agent"
                  : "the agent's samples do not show it");
      case NO_LOCK -> "";
    };
  }

  /** Returns why the path of the threads may get no faster although carriers are freed. */
  private static Optional<String> ofPath(Advised advised, Findings findings) {
    if (advised.effect().sharing() == Sharing.BORROWED) {
      return Optional.of(sharing(advised, findings));
    }
    return advised.recommendation() instanceof Rewrite
            && advised.effect().sharing() == Sharing.ONE_OBJECT
        ? Optional.of("this path itself gets no faster: most threads share one lock object")
        : Optional.empty();
  }

  private static String borrowed(Pin finding, Findings findings) {
    if (findings.recordings().stream()
        .anyMatch(facts -> facts.endsIn(DiagnosisKind.DEADLOCK_BY_PINNING))) {
      return "the threads wait for a free object of a pool, and keep the carriers without which"
          + " none comes back: without the pin they wait only while all objects are in use";
    }
    return finding.unended() > 0 && finding.longest() >= LOST_NANOS
        ? "the threads wait for a free object of a pool, up to "
            + Figures.duration(finding.longest())
            + ", and some still did at the end: find the code that takes objects and does not give"
            + " them back; without the pin they will still wait, and a larger pool would only stall"
            + " later"
        : "the threads wait for a free object of a pool, and will still wait without the pin:"
            + " freeing the carriers unblocks everything else; this path gains only from more"
            + " objects, or from a shorter use of each";
  }

  public static String prediction(Prediction prediction) {
    return switch (prediction) {
      case Prediction.Range range -> predicted(range);
      case Prediction.None none -> "no throughput predicted: " + none.why();
    };
  }

  private static String predicted(Prediction.Range range) {
    String now = ComparisonFigures.twoDigits(range.now()) + "/s";
    if (range.most() <= range.now() * 1.1) {
      return "predicted: " + now + ", unchanged (" + range.assumption() + ")";
    }
    String least = ComparisonFigures.twoDigits(range.least());
    String most = ComparisonFigures.twoDigits(range.most());
    return "predicted: "
        + now
        + " now, "
        + (least.equals(most) ? "about " : least + " to ")
        + most
        + "/s after (a model, not a measurement: "
        + range.assumption()
        + ")";
  }

  public static String name(Lock lock) {
    return switch (lock.identity()) {
      case Lock.Identity.Instances of -> simple(of.type());
      case Lock.Identity.ClassObject of -> simple(of.type()) + ".class";
      case Lock.Identity.StaticField field -> simple(field.owner()) + "." + field.name();
      case Lock.Identity.LocalVariable of ->
          "a local variable of " + simple(of.type()) + "." + of.method();
      case Lock.Identity.InstanceField field -> simple(field.owner()) + "'s field " + field.name();
    };
  }

  public static List<String> sites(Rewrite rewrite) {
    return rewrite.locks().stream()
        .flatMap(lock -> lock.sites().stream())
        .map(
            site ->
                simple(site.type().name())
                    + "."
                    + site.method()
                    + (site.region().firstLine() > 0
                        ? " (" + Figures.position(site.type(), site.region().firstLine()) + ")"
                        : ""))
        .toList();
  }

  private static String simple(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }
}
