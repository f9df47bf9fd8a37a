/** The sentences of reports, and the document that they are put into. */
package io.github.vtdiag.report.words;
