package io.github.vtdiag.hang;

import io.github.vtdiag.model.Article;

/**
 * A kind of {@link Diagnosis}, with everything that its diagnoses share. JSON has the name of the
 * constant.
 */
public enum DiagnosisKind {
  LOCK_CYCLE("LockCycle", "deadlock", Severity.DEADLOCK),
  DEADLOCK_BY_PINNING("DeadlockByPinning", "deadlock by pinning", Severity.DEADLOCK),
  NEVER_RELEASED("NeverReleased", "lock never released", Severity.DEADLOCK),
  STRANDED("Stranded", "wait that nobody can end", Severity.DEADLOCK),
  STARVED("Starved", "starved", Severity.STANDSTILL),
  NOT_SCHEDULED("NotScheduled", "not scheduled", Severity.SUSPECTED),
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

  /** Returns its name in recordings and metrics. */
  public String wireName() {
    return wireName;
  }

  /**
   * Returns its name in the first recordings. Baselines keep it, or all their findings would be
   * new.
   */
  public String firstName() {
    return firstName;
  }

  /** Returns its name for people. */
  public String title() {
    return title;
  }

  /** Returns the title with its certainty; only a deadlock can be "probably". */
  public String title(boolean sure) {
    return isDeadlock() && !sure ? "probably " + Article.with(title) : title;
  }

  public Severity severity() {
    return severity;
  }

  /** Returns whether it ends at best by a timeout. */
  public boolean isDeadlock() {
    return severity == Severity.DEADLOCK;
  }

  /**
   * Returns whether a hang of this kind counts as a deadlock. If it was only probable and has
   * ended, it has proved to be none.
   */
  public boolean isDeadlock(boolean sure, boolean ended) {
    return isDeadlock() && (sure || !ended);
  }

  /**
   * Returns whether the agent reports it. A stranded thread is left out: only a heap dump shows
   * which threads refer to an object.
   */
  public boolean isHang() {
    return severity.compareTo(Severity.SUSPECTED) <= 0 && this != STRANDED;
  }

  /** The severities, the worst first. */
  public enum Severity {
    /** It ends at best by a timeout. */
    DEADLOCK,
    /** The program makes no progress. */
    STANDSTILL,
    /** Threads may never go on; only many snapshots in a row show it. */
    SUSPECTED,
    /** The snapshots do not explain it. */
    UNDECIDED,
    /** No hang, but worth knowing. */
    NOTABLE,
    FINE
  }
}
