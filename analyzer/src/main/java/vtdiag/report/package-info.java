/** Findings and verdicts as text and JSON: one class per format. Nothing is decided here. */
package vtdiag.report;
