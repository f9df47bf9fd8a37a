/**
 * Findings, verdicts and comparisons as documents: what a report says, and in which order. Its
 * sentences stand in {@link io.github.vtdiag.report.words}. Nothing is decided here.
 */
package io.github.vtdiag.report;
