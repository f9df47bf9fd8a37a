/** Programs that are run with and without the what-if, which leaves {@code vtdiag}'s alone. */
package whatif;
