/** What virtual threads wait for that have left their carriers, from the looks of the agent. */
package vtdiag.waits;
