/** Draws what {@code vtdiag sample} measured. */
package samples.plot;
