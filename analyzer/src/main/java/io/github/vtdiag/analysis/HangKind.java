package io.github.vtdiag.analysis;

/** The row of programs that stand still. */
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
