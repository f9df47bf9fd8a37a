/**
 * What build servers read: a gate's verdict and the findings behind it, in their formats, which are
 * a list, {@link io.github.vtdiag.report.ci.BuildFormats}. The words are those of the reports.
 */
package io.github.vtdiag.report.ci;
