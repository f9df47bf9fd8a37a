/** The monitors of a program that a thread can hold while it waits, from its class files alone. */
package io.github.vtdiag.scan;
