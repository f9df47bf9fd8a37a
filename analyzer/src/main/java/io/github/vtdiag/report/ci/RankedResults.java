package io.github.vtdiag.report.ci;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.PinCause.HeldMonitor;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The results of another tool about the sources, ranked by what a recording shows of them.
 *
 * @param matched the results that name a lock which pinned carriers, the costliest first
 * @param total the number of all results that are to be dealt with
 * @param closed the number of those that are suppressed or ask for nothing
 */
public record RankedResults(List<Ranked> matched, int total, int closed) {
  /** The most lines of a method's head, from its annotations and name to its code. */
  private static final int LINES_OF_A_HEAD = 5;

  /**
   * A lock that a result names, in the pins of a finding.
   *
   * @param name the method that takes the lock
   * @param nanos the time of all pins of the finding
   * @param count the number of its pins that held the lock
   * @param isAll whether all of them did; otherwise their time is a part that is not known
   */
  public record Held(String name, long nanos, long count, boolean isAll) {}

  /** A result, and the locks that it names which pins held. */
  public record Ranked(ForeignResults.Result result, List<Held> locks) {
    public Ranked {
      locks = List.copyOf(locks);
    }

    /** Returns what these pins cost; one that held further locks counts for each of them. */
    public long nanos() {
      return locks.stream().mapToLong(Held::nanos).sum();
    }

    public long count() {
      return locks.stream().mapToLong(Held::count).sum();
    }

    private String cost() {
      return (locks.stream().allMatch(Held::isAll) ? "" : "at most ") + Figures.duration(nanos());
    }
  }

  public RankedResults {
    matched = List.copyOf(matched);
  }

  /** Ranks results by the pins of a run. */
  public static RankedResults of(
      List<ForeignResults.Result> results, int closed, Findings findings) {
    List<Ranked> matched = new ArrayList<>();
    for (ForeignResults.Result result : results) {
      List<Held> locks =
          findings.pins().stream().flatMap(pin -> held(pin, result).stream()).toList();
      if (!locks.isEmpty()) {
        matched.add(new Ranked(result, locks));
      }
    }
    matched.sort(Comparator.comparingLong(Ranked::nanos).reversed());
    return new RankedResults(matched, results.size(), closed);
  }

  /** Returns the lock of a pin that a result names, the one that most of its stacks hold. */
  private static Optional<Held> held(Pin pin, ForeignResults.Result result) {
    if (isAt(pin.cause(), result)) {
      return Optional.of(new Held(pin.site().name(), pin.total(), pin.count(), true));
    }
    return pin.alsoHeld().stream()
        .filter(also -> isAt(also.cause(), result))
        .max(Comparator.comparingLong(Pin.AlsoHeld::count))
        .map(
            also ->
                new Held(
                    also.site().name(), pin.total(), also.count(), also.count() == pin.count()));
  }

  private static boolean isAt(PinCause cause, ForeignResults.Result result) {
    return cause instanceof HeldMonitor held
        && isIn(held.site().type(), result.path())
        && isAt(held.site(), result);
  }

  private static boolean isAt(LockSite site, ForeignResults.Result result) {
    MonitorRegion region = site.region();
    if (region.firstLine() < 0 || result.firstLine() == 0) {
      return false;
    }
    int head = region.kind() == MonitorRegion.Kind.METHOD ? LINES_OF_A_HEAD : 0;
    return result.firstLine() <= region.lastLine()
        && region.firstLine() - head <= result.lastLine();
  }

  /** Returns whether a path, or the URL of a file, is that of the class's source. */
  private static boolean isIn(ClassRef type, String path) {
    String name = type.name();
    String source =
        name.substring(0, name.lastIndexOf('.') + 1).replace('.', '/') + Figures.position(type, -1);
    String plain = path.replace('\\', '/');
    try {
      plain = URLDecoder.decode(plain.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // The percent sign is part of the file's name.
    }
    if (source.endsWith(".kt")) {
      // Its folders need not be those of the package, and often lack the common first part.
      source = source.substring(source.lastIndexOf('/') + 1);
    }
    return plain.equals(source) || plain.endsWith("/" + source);
  }

  /** Returns the ranking as text. */
  public List<String> lines(int top) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Of %s %s a lock that pinned carriers in this run."
            .formatted(
                Figures.count(total, "result"),
                Figures.count(matched.size()) + (matched.size() == 1 ? " names" : " name")));
    if (closed > 0) {
      lines.add(
          "Not counted: %s that the tool marks as suppressed, passed or gone."
              .formatted(Figures.count(closed, "result")));
    }
    int number = 0;
    for (Ranked ranked : matched.subList(0, Math.min(top, matched.size()))) {
      ForeignResults.Result result = ranked.result();
      lines.add("");
      lines.add(
          SafeText.text(
              "  %d  %s:%d  %s  %s"
                  .formatted(
                      ++number,
                      result.path(),
                      result.firstLine(),
                      ranked.cost(),
                      Figures.count(ranked.count(), "pin"))));
      lines.add(
          SafeText.text(
              "       "
                  + String.join(
                      ", ", ranked.locks().stream().map(Held::name).distinct().toList())));
      lines.add(
          SafeText.text(
              "       "
                  + Stream.of(result.tool() + " " + result.rule(), firstLine(result.message()))
                      .map(String::strip)
                      .filter(part -> !part.isEmpty())
                      .collect(Collectors.joining(": "))));
    }
    if (matched.size() > top) {
      lines.add("");
      lines.add("  and " + Figures.count(matched.size() - top) + " more: --top");
    }
    return lines;
  }

  /** Returns the first line: the others explain the result, and stand in its file. */
  private static String firstLine(String message) {
    return message.strip().lines().findFirst().orElse("");
  }
}
