package io.github.vtdiag.report;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.analysis.Findings;

/**
 * A variant of an experiment, looked at as {@code vtdiag analyze} does.
 *
 * @param recording as the user may type it
 */
public record Diagnosed(String label, String recording, Findings findings, Advice advice) {}
