package io.github.vtdiag.waits;

/**
 * A fact about waits that their stack alone does not show.
 *
 * @param name the code, the port or the change that it names; empty if it names nothing
 */
public record WaitDetail(Kind kind, String name) {
  public static final WaitDetail NONE = of(Kind.NONE);

  /** The kinds of detail, with the clauses that follow what is waited for. */
  public enum Kind {
    NONE(""),
    /** A loop that does nothing but wait for a change, which the name tells. */
    LOOP("until ", ""),
    /** Data from a port of this JVM; the threads of the other end have stopped reading. */
    UNREAD_PORT("from port ", " of this JVM, where nobody reads"),
    /** The end of the threads of a pool that was not shut down. */
    OPEN_POOL("of a pool that nobody has shut down"),
    /** Work, while other threads wait for the end of these. */
    JOINED("for whose end others wait"),
    /** Another queue or connection each time, unlike workers. */
    RENEWED("each time for another one"),
    /** A queue that is used as a pool: its users put back what they take. */
    POOLED("from which each thread takes what it puts back later"),
    /** The same on some ways of the code only, as a worker does with a task that failed. */
    PARTLY_POOLED("into which a thread may put back what it takes"),
    ANSWERS("for answers to what they put into a queue"),
    READ_ANSWERS("for answers to what they wrote to the connection"),
    REPLIES("for replies to the messages that they sent"),
    /** Data from another process, which has sent none since the connection was made. */
    SILENT("from a connection over which nothing has ever come"),
    NO_LOOP("not in a loop"),
    /** Events, in a loop that ends when the thread has what it waits for. */
    UNTIL_ANSWER("until an answer is whole"),
    /** A join of the thread that waits, which only an interrupt ends. */
    ITSELF("for its own end"),
    /** Waits that another thread may end when it goes on; the name is its method. */
    MAY_END("which may end when a thread goes on in ", ""),
    /**
     * Waits that a task of a scheduler may end; the name is the time until it is due, or its pool.
     */
    SCHEDULED("which may end when a scheduled task runs, in ", ""),
    /** The end of another process, which may take any time. */
    CHILD("for the end of a child process"),
    /** Waits for a limiter of rates; the name is the time until it lets one of them go on. */
    LIMITED("which a limiter lets go on in ", " at the earliest"),
    /** Waits that a thread may have had to end that failed before; the name is the failure. */
    LEFT("which a failed thread may have had to end: ", ""),
    /** A class; the lambdas of its initializer are not on the stack. */
    CLASS("by another thread"),
    /** The same of platform threads. */
    PLATFORM_CLASS("on platform threads, by another thread"),
    /** Platform threads, which wait for what others do, as the virtual ones may. */
    PLATFORM("on platform threads"),
    /** A loop of platform threads that does nothing but wait for a change, which the name tells. */
    PLATFORM_LOOP("on platform threads until ", ""),
    /** The same of platform threads. */
    PLATFORM_LEFT("on platform threads, which a failed thread may have had to end: ", ""),
    /** The end of a program that exits: one of its shutdown hooks. */
    EXIT_HOOK("a shutdown hook"),
    /** Idle threads of a program in which nothing else goes on. */
    UNSERVED(
        "nobody is known to serve them, and no other virtual thread goes on or waits for anything"
            + " from outside"),
    /** The same of threads that served each other, but seldom. */
    SERVED_BY_EACH_OTHER(
        "only they are known to have served each other, and no other virtual thread goes on or"
            + " waits for anything from outside"),
    /** A clause that another version of the agent wrote; it is the name. */
    OTHER("", "");

    private final String before;
    private final String after;
    private final boolean named;

    Kind(String clause) {
      this.before = clause;
      this.after = "";
      this.named = false;
    }

    Kind(String before, String after) {
      this.before = before;
      this.after = after;
      this.named = true;
    }

    private boolean is(String clause) {
      return named
          ? clause.length() > before.length() + after.length()
              && clause.startsWith(before)
              && clause.endsWith(after)
          : clause.equals(before);
    }
  }

  /** Returns the detail of a kind that names nothing. */
  public static WaitDetail of(Kind kind) {
    return new WaitDetail(kind, "");
  }

  /** Reads what {@link #clause} wrote. */
  public static WaitDetail read(String clause) {
    for (Kind kind : Kind.values()) {
      if (kind.is(clause)) {
        return new WaitDetail(
            kind,
            kind.named
                ? clause.substring(kind.before.length(), clause.length() - kind.after.length())
                : "");
      }
    }
    throw new AssertionError(clause); // the last kind has any clause
  }

  /** Returns the clause that follows what is waited for; empty if there is nothing to add. */
  public String clause() {
    return kind.before + name + kind.after;
  }

  /** Returns whether these are platform threads. */
  boolean isOfPlatform() {
    return switch (kind) {
      case PLATFORM, PLATFORM_CLASS, PLATFORM_LOOP, PLATFORM_LEFT, EXIT_HOOK -> true;
      case NONE,
          LOOP,
          UNREAD_PORT,
          OPEN_POOL,
          JOINED,
          RENEWED,
          POOLED,
          PARTLY_POOLED,
          ANSWERS,
          READ_ANSWERS,
          REPLIES,
          SILENT,
          NO_LOOP,
          UNTIL_ANSWER,
          ITSELF,
          MAY_END,
          SCHEDULED,
          CHILD,
          LIMITED,
          LEFT,
          CLASS,
          UNSERVED,
          SERVED_BY_EACH_OTHER,
          OTHER ->
          false;
    };
  }

  /**
   * Returns whether a thread or process goes on, or a task comes later, that may end the waits, or
   * they are meant to last as long as the program.
   */
  boolean mayEnd() {
    return kind == Kind.MAY_END
        || kind == Kind.SCHEDULED
        || kind == Kind.CHILD
        || kind == Kind.ITSELF;
  }

  /** Returns whether another thread initializes a class, whatever the stack shows. */
  boolean isForClass() {
    return kind == Kind.CLASS || kind == Kind.PLATFORM_CLASS;
  }

  public boolean isKnown() {
    return kind != Kind.NONE;
  }
}
