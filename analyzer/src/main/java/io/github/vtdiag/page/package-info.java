/** Findings and what they were made of, as one HTML file that needs nothing else. */
package io.github.vtdiag.page;
