/** Which monitors of a program a thread can hold while it waits, from its class files alone. */
package io.github.vtdiag.scan;
