package io.github.vtdiag.gate;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Identity;

/** A finding, and its identity from one build to the next. */
public record Named(Identity identity, Pin finding) {}
