package vtdiag.advice.ladder;

/** The rules that refuse a rewrite; their names are part of the JSON. */
public enum Rung {
  /** The bytes of the class are not at hand, so its other sites are not known. */
  CLASS_UNKNOWN,
  // The others: see the hazards of rewriting a monitor.
}
