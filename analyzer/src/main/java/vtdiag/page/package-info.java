/** Findings and what they were made of, as one HTML file that needs nothing else. */
package vtdiag.page;
