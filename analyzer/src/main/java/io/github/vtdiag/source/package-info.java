/** The sources of a program: what they declare, and whether they are those of its classes. */
package io.github.vtdiag.source;
