/** What virtual threads wait for that have left their carriers, from the looks of the agent. */
package io.github.vtdiag.waits;
