/** Pins grouped by cause, with what they cost and what is not known about them. Pure. */
package io.github.vtdiag.analysis;
