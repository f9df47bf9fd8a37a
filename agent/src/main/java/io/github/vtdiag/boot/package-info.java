/** The few classes that the bootstrap loader sees, because woven code calls them. */
package io.github.vtdiag.boot;
