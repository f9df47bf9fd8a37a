/** The command line: the only place that prints to standard output or sets an exit code. */
package io.github.vtdiag.cli;
