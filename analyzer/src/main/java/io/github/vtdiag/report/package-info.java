/**
 * Findings, verdicts and comparisons as documents: their content and its order. The sentences are
 * in {@link io.github.vtdiag.report.words}. Nothing is decided here.
 */
package io.github.vtdiag.report;
