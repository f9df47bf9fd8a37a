/** The contents of a run, and its changes since another one. */
package io.github.vtdiag.baseline;
