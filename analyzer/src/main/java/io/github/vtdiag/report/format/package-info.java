/**
 * How documents look: as text, as Markdown and as HTML; and the list of all formats, {@link
 * io.github.vtdiag.report.format.Formats}.
 */
package io.github.vtdiag.report.format;
