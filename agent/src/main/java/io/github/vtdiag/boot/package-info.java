/** The few classes in the bootstrap loader, because woven code calls them. */
package io.github.vtdiag.boot;
