/**
 * The watch over the carriers, from outside: which virtual thread has not left its carrier, since
 * when, where it stands and what it waits for. JFR tells of a pin when it ends, and of a wait in
 * native code never.
 */
package io.github.vtdiag.watch;
