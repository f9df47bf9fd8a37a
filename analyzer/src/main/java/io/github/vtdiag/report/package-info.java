/**
 * Findings, verdicts and comparisons in words and figures. The words are written once, the formats
 * are a list, {@link io.github.vtdiag.report.format.Formats}. Nothing is decided here.
 */
package io.github.vtdiag.report;
