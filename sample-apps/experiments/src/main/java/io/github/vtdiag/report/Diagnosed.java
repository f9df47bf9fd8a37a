package io.github.vtdiag.report;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.analysis.Findings;

/**
 * A variant of an experiment, analyzed as by {@code vtdiag analyze}.
 *
 * @param recording as the user may type it
 */
public record Diagnosed(String label, String recording, Findings findings, Advice advice) {}
