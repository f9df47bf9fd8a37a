/**
 * Measures an application as it is and with one change: {@link vtdiag.compare.PairedRuns} runs a
 * {@link vtdiag.compare.Plan} and returns a {@link vtdiag.compare.Comparison}. It starts processes,
 * reads their recordings and sends requests; it prints nothing.
 */
package vtdiag.compare;
