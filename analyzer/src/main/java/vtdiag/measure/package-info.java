/**
 * Measures an application as it is and with one change: {@link vtdiag.measure.Experiment} runs a
 * {@link vtdiag.measure.Plan} and answers with a {@link vtdiag.measure.Comparison}. It starts
 * processes, reads their recordings and sends requests; what is printed of that is decided
 * elsewhere.
 */
package vtdiag.measure;
