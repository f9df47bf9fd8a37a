/** What reports say, sentence by sentence, and the document that they are put into. */
package io.github.vtdiag.report.words;
