package vtdiag.report;

import vtdiag.advice.Advice;
import vtdiag.analysis.Findings;

/**
 * A variant of an experiment, looked at as {@code vtdiag analyze} does.
 *
 * @param recording as the user may type it
 */
public record Diagnosed(String label, String recording, Findings findings, Advice advice) {}
