/** The few classes that the bootstrap loader sees, because the JDK's own code calls them. */
package vtdiag.boot;
