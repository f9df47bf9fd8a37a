package vtdiag.verdict;

import java.util.Optional;
import java.util.Set;
import vtdiag.account.Account.Missing;
import vtdiag.account.Use;

/**
 * What limited the program.
 *
 * @param kind which of the answers it is
 * @param sure whether it was seen that virtual threads waited for a carrier; without that, kept
 *     carriers are only likely to have been the limit
 * @param part the part of the carriers' time that the answer is about: for a limit of the carriers
 *     of the time in which threads waited for one, else of all of it
 * @param why of {@link Kind#NOT_KNOWN}, what was not recorded
 */
public record Conclusion(Kind kind, boolean sure, double part, Set<Missing> why) {

  /** The answers; each has a section in {@code docs/verdicts.md}. */
  public enum Kind {
    /** The program hung. */
    HUNG(Optional.empty()),
    /** Carriers were the limit, because waiting threads could not leave them. */
    PINNED(Optional.of(Use.PINNED)),
    /** Carriers were the limit, because they ran Java code. */
    COMPUTATION(Optional.of(Use.JAVA)),
    /** Carriers were the limit, because their threads read and wrote files. */
    FILE_IO(Optional.of(Use.FILE)),
    /** Carriers were the limit, because their threads were in native code. */
    NATIVE_CODE(Optional.of(Use.NATIVE)),
    /** Carriers were not the limit, though pins took some of their time. */
    SOME_PINS(Optional.empty()),
    /** Carriers were not the limit, and nothing else was found. */
    NOTHING_TO_CHANGE(Optional.empty()),
    /** The recordings do not tell. */
    NOT_KNOWN(Optional.empty());

    private final Optional<Use> use;

    Kind(Optional<Use> use) {
      this.use = use;
    }

    /** What the carriers were at, if they were the limit. */
    public Optional<Use> use() {
      return use;
    }
  }

  public Conclusion {
    why = Set.copyOf(why);
  }

  Conclusion(Kind kind, boolean sure, double part) {
    this(kind, sure, part, Set.of());
  }
}
