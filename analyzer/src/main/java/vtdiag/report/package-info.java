/** Findings, verdicts and comparisons, one class per format. Nothing is decided here. */
package vtdiag.report;
