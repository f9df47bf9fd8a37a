package io.github.vtdiag.analysis;

/**
 * The one kind of finding that all hangs are. What distinguishes hangs is in their {@link
 * io.github.vtdiag.hang.DiagnosisKind}.
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
