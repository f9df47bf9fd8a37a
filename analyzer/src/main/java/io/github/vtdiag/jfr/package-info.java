/** The JFR file format: chunks, metadata, constants, events. It knows nothing of pins. */
package io.github.vtdiag.jfr;
