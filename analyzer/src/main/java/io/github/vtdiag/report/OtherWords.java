package io.github.vtdiag.report;

import static io.github.vtdiag.report.Phrase.Tone.NAME;
import static io.github.vtdiag.report.Phrase.Tone.STRONG;

import io.github.vtdiag.analysis.OtherFinding;
import io.github.vtdiag.analysis.OtherFinding.Amount;
import io.github.vtdiag.analysis.OtherFinding.AtOnce;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.report.Document.Block;
import io.github.vtdiag.report.Document.Item;
import io.github.vtdiag.report.Report.Detail;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What virtual threads wait for or use besides pins, in words. */
final class OtherWords {
  private static final int MOST = 10;

  private OtherWords() {}

  /** What limited the program; in full, also what only was there. */
  static Optional<Block> block(List<OtherFinding> others, Detail detail) {
    return block(others, detail, Optional.empty());
  }

  /**
   * @param addresses said of each, if there are any
   */
  static Optional<Block> block(
      List<OtherFinding> others, Detail detail, Optional<Addresses> addresses) {
    List<Item> items =
        others.stream()
            .filter(other -> other.limits() || detail == Detail.FULL)
            .limit(MOST)
            .map(other -> item(other).and(addresses.map(each -> each.of(other))))
            .toList();
    return items.isEmpty() ? Optional.empty() : Optional.of(new Block.Items(List.of(), items));
  }

  private static Item item(OtherFinding other) {
    Optional<String> wait = WaitWords.sentence(other);
    if (wait.isPresent()) {
      return new Item(
          Phrase.of(wait.get()),
          List.of(),
          WaitWords.details(other).stream().map(Phrase::of).toList(),
          Optional.of(Phrase.of(toDo(other))));
    }
    List<Phrase> lines = new ArrayList<>();
    lines.add(Phrase.of(cost(other)));
    other.site().map(site -> "from " + place(site)).map(Phrase::of).ifPresent(lines::add);
    other
        .inside()
        .filter(
            inside ->
                !other
                    .site()
                    .map(Frame::qualifiedMethod)
                    .equals(Optional.of(inside.qualifiedMethod())))
        .map(inside -> "in " + place(inside) + "  " + Words.owner(other.owner()))
        .map(Phrase::of)
        .ifPresent(lines::add);
    UsageWords.details(other).stream().map(Phrase::of).forEach(lines::add);
    return new Item(
        Phrase.of(STRONG, name(other.kind()) + ": ").and(NAME, other.subject()),
        List.of(),
        lines,
        Optional.of(Phrase.of(toDo(other))));
  }

  private static String place(Frame frame) {
    return frame.type().name()
        + "."
        + frame.method()
        + (frame.line() < 0 ? "" : " (" + Figures.position(frame.type(), frame.line()) + ")");
  }

  private static String cost(OtherFinding other) {
    return (other.amount().estimated() ? "about " : "")
        + amount(other.amount())
        + other.atOnce().map(atOnce -> "  " + atOnce(atOnce) + " at a time").orElse("");
  }

  /** {@code 490 virtual threads (98% of them)}. */
  static String atOnce(AtOnce atOnce) {
    return (atOnce.mean() >= 10
            ? Figures.count(Math.round(atOnce.mean()))
            : String.format(Locale.ROOT, "%.1f", atOnce.mean()))
        + " virtual threads"
        + (atOnce.share() >= 0 ? " (" + Figures.percent(atOnce.share()) + " of them)" : "");
  }

  private static String amount(Amount amount) {
    return switch (amount.unit()) {
      case THREAD_NANOS -> Figures.duration((long) amount.value()) + " of threads";
      case CARRIER_NANOS -> Figures.duration((long) amount.value()) + " of carriers";
      case NANOS -> Figures.duration((long) amount.value());
      case BYTES -> UsageWords.megabytes(amount);
      case COUNT -> Figures.count((long) amount.value());
    };
  }

  /** What it is called. */
  static String name(OtherFinding.Kind kind) {
    return switch (kind) {
      case POOL -> "waiting for a pool";
      case SEMAPHORE -> "waiting for a permit";
      case LOCK -> "waiting for a lock";
      case MONITOR -> "waiting for a monitor";
      case FULL_QUEUE -> "waiting for room in a queue";
      case SIGNAL -> "waiting for another thread";
      case FUTURE -> "waiting for a result";
      case REMOTE -> "waiting for an answer";
      case MONOPOLIZED_CARRIERS -> "carriers kept by computation";
      case SPINNING -> "threads that spin";
      case FILE_IO -> "carriers kept by file I/O";
      case NATIVE_CALL -> "carriers kept in native code";
      case NAME_LOOKUP -> "carriers kept by name lookups";
      case PROCESS_START -> "carriers kept by starting processes";
      case POOLED_THREADS -> "virtual threads in a pool";
      case THREAD_LOCAL_CACHE -> "a cache that each thread makes anew";
      case NO_BACKPRESSURE -> "more threads are started than end";
      case SUBMIT_FAILED -> "virtual threads that the scheduler refused";
    };
  }

  /** What to do about it, in a sentence. */
  static String toDo(OtherFinding other) {
    if (!other.limits()) {
      return "nothing: it did not keep the program from going faster.";
    }
    return switch (other.kind()) {
      case POOL ->
          WaitWords.isNotUsedUp(other)
              ? "find out what keeps it from lending the free ones: slow connects, checks of"
                  + " connections, or its own locks."
              : "if that many at a time is what its server can bear, leave it; else make the pool"
                  + " larger, or hold its objects for less time:"
                  + " docs/good-practice.md#a-connection-pool.";
      case SEMAPHORE ->
          "if that limit is meant, leave it: this is what a Semaphore is for; else raise it:"
              + " docs/good-practice.md#a-semaphore.";
      case LOCK, MONITOR ->
          "hold it for less time: no waiting while it is held, or one for each key:"
              + " docs/good-practice.md#a-lock-held-while-waiting.";
      case FULL_QUEUE ->
          "make its readers faster, or more; a longer queue only hides them:"
              + " docs/good-practice.md#a-full-queue.";
      case SIGNAL -> "find out what the thread does that gives the word.";
      case FUTURE -> "find out what the thread does that makes the result.";
      case REMOTE ->
          "nothing here: the other side takes that long: docs/good-practice.md#slow-answers.";
      case MONOPOLIZED_CARRIERS,
          SPINNING,
          FILE_IO,
          NATIVE_CALL,
          NAME_LOOKUP,
          PROCESS_START,
          POOLED_THREADS,
          THREAD_LOCAL_CACHE,
          NO_BACKPRESSURE,
          SUBMIT_FAILED ->
          UsageWords.toDo(other);
    };
  }
}
