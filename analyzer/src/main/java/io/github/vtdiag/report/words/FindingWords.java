package io.github.vtdiag.report.words;

import io.github.vtdiag.advice.Advised;
import io.github.vtdiag.advice.Recommendation;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.LockObjects;
import io.github.vtdiag.model.Confidence;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A single finding in words, for formats that list findings one by one. */
public final class FindingWords {
  private FindingWords() {}

  /** Returns its title: the method, or what stands for one if there is none. */
  public static String title(Pin finding) {
    return Words.title(finding);
  }

  /** Returns {@code held carriers for 7.6 s in 299 pins, the longest 34 ms}. */
  public static String verdict(Pin finding) {
    return "held carriers for "
        + Figures.duration(finding.total())
        + " in "
        + Figures.count(finding.count(), "pin")
        + (finding.count() == 1 ? "" : ", the longest " + Figures.duration(finding.longest()));
  }

  /** Returns all that is known of it, in lines. */
  public static List<String> lines(Pin finding) {
    List<String> lines = new ArrayList<>();
    lines.add(cause(finding));
    lines.add(owner(finding) + place(finding));
    EntryWords.reachedFrom(finding, finding.reachedFrom(), Detail.FULL)
        .ifPresent(line -> lines.add(line.text()));
    lines.add(cost(finding));
    EntryWords.alsoHeld(finding, Detail.FULL).forEach(line -> lines.add(line.text()));
    finding.lockObjects().ifPresent(objects -> lines.add(lockObjects(objects)));
    if (!finding.confidence().isEmpty()) {
      lines.add("known from: " + confidence(finding));
    }
    return lines;
  }

  /** Returns what to do about it, in a sentence. */
  public static String toDo(Advised advised) {
    StringBuilder text = new StringBuilder(AdviceWords.toDo(advised.recommendation()));
    String first = text.toString();
    advised.together().stream()
        .map(AdviceWords::toDo)
        .distinct()
        .filter(toDo -> !first.equals(toDo))
        .forEach(toDo -> text.append("; and ").append(toDo));
    return Printable.upperFirst(text.append('.').toString());
  }

  /** Returns one recommendation, as a sentence. */
  public static String toDo(Recommendation recommendation) {
    return Printable.upperFirst(AdviceWords.toDo(recommendation) + ".");
  }

  /** Returns what held the carrier, and what the threads waited for. */
  public static String cause(Pin finding) {
    String cause =
        finding.caller().isPresent()
            ? Words.causeInside(finding.site(), finding.cause())
            : finding.cause().text();
    return cause + operations(finding);
  }

  /** Returns its figures. */
  public static String cost(Pin finding) {
    return (finding.count() == 1
            ? ""
            : "p50 "
                + Figures.duration(finding.cost().p50Nanos())
                + "  p99 "
                + Figures.duration(finding.cost().p99Nanos())
                + "  ")
        + "max "
        + Figures.duration(finding.cost().longestNanos())
        + "  "
        + Figures.count(finding.threads(), "thread")
        + (finding.unended() > 0 ? "  " + Figures.count(finding.unended()) + " not ended" : "")
        + finding.shareOfCapacity().stream()
            .filter(share -> share <= 1)
            .mapToObj(share -> "  " + Figures.percent(share) + " of all carrier time")
            .collect(Collectors.joining());
  }

  private static String operations(Pin finding) {
    List<Pin.OperationCount> operations = finding.operations();
    if (finding.cause() instanceof PinCause.MonitorEntry
        || finding.cause() instanceof PinCause.ObjectWait) {
      // The cause is itself what the thread waited in.
      return "";
    }
    if (operations.size() == 1) {
      return "; waits in: " + operations.getFirst().operation().text();
    }
    return operations.stream()
        .map(each -> each.operation().text() + " " + Figures.count(each.count()))
        .collect(Collectors.joining(", ", "; waits in: ", ""));
  }

  /** Returns the owner of its code. */
  public static String owner(Pin finding) {
    return finding
        .caller()
        .map(caller -> caller.owner().text())
        .orElseGet(() -> finding.owner().text());
  }

  /** Returns its place, in the form that follows the owner. */
  public static String place(Pin finding) {
    return finding
        .place()
        .filter(frame -> frame.line() >= 0)
        .filter(Frame::isNamed)
        .map(frame -> "; seen at " + Figures.position(frame.type(), frame.line()))
        .orElse("");
  }

  public static String lockObjects(LockObjects seen) {
    String sampled = " in " + Figures.count(seen.samples(), "sampled pin");
    String objects = Figures.count(seen.objects(), "lock object") + sampled;
    if (!seen.shared()) {
      return seen.threads() == 1
          ? objects + ", all of one thread"
          : objects + ", none seen with more than one thread";
    }
    return objects
        + (seen.objects() == 1 ? ", seen with " : ", the busiest seen with ")
        + Figures.count(seen.threadsOfBusiest(), "thread");
  }

  public static String confidence(Pin finding) {
    List<String> parts = new ArrayList<>();
    for (Confidence confidence : Confidence.values()) {
      Long count = finding.confidence().get(confidence);
      if (count != null) {
        parts.add(
            finding.confidence().size() == 1
                ? confidence.text()
                : confidence.text() + " " + Figures.count(count));
      }
    }
    return String.join(", ", parts);
  }
}
