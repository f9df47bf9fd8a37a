/** The JFR file format: chunks, metadata, constants, events. Knows nothing of pins. */
package vtdiag.jfr;
