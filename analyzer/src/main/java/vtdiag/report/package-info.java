/**
 * Findings, verdicts and comparisons in words and figures. The words are written once, the formats
 * are a list, {@link vtdiag.report.Formats}. Nothing is decided here.
 */
package vtdiag.report;
