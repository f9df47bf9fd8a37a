package vtdiag.gate;

import vtdiag.analysis.Finding;
import vtdiag.analysis.Identity;

/** A finding, and what it is called from one build to the next. */
public record Named(Identity identity, Finding finding) {}
