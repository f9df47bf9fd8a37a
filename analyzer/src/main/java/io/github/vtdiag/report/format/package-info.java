/**
 * The formats of documents: text, Markdown and HTML. All formats are listed in {@link
 * io.github.vtdiag.report.format.Formats}.
 */
package io.github.vtdiag.report.format;
