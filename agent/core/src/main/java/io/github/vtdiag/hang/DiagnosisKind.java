package io.github.vtdiag.hang;

/**
 * A kind of {@link Diagnosis}, with all that is the same for each of them. JSON has the name of the
 * constant.
 */
public enum DiagnosisKind {
  LOCK_CYCLE("LockCycle", "deadlock", Severity.DEADLOCK),
  DEADLOCK_BY_PINNING("DeadlockByPinning", "deadlock by pinning", Severity.DEADLOCK),
  NEVER_RELEASED("NeverReleased", "lock never released", Severity.DEADLOCK),
  STRANDED("Stranded", "wait that nobody can end", Severity.DEADLOCK),
  STARVED("Starved", "starved", Severity.STANDSTILL),
  LOST_WAKE_UP("LostWakeUp", "Forgotten", "lost wake-up", Severity.SUSPECTED),
  STALLED("Stalled", "stalled", Severity.SUSPECTED),
  WAITING("Waiting", "waiting", Severity.NOTABLE),
  RUNNING("Busy", "running", Severity.FINE),
  IDLE("Idle", "idle", Severity.FINE),
  NOT_KNOWN("Unknown", "not known", Severity.UNDECIDED);

  private final String wireName;
  private final String firstName;
  private final String title;
  private final Severity severity;

  DiagnosisKind(String wireName, String title, Severity severity) {
    this(wireName, wireName, title, severity);
  }

  DiagnosisKind(String wireName, String firstName, String title, Severity severity) {
    this.wireName = wireName;
    this.firstName = firstName;
    this.title = title;
    this.severity = severity;
  }

  /** What recordings and metrics call it. */
  public String wireName() {
    return wireName;
  }

  /** What the first recordings called it, and baselines always do: else all would be new. */
  public String firstName() {
    return firstName;
  }

  /** What people read first. */
  public String title() {
    return title;
  }

  /** The same, with how sure it is: only a deadlock is said to be probable. */
  public String title(boolean sure) {
    return (isDeadlock() && !sure ? "probably a " : "") + title;
  }

  public Severity severity() {
    return severity;
  }

  /** Whether nothing ends it but, at best, a timeout. */
  public boolean isDeadlock() {
    return severity == Severity.DEADLOCK;
  }

  /** Whether the agent tells of it; who refers to an object only a heap dump shows. */
  public boolean isHang() {
    return severity.compareTo(Severity.SUSPECTED) <= 0 && this != STRANDED;
  }

  /** How bad it is, the worst first. */
  public enum Severity {
    /** Nothing ends it but, at best, a timeout. */
    DEADLOCK,
    /** The program makes no progress. */
    STANDSTILL,
    /** Threads may never go on; only many looks in a row tell. */
    SUSPECTED,
    /** What was seen does not tell. */
    UNDECIDED,
    /** No hang, and worth knowing. */
    NOTABLE,
    FINE
  }
}
