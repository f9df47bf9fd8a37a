/**
 * What build servers read: a gate's verdict and the findings behind it, in their formats, which are
 * a list, {@link vtdiag.report.ci.BuildFormats}. The words are those of the reports.
 */
package vtdiag.report.ci;
