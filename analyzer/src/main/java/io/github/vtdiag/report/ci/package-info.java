/**
 * Gate verdicts, with the findings behind them, in the formats of build servers. The formats are
 * listed in {@link io.github.vtdiag.report.ci.BuildFormats}. The words are those of the reports.
 */
package io.github.vtdiag.report.ci;
