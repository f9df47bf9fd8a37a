/**
 * Pins grouped by cause, with their cost and with what is unknown about them. Free of side effects.
 */
package io.github.vtdiag.analysis;
