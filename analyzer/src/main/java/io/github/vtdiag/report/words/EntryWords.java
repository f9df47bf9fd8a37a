package io.github.vtdiag.report.words;

import static io.github.vtdiag.model.ClassRef.rootPackage;
import static io.github.vtdiag.report.words.Phrase.Tone.FAINT;
import static io.github.vtdiag.report.words.Phrase.Tone.FIGURE;
import static io.github.vtdiag.report.words.Phrase.Tone.NAME;

import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.advice.DesignPattern;
import io.github.vtdiag.advice.Recommendation.UpgradeJdk;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Finding.Pin.AlsoHeld;
import io.github.vtdiag.analysis.Finding.Pin.ReachedFrom;
import io.github.vtdiag.analysis.HarmlessPins;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.WrittenFrames;
import io.github.vtdiag.owner.Owner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The words that all reports share on an entry. */
public final class EntryWords {
  private static final int FEW = 2;

  /** The least part of its entry that makes a finding worth a line. */
  private static final double WORTH_A_LINE = 0.05;

  private EntryWords() {}

  /** Returns the place of the problem: the costliest, if there are several. */
  public static Phrase title(AdviceEntry entry) {
    return entry
        .ofMany()
        .map(
            many ->
                Phrase.of(many.title() + " in " + Figures.count(entry.advised().size(), "place")))
        .orElseGet(() -> Phrase.of(NAME, Words.title(entry.first().finding())));
  }

  /**
   * Returns what to do, as a clause without a full stop. A later Java helps everything else too, so
   * the clause says for what.
   */
  public static String toDo(AdviceEntry entry) {
    if (entry.recommendation() instanceof UpgradeJdk) {
      return "run on " + JavaWords.LATER + " for " + whose(entry.first().finding());
    }
    return entry
        .ofMany()
        .map(DesignPattern.Many::text)
        .orElseGet(() -> AdviceWords.toDo(entry.recommendation()));
  }

  private static String whose(Pin finding) {
    return finding.caller().map(Pin.Caller::owner).orElse(finding.owner())
            instanceof Owner.Library library
        ? library.coordinates().text()
        : Words.title(finding);
  }

  /**
   * Returns the findings that the same change frees. In brief, those that cost something, and the
   * sum of the others.
   *
   * @param skipped the number of first findings that were said already
   */
  public static List<Phrase> findings(String lead, AdviceEntry entry, int skipped, Detail detail) {
    List<Pin> all = entry.findings().subList(skipped, entry.findings().size());
    List<Pin> shown =
        detail == Detail.FULL
            ? all
            : all.stream()
                .filter(finding -> finding.total() >= WORTH_A_LINE * entry.total())
                .limit(FEW)
                .toList();
    List<Phrase> lines = new ArrayList<>();
    for (int i = 0; i < shown.size(); i++) {
      Pin finding = shown.get(i);
      // The threads inside a lock and those that wait for it are two findings of one place.
      if (skipped + i > 0 && finding.title().equals(entry.first().finding().title())) {
        lines.add(
            finding(Phrase.of(lead + "at the same place "), finding)
                .and(
                    finding.cause() instanceof PinCause.HeldMonitor ? ", inside its monitor" : ""));
      } else {
        Phrase place =
            entry.ofMany().isPresent() ? toLoad(lead, finding).and(", ") : titled(lead, finding);
        lines.add(finding(place, finding));
      }
    }
    List<Pin> rest = all.subList(shown.size(), all.size());
    if (!rest.isEmpty()) {
      long nanos = rest.stream().mapToLong(Pin::total).sum();
      lines.add(
          Phrase.of(lead + Figures.count(rest.size(), "more place") + ", ")
              .and(FIGURE, Figures.duration(nanos))
              .and(
                  (rest.size() == 1 ? "" : " together")
                      + (skipped + shown.size() == 0 ? "" : " (-v)")));
    }
    return lines;
  }

  private static Phrase finding(Phrase place, Pin finding) {
    return place.and(FIGURE, Figures.duration(finding.total())).and(pins(finding));
  }

  private static Phrase titled(String lead, Pin finding) {
    return Phrase.of(lead).and(NAME, Words.title(finding)).and(", ");
  }

  /** Returns the class to load early or, if it is unknown, the method that needs it. */
  private static Phrase toLoad(String lead, Pin finding) {
    boolean unknown =
        !finding.isClass()
            && (finding.kind().isInitialization()
                || finding.cause() instanceof PinCause.ClassLoading);
    return Phrase.of(unknown ? lead + "a class for " : lead).and(NAME, Words.title(finding));
  }

  private static String pins(Pin finding) {
    String in = " in " + Figures.count(finding.count(), "pin");
    return finding.cause() instanceof PinCause.MonitorEntry
        ? in + (finding.count() == 1 ? " that waits to enter" : " that wait to enter")
        : in;
  }

  /**
   * Returns the lines of the application's own code that led there; empty if they are the place
   * itself. An application whose jar looks like a library's is not recognized: then it is the
   * caller.
   */
  public static Optional<Phrase> reachedFrom(AdviceEntry entry, Detail detail) {
    return reachedFrom(entry.first().finding(), entry.reachedFrom(), detail);
  }

  /** Returns the same for one finding. */
  public static Optional<Phrase> reachedFrom(Pin finding, List<ReachedFrom> all, Detail detail) {
    if (finding.owner() instanceof Owner.Application) {
      // The innermost places are inside the lock then: it is its caller that led there.
      return callerOfOwn(finding).map(frame -> position(Phrase.of("called from "), frame));
    }
    if (all.isEmpty()) {
      return caller(finding).map(frame -> position(Phrase.of("called from "), frame));
    }
    if (all.stream().allMatch(from -> isTitle(from.frame(), finding))) {
      return Optional.empty();
    }
    Phrase line = Phrase.of("reached from ");
    int most = detail == Detail.FULL || all.size() == FEW + 1 ? all.size() : FEW;
    for (int i = 0; i < Math.min(most, all.size()); i++) {
      Frame frame = all.get(i).frame();
      line =
          position(line.and(i == 0 ? "" : "; "), frame)
              .and(", " + Figures.count(all.get(i).count(), "pin"));
    }
    return Optional.of(
        all.size() > most
            ? line.and("; and " + Figures.count(all.size() - most, "more place"))
            : line);
  }

  private static Phrase position(Phrase line, Frame frame) {
    return line.and(NAME, frame.qualifiedMethod())
        .and(frame.line() < 0 ? "" : " (" + Figures.position(frame.type(), frame.line()) + ")");
  }

  /** Returns the caller of the application's method that holds, on the stacks that cost most. */
  private static Optional<Frame> callerOfOwn(Pin finding) {
    return finding.place().stream()
        .flatMap(
            frame ->
                finding.stack().frames().stream()
                    .dropWhile(each -> !isSameMethod(each, frame))
                    .dropWhile(each -> isSameMethod(each, frame)))
        .filter(WrittenFrames::canCall)
        .findFirst();
  }

  private static boolean isSameMethod(Frame one, Frame other) {
    return one.qualifiedMethod().equals(other.qualifiedMethod());
  }

  /** Returns the caller into the packages of the library, on the stacks that cost most. */
  private static Optional<Frame> caller(Pin finding) {
    Optional<Frame> inside = finding.place().filter(frame -> isLibrary(finding));
    return inside.flatMap(
        frame ->
            finding.stack().frames().stream()
                .dropWhile(each -> !each.type().name().equals(frame.type().name()))
                .filter(each -> !each.type().isJdk() && !each.type().name().isEmpty())
                .filter(each -> !each.type().isGenerated())
                .filter(
                    each ->
                        !rootPackage(each.type().name()).equals(rootPackage(frame.type().name())))
                .findFirst());
  }

  private static boolean isLibrary(Pin finding) {
    return finding.caller().map(Pin.Caller::owner).orElse(finding.owner()) instanceof Owner.Library;
  }

  private static boolean isTitle(Frame frame, Pin finding) {
    return frame.qualifiedMethod().equals(finding.title());
  }

  /**
   * Returns the other causes on the same stacks; in brief one, of another owner if there is any.
   * The lock of an {@code Object.wait} is none: the wait has released it, and goes with it.
   */
  public static List<Phrase> alsoHeld(Pin finding, Detail detail) {
    Optional<AlsoHeld> released = finding.releasedLock();
    List<AlsoHeld> all =
        finding.alsoHeld().stream().filter(also -> !released.equals(Optional.of(also))).toList();
    List<Phrase> lines = new ArrayList<>();
    if (detail == Detail.FULL) {
      released.ifPresent(lock -> lines.add(also("released by the wait: ", finding, lock)));
    }
    if (all.isEmpty()) {
      return lines;
    }
    boolean everyPin = all.stream().allMatch(also -> also.count() == finding.count());
    String must = all.size() == 1 && everyPin ? "both must go" : "all must go";
    if (detail == Detail.BRIEF) {
      AlsoHeld notable =
          all.stream()
              .filter(also -> !also.owner().equals(finding.owner()))
              .findFirst()
              .orElse(all.getFirst());
      String more = all.size() == 1 ? "" : " and " + Figures.count(all.size() - 1) + " more";
      return List.of(
          Phrase.of("also held: ")
              .and(NAME, simple(finding, notable))
              .and(more + "; " + must + " or it stays pinned"));
    }
    all.forEach(also -> lines.add(alsoHeld(finding, also)));
    lines.add(Phrase.of(must + " or it stays pinned"));
    return lines;
  }

  private static Phrase alsoHeld(Pin finding, AlsoHeld also) {
    String often =
        also.count() == finding.count()
            ? "also held: "
            : "also held in " + Figures.count(also.count(), "pin") + ": ";
    return also(often, finding, also);
  }

  private static Phrase also(String often, Pin finding, AlsoHeld also) {
    String owner = also.owner().equals(finding.owner()) ? "" : "; " + also.owner().text();
    return Phrase.of(often)
        .and(NAME, also.site().name())
        .and(" (" + Words.causeWithLines(also.cause()) + owner + ")");
  }

  /** Returns a name without its package, if the code has the same owner. */
  private static String simple(Pin finding, AlsoHeld also) {
    String name = also.site().name();
    int end = name.lastIndexOf('.', name.lastIndexOf('.') - 1);
    return also.owner().equals(finding.owner()) && !also.site().method().isEmpty()
        ? name.substring(end + 1)
        : name;
  }

  /** Returns findings that are not worth a change in one line; in full with each of them. */
  public static List<Phrase> minor(List<AdviceEntry> entries, Detail detail) {
    if (entries.isEmpty()) {
      return List.of();
    }
    List<Pin> minor = entries.stream().flatMap(entry -> entry.findings().stream()).toList();
    long nanos = minor.stream().mapToLong(Pin::total).sum();
    long pins = minor.stream().mapToLong(Pin::count).sum();
    long longest = minor.stream().mapToLong(Pin::longest).max().orElseThrow();
    String sum =
        (minor.stream()
                    .anyMatch(pin -> HarmlessPins.waitForClass(pin) && !HarmlessPins.areShort(pin))
                ? "Harmless, as they are short or end once classes are loaded: "
                : "Short and harmless: ")
            + Figures.count(minor.size(), "finding")
            + ", "
            + Figures.duration(nanos)
            + " in "
            + Figures.count(pins, "pin")
            + (pins == 1 ? "" : ", up to " + Figures.duration(longest))
            + (longest > HarmlessPins.GATE_NANOS ? "; a gate with a lower --max-pin fails" : "");
    List<Phrase> lines = new ArrayList<>();
    lines.add(Phrase.of(detail == Detail.FULL ? sum + ":" : sum + "; -v lists them."));
    if (detail == Detail.FULL) {
      for (Pin finding : minor) {
        lines.add(
            titled("  ", finding)
                .and(FIGURE, Figures.duration(finding.total()))
                .and(" in " + Figures.count(finding.count(), "pin"))
                .and(FAINT, "; " + Words.causeWithLines(finding.cause())));
      }
    }
    return lines;
  }
}
