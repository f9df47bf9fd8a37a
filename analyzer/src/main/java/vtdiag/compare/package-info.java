/**
 * Measures an application as it is and with one change: {@link vtdiag.compare.Experiment} runs a
 * {@link vtdiag.compare.Plan} and answers with a {@link vtdiag.compare.Comparison}. It starts
 * processes, reads their recordings and sends requests; what is printed of that is decided
 * elsewhere.
 */
package vtdiag.compare;
