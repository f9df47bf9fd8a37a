/**
 * Measures an application as it is and with one change: {@link io.github.vtdiag.compare.PairedRuns}
 * runs a {@link io.github.vtdiag.compare.Plan} and returns a {@link
 * io.github.vtdiag.compare.Comparison}. It starts processes, reads their recordings and sends
 * requests; it prints nothing.
 */
package io.github.vtdiag.compare;
