/** The options of all programs that add to a lake or ask it: the command line, and Spark's job. */
package io.github.vtdiag.fleet.options;
