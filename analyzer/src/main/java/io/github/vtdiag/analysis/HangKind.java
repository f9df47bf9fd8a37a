package io.github.vtdiag.analysis;

/**
 * What all hangs share in a list of findings. What tells one from another is in the row of its
 * {@link io.github.vtdiag.hang.DiagnosisKind}.
 */
public enum HangKind implements FindingKind {
  HANG;

  @Override
  public String title() {
    return "hung";
  }

  @Override
  public String page() {
    return "docs/hangs.md";
  }
}
