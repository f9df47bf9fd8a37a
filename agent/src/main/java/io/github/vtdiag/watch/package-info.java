/**
 * The watch over the carriers, from outside: which virtual thread has not unmounted, since when, at
 * which stack, and what it waits for. JFR records a pin when it ends, and never a wait in native
 * code.
 */
package io.github.vtdiag.watch;
